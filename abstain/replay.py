"""Reading recorded multiple-choice responses, so that the logs of any model can be analysed without calling it.

A file is CSV (with a header), JSONL, or the ``responses.parquet`` of a run, one response a row: ``item_id``, ``model``,
``condition`` (``answer_present`` or ``answer_absent``), ``trial`` (from 1), and either

- ``outcome``: the paper's category, N0 (invalid) to N5; with an optional ``valid`` (true or false) that must agree, or
- ``choice``: the letter that was chosen (anything else, or nothing, is an invalid response), and ``options``: the kinds
  of the options in letter order, each ``gold``, ``distractor`` or ``abstain``. In CSV they are separated by spaces.

Other columns are ignored. A question for which a model lacks any of its planned records is left out of that model's
analysis and counted, as the paper analyses only questions with all of theirs (ArcticAbstain 5.1).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abstain.conditions.choice import ANSWER_PRESENT, CONDITIONS
from abstain.datasets.files import json_lines
from abstain.errors import AbstainError
from abstain.models.parse import read_choice
from abstain.policies.mcq import LETTERS
from abstain.scoring.choice import CODES, ScoredChoice, code_of

_KEYS = ("item_id", "model", "condition", "trial")
_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recorded responses of one model."""

    model: str
    rows: tuple[ScoredChoice, ...]
    """Of the questions with all planned records, in the order of the file."""
    incomplete: tuple[str, ...]
    """Ids of the questions left out because a (condition, trial) of theirs is not in the file."""


@dataclass(frozen=True, slots=True)
class _Record:
    """One row of the file and where it stands."""

    where: str
    fields: Mapping[str, object]

    def text(self, key: str) -> str:
        value = self.fields.get(key)
        return "" if value is None else str(value).strip()

    def error(self, message: str) -> AbstainError:
        return AbstainError(f"{self.where}: {message}")


def read_recorded(path: str | Path) -> list[Recorded]:
    """Read recorded responses; models in order of first appearance.

    Raises AbstainError with file and line for an unreadable row, an unknown condition or outcome, an outcome that its
    condition cannot have, a trial that is no number from 1, and a response that is recorded twice; and with the file
    for a model without any complete question.
    """
    seen: dict[tuple[str, str, str, int], str] = {}
    by_model: dict[str, list[ScoredChoice]] = {}
    if not Path(path).is_file():
        raise AbstainError(f"task.path={path}: there is no such file; give the path of recorded responses")
    for record in _records(Path(path)):
        row = _scored(record)
        model = record.text("model")
        key = (model, row.item_id, row.condition, row.trial)
        if key in seen:
            raise record.error(
                f"{row.item_id} of {model}, {row.condition}, trial {row.trial} was recorded before ({seen[key]}); "
                "remove one of the two"
            )
        seen[key] = record.where
        by_model.setdefault(model, []).append(row)
    if not by_model:
        raise AbstainError(f"{path}: no recorded responses; the file is empty")
    return [_complete(str(path), model, rows) for model, rows in by_model.items()]


def _complete(path: str, model: str, rows: list[ScoredChoice]) -> Recorded:
    """Split off the questions that lack a record; planned is every condition with every trial the model has."""
    planned = {(condition, row.trial) for row in rows for condition in CONDITIONS}
    found: dict[str, set[tuple[str, int]]] = {}
    for row in rows:
        found.setdefault(row.item_id, set()).add((row.condition, row.trial))
    incomplete = tuple(item for item, records in found.items() if records != planned)
    if len(incomplete) == len(found):
        raise AbstainError(
            f"{path}: no question of {model} has a record for both conditions in each of its "
            f"{len(planned) // 2} trials; the paired analysis needs at least one"
        )
    left_out = set(incomplete)
    return Recorded(model, tuple(row for row in rows if row.item_id not in left_out), incomplete)


def _scored(record: _Record) -> ScoredChoice:
    for key in _KEYS:
        if not record.text(key):
            raise record.error(f"{key} is missing; every row needs {', '.join(_KEYS)}")
    condition, trial = record.text("condition"), record.text("trial")
    if condition not in CONDITIONS:
        raise record.error(f"condition {condition!r} is unknown; it is {' or '.join(CONDITIONS)}")
    if not trial.isdecimal() or int(trial) < 1:
        raise record.error(f"trial {trial!r} is not a whole number from 1")
    code = _recorded_code(record, condition) if record.text("outcome") else _chosen_code(record, condition)
    return ScoredChoice(record.text("item_id"), condition, int(trial), code)


def _recorded_code(record: _Record, condition: str) -> str:
    code = record.text("outcome")
    if code not in CODES:
        raise record.error(f"outcome {code!r} is unknown; it is one of {', '.join(CODES)}")
    if code != "N0" and (code in ("N1", "N2", "N3")) != (condition == ANSWER_PRESENT):
        raise record.error(
            f"outcome {code} is not one of {condition}; N1 to N3 go with answer_present, N4 and N5 with absent"
        )
    if record.text("valid") and _BOOLEANS.get(record.text("valid").lower()) != (code != "N0"):
        raise record.error(f"valid={record.text('valid')} does not go with outcome {code}; only N0 is not valid")
    return code


def _chosen_code(record: _Record, condition: str) -> str:
    if "choice" not in record.fields or not record.text("options"):
        raise record.error("give either outcome (N0 to N5), or choice (a letter) with options (their kinds in order)")
    listed = record.fields["options"]
    kinds = [str(kind) for kind in listed] if isinstance(listed, list) else re.findall(r"\w+", str(listed))
    golds = 1 if condition == ANSWER_PRESENT else 0
    if (
        not set(kinds) <= {"gold", "distractor", "abstain"}
        or len(kinds) > len(LETTERS)
        or (kinds.count("gold"), kinds.count("abstain")) != (golds, 1)
    ):
        raise record.error(
            f"options {' '.join(kinds)!r}: {condition} has {golds} gold, 1 abstain and else distractor, five at most"
        )
    reply = read_choice(record.text("choice"), LETTERS[: len(kinds)])
    return code_of(condition, kinds[LETTERS.index(reply.decision)]) if reply.valid else "N0"


def _records(path: Path) -> Iterator[_Record]:
    if path.suffix == ".csv":
        return _from_csv(path)
    if path.suffix == ".jsonl":
        return (_Record(where, row) for where, row in json_lines(path))
    if path.suffix == ".parquet":
        return _from_parquet(path)
    raise AbstainError(f"task.path={path}: give a .csv, .jsonl or .parquet file of recorded responses")


def _from_parquet(path: Path) -> Iterator[_Record]:
    """The `responses.parquet` of a multiple-choice run has the columns of the format already."""
    import pyarrow.parquet as pq

    for number, row in enumerate(pq.read_table(path, columns=[*_KEYS, "outcome"]).to_pylist(), start=1):
        yield _Record(f"{path}: row {number}", row)


def _from_csv(path: Path) -> Iterator[_Record]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            for row in reader:
                record = _Record(f"{path}:{reader.line_num}", row)
                if None in row:
                    raise record.error("the row has more cells than the header; quote a cell that holds a comma")
                yield record
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise AbstainError(f"task.path={path}: cannot be read as CSV ({error})") from error
