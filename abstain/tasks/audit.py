"""task=audit: eligibility and leaks of the misleading passages, a sample to judge, and what the judgements come to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from omegaconf import DictConfig
from rich.columns import Columns
from rich.console import Console

from abstain import __version__
from abstain.assemble import construct
from abstain.audit.filled import match, read_filled
from abstain.audit.judged import TIERS
from abstain.audit.page import suggested, write_page
from abstain.audit.quality import quality
from abstain.audit.sample import draw, refuse_if_filled, write_csv
from abstain.audit.survey import Survey, eligible, survey
from abstain.audit.tables import quality_tables, survey_tables
from abstain.errors import AbstainError
from abstain.report.table import Table
from abstain.report.terminal import rich_table
from abstain.rows import GRAB_RAG, Question, QuestionSet


@dataclass(frozen=True)
class Audit:
    """Audit the swaps of a data set (GRAB-RAG, Appendix C); loads no language model.

    `sample` swaps are drawn with `sample_seed` to be judged; `filled` is the CSV file of a judged sample.
    """

    sample: int = 100
    sample_seed: int = 42
    filled: str | None = None
    tracked: bool = False

    def __post_init__(self) -> None:
        if self.sample < 1:
            raise AbstainError(f"task.sample={self.sample}: give at least 1")

    def __call__(self, config: DictConfig) -> None:
        """Write audit.json, and the page with the new sample (sample.csv) or with the judged one (filled.json)."""
        dataset = construct(config.dataset)
        folder = Path(config.paths.root).absolute() / "audit" / _folder_name(dataset)
        rows = read_filled(self.filled, dataset.name) if self.filled else None
        if rows is None:
            refuse_if_filled(folder / "sample.csv")
        questions: QuestionSet[Question] = dataset.load()
        found = _swaps(questions, config)
        pairs = eligible(questions.questions, found)
        counts = survey(questions.questions, found)
        items = draw(pairs, self.sample, self.sample_seed) if rows is None else match(rows, pairs)
        judged = quality(items) if rows is not None else None

        folder.mkdir(parents=True, exist_ok=True)
        _write_json(folder / "audit.json", counts.record)
        if judged is None:
            write_csv(folder / "sample.csv", questions.name, items)
        else:
            _write_json(folder / "filled.json", judged.record)
        tables = [*(quality_tables(judged) if judged else []), *survey_tables(counts)]
        write_page(folder / "index.html", self._heading(config, questions, len(pairs)), counts, tables, items)
        _print(questions.name, counts, tables)
        _print_next(folder, suggested(items), judged is None)

    def _heading(self, config: DictConfig, questions: QuestionSet[Question], made: int) -> dict[str, str]:
        drawn = f"{self.sample} of {made}, drawn with seed {self.sample_seed}" if self.sample < made else f"all {made}"
        return {
            "title": f"Misleading passages: {questions.name}",
            "Data": f"{len(questions.questions)} questions, {questions.source}",
            "Construction": f"seed {config.seed.value}, entities by {config.ner.get('model') or config.ner._target_}",
            "Swaps": f"judged in {Path(self.filled).name}" if self.filled else drawn,
            "Made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC by abstain {__version__}",
        }


def _folder_name(dataset: Any) -> str:
    """The folder of the data set. Raises AbstainError when it has no swaps or its name is no folder's."""
    name: str = dataset.name
    if dataset.benchmark != GRAB_RAG:
        raise AbstainError(f"task=audit does not go with dataset={name}; what fits: dataset=demo|nq|hotpotqa|jsonl")
    if name in ("", ".", "..") or set(name) & set("/\\"):
        raise AbstainError(f"dataset.name={name}: task=audit needs the name of one folder, without / or \\")
    return name


def _swaps(questions: QuestionSet[Question], config: DictConfig) -> Mapping[str, Any]:
    from abstain.conditions.swap import find_swaps

    return find_swaps(questions, construct(config.ner), config.seed.value, Path(config.paths.cache))


def _write_json(file: Path, record: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(record, indent=1), encoding="utf-8")


def _print(name: str, counts: Survey, tables: Sequence[Table]) -> None:
    console = Console() if Console().is_terminal else Console(width=120)
    console.print(
        f"{name}: {counts.questions} questions, {counts.eligible} eligible ({100 * counts.share:.1f}%), "
        f"leaks of a gold alias: {len(counts.leaks)}",
        style="bold",
        highlight=False,
        markup=False,
    )
    for id, aliases in counts.leaks.items():
        console.print(f"  leak: {id}: {', '.join(aliases)}", style="red", highlight=False, markup=False)
    console.print(Columns([rich_table(table) for table in tables if table.rows], padding=(0, 3)))


def _print_next(folder: Path, suggestions: Mapping[str, int], to_judge: bool) -> None:
    """Say what to do next."""
    lines = [f"The page is here:\n  {folder / 'index.html'}"]
    if to_judge:
        counts = ", ".join(f"{count} {tier}" for tier, count in suggestions.items())
        lines += [
            f"Suggested for the sample, by simple checks: {counts}",
            f"To judge it, fill the column tier ({', '.join(TIERS)}) of\n  {folder / 'sample.csv'}",
            f"and run again with task.filled={folder / 'sample.csv'}",
        ]
    for line in lines:
        Console().print(line, soft_wrap=True, highlight=False, markup=False)
