"""Responses by content key: what was generated once is never generated again.

Rows are committed as they are made, so a killed run loses nothing that was finished, and the first writer of a key
wins, so that two processes can never leave two answers under one key. SQLAlchemy Core: SQLite by default, PostgreSQL
by URL.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from abstain.databases import complaint
from abstain.errors import AbstainError
from abstain.locks import schema_lock
from abstain.rows import Response, Verdict
from abstain.urls import without_passwords

if TYPE_CHECKING:
    from sqlalchemy import Engine, Table

_DIALECTS = "sqlite:////FILE, or postgresql+psycopg://... with psycopg installed"
_LOOKUP = 500
"""Keys per SELECT: below the bound on variables of every SQLite build."""


@dataclass(frozen=True, slots=True)
class Holding:
    """How many responses the store has of one model, and the model time that made them."""

    model: str
    responses: int
    seconds: float


@dataclass(frozen=True)
class Store:
    """The content-addressed store of responses and NLI verdicts behind a SQLAlchemy URL."""

    url: str

    def find(self, keys: Iterable[str]) -> dict[str, Response]:
        """The stored responses among `keys`."""
        columns = [field.name for field in fields(Response)]
        return {row["key"]: self._read(row) for row in self._select(self._tables.responses, columns, keys)}

    def known(self, keys: Iterable[str]) -> set[str]:
        """Which of `keys` have a response, without reading it."""
        return {row["key"] for row in self._select(self._tables.responses, ["key"], keys)}

    def keep(self, response: Response, model: str) -> Response:
        """Store a response of `model` unless its key is taken; returns what the store holds under the key."""
        row = asdict(response) | {"option_probabilities": json.dumps(response.option_probabilities), "model": model}
        if self._insert(self._tables.responses, [row]):
            return response
        return self.find([response.key])[response.key]

    def mean_seconds(self, model: str) -> float | None:
        """Mean model time of the stored responses of `model`, None before the first."""
        from sqlalchemy import func, select

        table = self._tables.responses
        with self._connect() as connection:
            mean = connection.execute(select(func.avg(table.c.seconds)).where(table.c.model == model)).scalar()
        return None if mean is None else float(mean)

    def find_verdicts(self, keys: Iterable[str]) -> dict[str, Verdict]:
        """The stored NLI verdicts among `keys`."""
        return {row["key"]: Verdict(**row) for row in self._select(self._tables.verdicts, ["key", "label"], keys)}

    def keep_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Store verdicts whose keys are not taken yet."""
        self._insert(self._tables.verdicts, [asdict(verdict) for verdict in verdicts])

    def holdings(self) -> list[Holding]:
        """What the store has of each model, by name."""
        from sqlalchemy import func, select

        table = self._tables.responses
        counts = select(table.c.model, func.count(), func.sum(table.c.seconds)).group_by(table.c.model)
        with self._connect() as connection:
            return [Holding(*row) for row in connection.execute(counts.order_by(table.c.model))]

    def drop(self, model: str) -> int:
        """Remove the responses of `model`; returns how many there were."""
        from sqlalchemy import delete

        table = self._tables.responses
        with self._connect() as connection:
            dropped = connection.execute(delete(table).where(table.c.model == model)).rowcount
            connection.commit()
        return int(dropped)

    def compact(self) -> None:
        """Give the room of removed rows back to the disk; waits for writers, and they for it."""
        statements = {
            "sqlite": ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"),
            "postgresql": ("VACUUM FULL responses", "VACUUM FULL verdicts"),
        }
        with self._connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            for statement in statements[self._engine.dialect.name]:
                connection.exec_driver_sql(statement)

    def size(self) -> int:
        """Bytes that the tables take."""
        sizes = {
            "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            "postgresql": "SELECT pg_total_relation_size('responses') + pg_total_relation_size('verdicts')",
        }
        with self._connect() as connection:
            return int(connection.exec_driver_sql(sizes[self._engine.dialect.name]).scalar())

    def damage(self) -> str:
        """What SQLite finds wrong with its file, in its words; empty if nothing, and for PostgreSQL."""
        if self._engine.dialect.name != "sqlite":
            return ""
        with self._connect() as connection:
            found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        return "" if found == "ok" else " ".join(found.split())

    def _read(self, row: Any) -> Response:
        try:
            return Response(**{**row, "option_probabilities": tuple(json.loads(row["option_probabilities"]))})
        except (TypeError, ValueError) as error:
            raise AbstainError(
                f"store.url={without_passwords(self.url)}: the response {row['key']} is damaged ({error}); "
                f"remove it, and it will be made again: DELETE FROM responses WHERE key = '{row['key']}'"
            ) from error

    def _select(self, table: Table, columns: Sequence[str], keys: Iterable[str]) -> Iterator[Any]:
        from sqlalchemy import select

        wanted = sorted(set(keys))
        query = select(*(table.c[name] for name in columns))
        with self._connect() as connection:
            for start in range(0, len(wanted), _LOOKUP):
                chunk = query.where(table.c.key.in_(wanted[start : start + _LOOKUP]))
                yield from connection.execute(chunk).mappings()

    def _insert(self, table: Table, rows: Sequence[dict[str, Any]]) -> int:
        """Insert what is new; returns how many rows were."""
        from sqlalchemy.dialects import postgresql, sqlite

        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        made = {"made_at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": platform.platform()}
        statement = dialect.insert(table).on_conflict_do_nothing(index_elements=["key"])
        statement = statement.execution_options(preserve_rowcount=True)  # else PostgreSQL answers -1
        with self._connect() as connection:
            inserted = sum(int(connection.execute(statement, row | made).rowcount) for row in rows)
            connection.commit()
        return inserted

    @contextmanager
    def _connect(self) -> Iterator[Any]:
        from sqlalchemy.exc import DBAPIError

        try:
            with closing(self._engine.connect()) as connection:
                yield connection
        except DBAPIError as error:
            raise self._refusal(error) from error

    @cached_property
    def _tables(self) -> _Tables:
        from sqlalchemy import MetaData

        return _Tables.define(MetaData())

    @cached_property
    def _engine(self) -> Engine:
        from sqlalchemy import create_engine, event
        from sqlalchemy.exc import ArgumentError, NoSuchModuleError

        try:
            engine = create_engine(self.url)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise AbstainError(f"store.url={without_passwords(self.url)}: {error}; give {_DIALECTS}") from error
        if engine.dialect.name not in ("sqlite", "postgresql"):
            raise AbstainError(
                f"store.url={without_passwords(self.url)}: {engine.dialect.name} is not supported; give {_DIALECTS}"
            )
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _set_pragmas)
        self._create_schema(engine)
        return engine

    def _create_schema(self, engine: Engine) -> None:
        """Make the tables once; the lock keeps several first processes from racing."""
        from sqlalchemy.exc import DBAPIError

        try:
            with schema_lock(self.url):
                self._tables.responses.metadata.create_all(engine)
        except (DBAPIError, OSError) as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> AbstainError:
        """What a database said, with the mend where it is known."""
        return AbstainError(f"store.url={without_passwords(self.url)}: {complaint(error)}")


@dataclass(frozen=True)
class _Tables:
    responses: Table
    verdicts: Table

    @staticmethod
    def define(metadata: Any) -> _Tables:
        from sqlalchemy import Boolean, Column, Float, Integer, String, Table, Text

        kinds = {"str": Text, "bool": Boolean, "int": Integer, "float": Float, "float | None": Float}

        def table(name: str, row: type[Any], *described: Any) -> Table:
            own: list[Any] = [Column(field.name, kinds.get(str(field.type), Text)) for field in fields(row)[1:]]
            return Table(
                name,
                metadata,
                Column(fields(row)[0].name, String(64), primary_key=True),
                *own,
                *described,
                Column("made_at", Text),
                Column("machine", Text),
            )

        return _Tables(table("responses", Response, Column("model", Text)), table("verdicts", Verdict))


def _set_pragmas(connection: Any, _: object) -> None:
    """Writers wait instead of failing, and a reader never blocks a writer."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 60000")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()
