"""What a composed config must satisfy before anything of it is constructed."""

from __future__ import annotations

from typing import Any

from hydra.utils import get_object
from omegaconf import MISSING, DictConfig, OmegaConf

from abstain.errors import AbstainError


def check(config: DictConfig) -> None:
    """Refuse a config that lacks a value the user must give, or that would construct what nobody allowed."""
    for key, value in leaves(OmegaConf.to_container(config, resolve=False)).items():
        if value == MISSING:
            raise AbstainError(f"{key} must be given: {key}=...")
    _check_targets(config)


def leaves(node: Any, path: str = "") -> dict[str, Any]:
    """The values of a plain config by their dotted keys; a list is a value."""
    if isinstance(node, dict):
        return {key: leaf for k, v in node.items() for key, leaf in leaves(v, f"{path}.{k}".lstrip(".")).items()}
    return {path: node}


def _check_targets(config: DictConfig) -> None:
    """Refuse a `_target_` outside the package unless a prefix in `allow_targets` admits it.

    A config file can come from anywhere; constructing whatever it names would run it.
    """
    written = _targets(OmegaConf.to_container(config, resolve=False), "")
    # An interpolation can make a whole node, with a target in it.
    made = _targets(OmegaConf.to_container(config, resolve=True), "")
    for key, target in written + made:
        if not (_is_ours(target) or any(f"{target}.".startswith(f"{prefix}.") for prefix in config.allow_targets)):
            raise AbstainError(
                f"{key}={target} is outside the package; if you trust it: 'allow_targets=[{target.rsplit('.', 1)[0]}]'"
            )


def _is_ours(target: str) -> bool:
    """Whether the target is defined in this package, not merely reachable through a module of it."""
    return target.startswith("abstain.") and str(get_object(target).__module__).startswith("abstain.")


def _targets(node: Any, path: str) -> list[tuple[str, str]]:
    """Every (key, target) below a node."""
    if isinstance(node, list):
        return [found for value in node for found in _targets(value, path)]
    if not isinstance(node, dict):
        return []
    here = [(f"{path}._target_", node["_target_"])] if isinstance(node.get("_target_"), str) else []
    return here + [found for key, value in node.items() for found in _targets(value, f"{path}.{key}".lstrip("."))]
