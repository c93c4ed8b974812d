"""The table of responses that each run leaves: what was asked, said, decided and how it scored, a line a row.

The table holds enough to decide and score again elsewhere: `task=replay` reads it (docs/responses.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from abstain.policies.base import Evidence
from abstain.rows import Case, Prompt, Response, ScoredRow
from abstain.tasks.grab_rag import GrabRag, PassId

REPLY_COLUMNS = (
    *("prompt_name", "system", "prompt", "context_cut", "planted_cut", "key", "raw", "valid"),
    *("said", "said_answer", "said_confidence", "reasoning", "finish", "probability"),
    *("prompt_tokens", "completion_tokens", "seconds"),
    *("closed_valid", "closed_said", "closed_answer", "closed_confidence", "nli_labels"),
    *("decision", "answer", "confidence", "cause", "outcome", "exact_match", "f1"),
)
"""What an ineligible case has null in; there are these columns even where no case of a run is eligible."""


def grab_rag_records(
    cell: GrabRag,
    prompts: Mapping[PassId, Prompt],
    evidence: Sequence[Evidence],
    scored: Sequence[ScoredRow],
    capable: set[str],
) -> list[dict[str, Any]]:
    """One flat record a case, in the order of the cases; ineligible ones have no response."""
    records = []
    decided = {id(row.case): (shown, row) for shown, row in zip(evidence, scored, strict=True)}
    for case in cell.cases:
        record = _cell_record(cell) | _case_record(case, case.question.id in capable) | dict.fromkeys(REPLY_COLUMNS)
        if case.ineligible is None:
            shown, row = decided[id(case)]
            prompt = prompts[cell.own_pass(case)]
            record |= _said_record(prompt, shown.context) | {"planted_cut": cell.planted_answer_cut(case, prompt)}
            record |= _evidence_record(shown) | _score_record(row)
        records.append(record)
    return records


def write_parquet(records: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Write records as a Parquet file that PyArrow, pandas and DuckDB read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = list(dict.fromkeys(name for record in records for name in record))
    pq.write_table(pa.table({name: [record.get(name) for record in records] for name in names}), file)


def _cell_record(cell: GrabRag) -> dict[str, Any]:
    parts = cell.parts
    return {
        "model": parts.model.name,
        "dataset": cell.questions.name,
        "policy": parts.policy.name,
        "seed": parts.seed,
        "threshold_f1": parts.thresholds.f1,
        "threshold_confidence": parts.thresholds.confidence,
    }


def _case_record(case: Case, capable: bool) -> dict[str, Any]:
    question = case.question
    swap = case.swap
    return {
        "question_id": question.id,
        "index": question.index,
        "question": question.text,
        "answers": list(question.answers),
        "capable": capable,
        "condition": case.condition,
        "ineligible": case.ineligible,
        "planted": swap.planted if swap else None,
        "swap_original": swap.original if swap else None,
        "swap_replacement": swap.replacement if swap else None,
        "swap_tier": swap.tier if swap else None,
        "swap_type": swap.type if swap else None,
        "swap_original_passage": swap.original_passage if swap else None,
        "swap_passage": swap.passage if swap else None,
        "swap_edits": json.dumps([asdict(edit) for edit in swap.edits]) if swap else None,
    }


def _said_record(prompt: Prompt, response: Response) -> dict[str, Any]:
    return {
        "prompt_name": prompt.name,
        "system": prompt.system,
        "prompt": prompt.user,
        "context_cut": prompt.context_cut,
        "key": response.key,
        "raw": response.raw,
        "valid": response.valid,
        "said": response.decision,
        "said_answer": response.answer,
        "said_confidence": response.confidence,
        "reasoning": response.reasoning,
        "finish": response.finish,
        "prompt_tokens": response.prompt_tokens,
        "completion_tokens": response.completion_tokens,
        "seconds": response.seconds,
        "probability": response.probability,
    }


def _evidence_record(evidence: Evidence) -> dict[str, Any]:
    closed = evidence.closed
    return {
        "closed_valid": closed.valid if closed else None,
        "closed_said": closed.decision if closed else None,
        "closed_answer": closed.answer if closed else None,
        "closed_confidence": closed.confidence if closed else None,
        "nli_labels": list(evidence.labels),
    }


def _score_record(row: ScoredRow) -> dict[str, Any]:
    return {
        "decision": row.decision.verdict,
        "answer": row.decision.answer,
        "confidence": row.decision.confidence,
        "cause": row.decision.cause,
        "outcome": str(row.outcome),
        "exact_match": row.exact_match,
        "f1": row.f1,
    }
