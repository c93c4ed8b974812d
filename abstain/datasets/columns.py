"""Records in a hub data set's column layout: from the hub through `datasets`, or from local parquet files.

The hub data sets are read at a resolved commit, which becomes the source that a run logs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from abstain.datasets.entries import Drop, Entry, Row
from abstain.datasets.files import Located, content_id, existing
from abstain.errors import AbstainError

if TYPE_CHECKING:
    import datasets
    import pyarrow

_ROWS_AT_ONCE = 64  # a Natural Questions record holds a whole page: about 0.5 MB


@dataclass(frozen=True)
class Origin:
    """Where a published data set is read from: a local `path`, else the `hub` (``owner/name``) at a `revision`."""

    path: str | None
    hub: str | None
    hub_config: str | None
    revision: str
    split: str

    def read(
        self,
        columns: Sequence[str],
        from_columns: Callable[[Row, str], Entry | Drop],
        read_file: Callable[[Path], Iterator[Located]],
        from_file: Callable[[Row, str], Entry | Drop],
    ) -> tuple[Iterator[tuple[str, Entry | Drop]], str]:
        """The entries with their places, and the source by content.

        Records of the hub and of parquet files have `columns` and are converted by `from_columns`; those of any other
        local file are what `read_file` finds, converted by `from_file`. Raises AbstainError for what is missing,
        malformed or out of reach.
        """
        if self.path is not None:
            path = existing(self.path)
            files = parquet_files(path)
            source = content_id(files or [path])
            rows, convert = (local_rows(files, columns), from_columns) if files else (read_file(path), from_file)
        elif self.hub is not None:
            rows, source = hub_rows(self.hub, self.hub_config, self.revision, self.split, columns)
            convert = from_columns
        else:
            raise AbstainError("dataset.path and dataset.hub are both null: set one of them")
        return ((where, convert(row, where)) for where, row in rows), source


def parquet_files(path: Path) -> list[Path]:
    """The parquet files that a path means: itself, or all those of a directory in name order; none for other files.

    Raises AbstainError for a directory without any.
    """
    if not path.is_dir():
        return [path] if path.suffix == ".parquet" else []
    files = sorted(path.glob("*.parquet"))
    if not files:
        raise AbstainError(f"dataset.path={path}: the directory holds no parquet files; give the one that does")
    return files


def local_rows(files: Sequence[Path], columns: Sequence[str]) -> Iterator[Located]:
    """The records of parquet files, with only the named columns (dots for nested ones) read.

    Raises AbstainError for a file that is not parquet or lacks a column.
    """
    import pyarrow
    from pyarrow import parquet

    for path in files:
        try:
            with parquet.ParquetFile(path) as file:
                _check(file.schema_arrow, columns, str(path))
                yield from _records(file.iter_batches(_ROWS_AT_ONCE, columns=list(columns)), str(path))
        except (OSError, pyarrow.ArrowException) as error:
            reason = " ".join(str(error).split())
            raise AbstainError(f"dataset.path={path}: cannot be read as parquet ({reason})") from error


def hub_rows(
    repository: str, config: str | None, revision: str, split: str, columns: Sequence[str]
) -> tuple[Iterator[Located], str]:
    """The records of a hub data set and its source, ``owner/name@commit``.

    `revision` may be a branch such as ``main``, a tag or a commit. Raises AbstainError when the hub cannot be reached
    or does not know the repository, the revision, the configuration or the split.
    """
    commit = _commit(repository, revision)
    import datasets

    try:
        data = datasets.load_dataset(repository, config, split=split, revision=commit)
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise AbstainError(f"dataset.hub={repository}, hub_config={config}, split={split}: {reason}") from error
    except OSError as error:
        raise _unreachable(repository, error) from error
    return dataset_rows(data, columns, repository), f"{repository}@{commit}"


def dataset_rows(data: datasets.Dataset, columns: Sequence[str], where: str) -> Iterator[Located]:
    """The records of a loaded `datasets.Dataset`, in order. Raises AbstainError when it lacks one of the columns."""
    _check(data.features.arrow_schema, columns, where)
    tops = dict.fromkeys(column.split(".")[0] for column in columns)
    return _records(data.select_columns(list(tops)).with_format("arrow").iter(_ROWS_AT_ONCE), where)


def _records(tables: Iterator[pyarrow.RecordBatch | pyarrow.Table], where: str) -> Iterator[Located]:
    number = 0
    for table in tables:
        for record in table.to_pylist():
            number += 1
            yield f"{where}, row {number}", record


def _commit(repository: str, revision: str) -> str:
    import httpx
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError, RevisionNotFoundError

    try:
        return str(HfApi().dataset_info(repository, revision=revision).sha)
    except RevisionNotFoundError as error:
        raise AbstainError(
            f"dataset.revision={revision}: {repository} has no such revision; main is the newest one"
        ) from error
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise AbstainError(f"dataset.hub={repository}: the hub has no public data set of this name") from error
    except (OSError, httpx.HTTPError) as error:
        raise _unreachable(repository, error) from error


def _unreachable(repository: str, error: Exception) -> AbstainError:
    reason = " ".join(str(error).split())
    return AbstainError(
        f"dataset.hub={repository}: the hub cannot be reached ({reason}); set dataset.path to a local copy"
    )


def _check(schema: pyarrow.Schema, columns: Sequence[str], where: str) -> None:
    missing = [column for column in columns if not _has(schema, column)]
    if missing:
        raise AbstainError(f"{where}: lacks the column {', '.join(missing)} of the hub's layout (see docs/datasets.md)")


def _has(schema: pyarrow.Schema, column: str) -> bool:
    import pyarrow

    kind: pyarrow.DataType = pyarrow.struct(list(schema))
    for name in column.split("."):
        if not pyarrow.types.is_struct(kind) or kind.get_field_index(name) < 0:
            return False
        kind = kind.field(name).type
    return True
