"""task=doctor: what a run needs of this machine, checked before anything expensive starts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abstain.assemble import construct
from abstain.doctor import machine, parts, state
from abstain.doctor.finding import Check, Finding, Verdict, examine
from abstain.errors import AbstainError
from abstain.rows import GRAB_RAG

_STYLES = {Verdict.OK: "green", Verdict.NOTE: "yellow", Verdict.FAIL: "bold red"}
_CHATTY = ("huggingface_hub", "urllib3")


@dataclass(frozen=True)
class Doctor:
    """Check versions, machine, model, data, encoders, store and runs of the config."""

    tracked: bool = False

    def __call__(self, config: DictConfig) -> None:
        """Print what was found and what to do; changes nothing but to mark dead runs as KILLED.

        Raises AbstainError if a run would fail.
        """
        for chatty in _CHATTY:  # what they warn of is in the table
            logging.getLogger(chatty).setLevel(logging.ERROR)
        findings = [finding for what, check in _checks(config).items() for finding in examine(what, check)]
        _print(findings)
        if failed := sum(finding.verdict is Verdict.FAIL for finding in findings):
            raise AbstainError(f"{failed} of {len(findings)} checks failed; do what the arrows (->) say")


def _checks(config: DictConfig) -> dict[str, Check]:
    checks: dict[str, Check] = {
        "configuration": lambda: parts.configuration(config),
        "packages": machine.packages,
        "SQLite": machine.sqlite,
        "CPUs": machine.processors,
        "memory": machine.memory,
        "disk": lambda: machine.disk(Path(config.paths.root)),
        "llama.cpp": parts.llama_cpp,
        "model": lambda: parts.model(config),
        "dataset": lambda: parts.dataset(config),
        "store": lambda: state.store(construct(config.store)),
        "runs": lambda: state.tracking(construct(config.tracking)),
    }
    if config.condition.benchmark == GRAB_RAG:
        checks |= {
            "retriever": lambda: parts.retriever(config),
            "ner": lambda: parts.ner(config),
            "nli": lambda: parts.nli(config),
        }
    return checks


def _print(findings: Sequence[Finding]) -> None:
    console = Console() if Console().is_terminal else Console(width=200)
    table = Table("", "what", "found", box=None, show_header=False)
    for finding in findings:
        found = Text(finding.found)
        if finding.todo:
            found.append(f"\n-> {finding.todo}", style="bold")
        table.add_row(Text(finding.verdict, style=_STYLES[finding.verdict]), Text(finding.what), found)
    console.print(table)
    if not any(finding.verdict is Verdict.FAIL for finding in findings):
        console.print("nothing stands in the way of a run")
