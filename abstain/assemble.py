"""From a composed config to the parts of a cell, checked to fit together. Constructing them loads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.errors import InstantiationException
from hydra.utils import instantiate
from omegaconf import DictConfig

from abstain.errors import AbstainError
from abstain.models.base import Model
from abstain.ner.base import Ner
from abstain.policies.base import Thresholds
from abstain.retrieval.base import Retriever
from abstain.rows import ARCTIC_ABSTAIN, GRAB_RAG
from abstain.store import Store
from abstain.verifiers.base import Verifier

_FITS = {
    GRAB_RAG: "dataset=demo|nq|hotpotqa|jsonl with condition=grab_rag|q100|q50|q0|qc|closed and policy=p0..p4",
    ARCTIC_ABSTAIN: (
        "dataset=arctic_demo|arcticqa with condition=arctic_abstain|answer_present|answer_absent and policy=mcq"
    ),
}


@dataclass(frozen=True)
class Parts:
    """The constructed parts of one cell; the types of `dataset`, `conditions` and `policy` go by the benchmark."""

    benchmark: str
    dataset: Any
    conditions: Any
    model: Model
    policy: Any
    thresholds: Thresholds
    seed: int
    retriever: Retriever
    ner: Ner
    nli: Verifier
    store: Store
    cache: Path


def assemble(config: DictConfig) -> Parts:
    """Construct the parts; raises AbstainError with one line when a value is bad or parts do not fit together."""
    parts = {group: construct(config[group]) for group in ("dataset", "condition", "policy")}
    benchmark = parts["dataset"].benchmark
    for group, part in parts.items():
        if part.benchmark != benchmark:
            raise AbstainError(
                f"{group}={getattr(part, 'name', None) or ','.join(part.names)} does not go with "
                f"dataset={parts['dataset'].name}; what fits: {_FITS[benchmark]}"
            )
    return Parts(
        benchmark=benchmark,
        dataset=parts["dataset"],
        conditions=parts["condition"],
        model=construct(config.model),
        policy=parts["policy"],
        thresholds=construct(config.thresholds),
        seed=config.seed.value,
        retriever=construct(config.retriever),
        ner=construct(config.ner),
        nli=construct(config.nli),
        store=construct(config.store),
        cache=Path(config.paths.cache),
    )


def construct(node: DictConfig) -> Any:
    """What a config node describes; a complaint of ours comes through as it is, in its one line."""
    try:
        return instantiate(node, _convert_="all")
    except InstantiationException as error:
        if isinstance(error.__cause__, AbstainError):
            raise error.__cause__ from None
        raise
