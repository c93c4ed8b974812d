"""Reading the `responses.parquet` of a GRAB-RAG run back into scored rows (docs/responses.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.rows import Case, Decision, Question, ScoredRow, Swap
from abstain.scoring.outcome import score

_CELL = ("model", "dataset", "policy", "seed", "threshold_f1", "threshold_confidence")
_NEEDED = (
    *_CELL,
    *("question_id", "question", "answers", "condition", "ineligible", "capable"),
    *("planted", "finish", "context_cut", "planted_cut", "decision", "answer", "confidence", "cause"),
)


@dataclass(frozen=True)
class RecordedCell:
    """The rows of one recorded cell, scored again, and the counts that its metrics need."""

    model: str
    dataset: str
    policy: str
    seed: int
    threshold_f1: float
    threshold_confidence: float
    rows: tuple[ScoredRow, ...]
    capable: frozenset[str]
    conditions: tuple[str, ...]
    questions: int
    truncated: int
    context_cut: int
    planted_cut: int
    records: Sequence[Mapping[str, Any]]
    """The rows of the file as they are."""


def is_cell(file: Path) -> bool:
    """Whether a file is the table of a GRAB-RAG cell, by its columns; anything else is read as multiple choice."""
    return file.suffix == ".parquet" and "item_id" not in _table(file).column_names


def read_cell(file: Path) -> RecordedCell:
    """Read the table that a GRAB-RAG run left; raises AbstainError when it is not one."""
    records = _records(file)
    if several := {tuple(record[name] for name in _CELL) for record in records} - {
        tuple(records[0][name] for name in _CELL)
    }:
        raise AbstainError(
            f"task.path={file}: holds {len(several) + 1} cells, told apart by {', '.join(_CELL)}; give one file a cell"
        )
    asked = [record for record in records if record["ineligible"] is None]
    return RecordedCell(
        **{name: records[0][name] for name in _CELL},
        rows=tuple(_scored(record) for record in asked),
        capable=frozenset(record["question_id"] for record in records if record["capable"]),
        conditions=tuple(dict.fromkeys(record["condition"] for record in records)),
        questions=len({record["question_id"] for record in records}),
        truncated=sum(record["finish"] == "length" for record in asked),
        context_cut=sum(bool(record["context_cut"]) for record in asked),
        planted_cut=sum(bool(record["planted_cut"]) for record in asked),
        records=records,
    )


def _records(file: Path) -> list[dict[str, Any]]:
    table = _table(file)
    lacking = [name for name in _NEEDED if name not in table.column_names]
    if lacking:
        raise AbstainError(f"task.path={file}: not the responses of a run; it lacks {', '.join(lacking)}")
    if table.num_rows == 0:
        raise AbstainError(f"task.path={file}: holds no rows")
    records: list[dict[str, Any]] = table.to_pylist()
    return records


def _table(file: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(file)
    except (OSError, pa.ArrowInvalid) as error:
        raise AbstainError(f"task.path={file}: cannot be read as Parquet ({str(error).splitlines()[0]})") from error


def _scored(record: Mapping[str, Any]) -> ScoredRow:
    question = Question(record["question_id"], 0, record["question"], tuple(record["answers"]), ())
    planted = record["planted"]
    # Scoring looks at nothing of a swap but the answer that it planted.
    swap = None if planted is None else Swap("", "", "", "", planted, "", "", ())
    case = Case(question, record["condition"], (), swap=swap)
    return score(case, Decision(record["decision"], record["answer"], record["confidence"], record["cause"]))
