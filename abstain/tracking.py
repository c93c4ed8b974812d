"""MLflow: the only module that imports it.

One parent run a sweep, one child a job; every number of a job goes in few batches, never one call a row. The database
and the experiment are made once, under a lock, because MLflow's own first migration cannot be raced (PITFALLS A1).
"""

from __future__ import annotations

import logging
import math
import os
import platform
import shlex
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from abstain import processes
from abstain.databases import complaint
from abstain.errors import AbstainError
from abstain.locks import schema_lock
from abstain.urls import without_passwords

_BATCH = 900
"""Metrics per request; MLflow refuses more than 1,000."""
_LONGEST_PARAM = 500
"""Longer values stay in config.yaml only: MLflow would cut them without a word."""


@dataclass(frozen=True, slots=True)
class StepMetric:
    """One point of a sweep curve."""

    name: str
    value: float
    step: int


@dataclass(frozen=True)
class LoggedRun:
    """An open MLflow run of one job."""

    client: Any
    run_id: str

    def log(
        self,
        metrics: Mapping[str, float | None],
        steps: Sequence[StepMetric],
        folder: Path,
    ) -> None:
        """Log metrics (undefined ones are left out), sweep points, and the artifacts in `folder`."""
        self.add(metrics, steps)
        self.client.log_artifacts(self.run_id, str(folder))

    def tag(self, tags: Mapping[str, str]) -> None:
        """Set tags that are known only now."""
        for key, value in tags.items():
            self.client.set_tag(self.run_id, key, value)

    def add(self, metrics: Mapping[str, float | None], steps: Sequence[StepMetric]) -> None:
        """Log metrics and sweep points in as few requests as MLflow allows."""
        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        batch = [Metric(name, value, now, 0) for name, value in metrics.items() if value is not None]
        batch += [Metric(point.name, point.value, now, point.step) for point in steps]
        for start in range(0, len(batch), _BATCH):
            self.client.log_batch(self.run_id, metrics=batch[start : start + _BATCH])


@dataclass(frozen=True)
class Tracker:
    """Where runs are logged: a tracking URI, the place of artifacts, and an experiment."""

    uri: str
    artifacts: str
    experiment: str

    def __post_init__(self) -> None:
        if "://" not in self.uri or self.uri.startswith("file:"):
            raise AbstainError(
                f"tracking.uri={without_passwords(self.uri)}: MLflow 3 keeps no runs in plain folders; "
                "use sqlite:////absolute/path/mlflow.db (or the URL of a server)"
            )

    @property
    def _is_server(self) -> bool:
        return self.uri.startswith(("http://", "https://"))

    @property
    def ui_command(self) -> str:
        """The exact command that opens the runs in a browser."""
        if self._is_server:
            return without_passwords(self.uri)
        return f"mlflow ui --backend-store-uri {shlex.quote(without_passwords(self.uri))}"

    def open_parent(self, sweep_id: str) -> str:
        """Open the run above the jobs of a sweep; returns its id."""
        tags = {"sweep_id": sweep_id, "kind": "sweep", **processes.identity()}
        with self._reached():
            self.end_dead_runs()
            run = self._client.create_run(self._experiment_id, run_name=f"sweep {sweep_id}", tags=tags)
        return str(run.info.run_id)

    def add_metrics(self, run_id: str, metrics: Mapping[str, float | None]) -> None:
        """Log metrics under a run, an ended one too; undefined ones are left out."""
        with self._reached():
            LoggedRun(self._client, run_id).add(metrics, [])

    def close_parent(self, run_id: str, status: str) -> None:
        """End the run above a sweep as FINISHED, FAILED or KILLED, and the runs below it that died without a word."""
        with self._reached():
            self.end_dead_runs()
            self._client.set_terminated(run_id, status)

    @contextmanager
    def run(
        self, name: str, tags: Mapping[str, str], params: Mapping[str, Any], parent: str | None
    ) -> Iterator[LoggedRun]:
        """An MLflow run that ends FINISHED, FAILED (with the traceback), or KILLED on SIGTERM and SIGINT.

        Raises AbstainError when the tracking server is lost on the way.
        """
        all_tags = {**tags, "kind": "cell", **processes.identity()}
        if parent is not None:
            all_tags["mlflow.parentRunId"] = parent
        with self._reached():
            if parent is None:
                self.end_dead_runs()
            run_id = self._client.create_run(self._experiment_id, run_name=name, tags=all_tags).info.run_id
            try:
                self._log_params(run_id, params)
                yield LoggedRun(self._client, run_id)
            except Exception as error:
                said = without_passwords(f"{type(error).__name__}: {error}")
                self._client.set_tag(run_id, "error", said[:5000])
                self._client.log_text(run_id, without_passwords(traceback.format_exc()), "traceback.txt")
                self._client.set_terminated(run_id, "FAILED")
                raise
            except BaseException:
                self._client.set_terminated(run_id, "KILLED")
                raise
            self._client.set_terminated(run_id, "FINISHED")

    def stop_jobs(self, sweep_id: str) -> None:
        """Stop the jobs of a sweep that still go on in other processes of this machine, and wait for them to end."""
        with self._reached():
            going = self.runs(f"attributes.status = 'RUNNING' and tags.kind = 'cell' and tags.sweep_id = '{sweep_id}'")
        processes.stop([run.data.tags for run in going])

    def end_dead_runs(self) -> list[str]:
        """Mark as KILLED the runs whose process, on this machine, died without a word; returns their ids.

        Runs of other machines are left as they are.
        """
        running = self.runs(f"attributes.status = 'RUNNING' and tags.host = '{platform.node()}'")
        dead = [run.info.run_id for run in running if processes.is_dead(run.data.tags)]
        for run_id in dead:
            self._client.set_tag(run_id, "error", "its process died without ending the run")
            self._client.set_terminated(run_id, "KILLED")
        return dead

    def runs(self, filter_string: str = "") -> list[Any]:
        """All runs of the experiment that match, newest first, however many; none where the experiment is not there."""
        experiment = self._client.get_experiment_by_name(self.experiment)
        if experiment is None:
            return []
        found: list[Any] = []
        token = None
        while True:
            page = self._client.search_runs(
                [experiment.experiment_id],
                filter_string,
                max_results=1000,
                order_by=["start_time DESC"],
                page_token=token,
            )
            found += page
            token = page.token
            if not token:
                return found

    def experiments(self) -> list[str]:
        """The names of the experiments that are there."""
        return sorted(experiment.name for experiment in self._client.search_experiments())

    def artifact(self, run_id: str, path: str, into: Path) -> Path:
        """Download one artifact of a run into the folder `into`; raises FileNotFoundError where there is none."""
        from mlflow.exceptions import MlflowException

        try:
            return Path(self._client.download_artifacts(run_id, path, str(into)))
        except MlflowException as error:
            raise FileNotFoundError(f"run {run_id} has no artifact {path}") from error

    def log_artifacts(self, run_id: str, folder: Path) -> None:
        """Log every file of a folder under a run that may be closed already."""
        self._client.log_artifacts(run_id, str(folder))

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Turn what MLflow raises, as when its server is gone, into one line that says what is kept."""
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (MlflowException, SQLAlchemyError) as error:
            raise AbstainError(
                f"tracking.uri={without_passwords(self.uri)}: MLflow did not take the run ({complaint(error)}); "
                "every generated response is kept in the store: mend that and run the same command again"
            ) from error

    def _log_params(self, run_id: str, params: Mapping[str, Any]) -> None:
        from mlflow.entities import Param

        shown = {key: without_passwords(str(value)) for key, value in params.items()}
        flat = [Param(key, value) for key, value in shown.items() if len(value) <= _LONGEST_PARAM]
        for start in range(0, len(flat), 100):
            self._client.log_batch(run_id, params=flat[start : start + 100])

    @cached_property
    def _client(self) -> Any:
        # The hints and tips that MLflow logs on its first import would drown our own output.
        os.environ.setdefault("MLFLOW_LOGGING_LEVEL", "WARNING")
        os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        # It prints the making of tables, and each error with a traceback that ours then says in a line.
        logging.getLogger("mlflow.store.db.utils").setLevel(logging.CRITICAL)
        if self._is_server:
            _reach(self.uri)
        try:
            with schema_lock(self.uri):
                return MlflowClient(tracking_uri=self.uri)
        except (MlflowException, SQLAlchemyError, OSError) as error:
            raise AbstainError(f"tracking.uri={without_passwords(self.uri)}: {complaint(error)}") from error

    @cached_property
    def _experiment_id(self) -> str:
        client = self._client  # before the lock, which it takes itself
        with schema_lock(self.uri):
            experiment = client.get_experiment_by_name(self.experiment)
            if experiment is not None:
                return str(experiment.experiment_id)
            place = None if self._is_server else Path(self.artifacts).absolute().as_uri()
            return str(client.create_experiment(self.experiment, artifact_location=place))


def _reach(uri: str) -> None:
    """Raise AbstainError when nothing listens at the URL of a server, which MLflow itself would try for minutes."""
    from requests import get
    from requests.exceptions import ConnectionError, RequestException, SSLError

    try:
        get(uri, timeout=10, stream=True).close()
    except SSLError:
        return  # somebody listens; whether the certificate will do is for MLflow's own settings
    except ConnectionError as error:
        raise AbstainError(
            f"tracking.uri={without_passwords(uri)}: nothing answers there; start the server, or correct the address"
        ) from error
    except RequestException:
        return


def finite(metrics: Mapping[str, float | None]) -> dict[str, float | None]:
    """Metrics with NaN and infinity made None: MLflow's pages break on the one and it rewrites the other."""
    return {
        name: None if value is None or not math.isfinite(value) else float(value) for name, value in metrics.items()
    }
