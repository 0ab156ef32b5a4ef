"""Runs the backfill flow: in this process, or on Dask workers; then loads the rows into an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Literal

from hamilton import driver
from hamilton.execution.executors import SynchronousLocalTaskExecutor, TaskExecutor
from hamilton.execution.grouping import NodeGroupPurpose
from hamilton.lifecycle import TaskReturnHook

from temporal_recall.schemas.backfill import BackfillReport, EvidenceLake, TimelineLake
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.timeline_index import TimelineIndex
from temporal_recall.service.catalog import BACKFILL
from temporal_recall.service.driver import InputTypes

SLICE_ROWS = 20_000
"""Records that one task works off; what bounds a worker's memory."""

Told = Callable[[], None]


def backfill(
    evidence_lake: EvidenceLake,
    timeline_lake: TimelineLake,
    *,
    executor: TaskExecutor | None = None,
    slice_rows: int = SLICE_ROWS,
    slice_done: Told | None = None,
) -> BackfillReport:
    """Derives the rows of all evidence that have not been derived yet.

    Args:
        executor: where slices are worked off; this process when absent (see `dask_executor`).
        slice_done: called in this process after each slice.
    """
    flow = (
        driver.Builder()
        .with_modules(*BACKFILL.modules)
        .enable_dynamic_execution(allow_experimental_mode=True)
        .with_local_executor(SynchronousLocalTaskExecutor())
        .with_remote_executor(executor or SynchronousLocalTaskExecutor())
        .with_adapters(InputTypes(), _SliceHook(slice_done))
        .build()
    )
    inputs = {"evidence_lake": evidence_lake, "timeline_lake": timeline_lake, "slice_rows": slice_rows}
    (name,) = BACKFILL.outputs
    report: BackfillReport = flow.execute([name], inputs=inputs)[name]
    return report


@contextmanager
def executor_of(kind: Literal["local", "dask"], *, address: str | None, workers: int) -> Iterator[TaskExecutor]:
    """The executor that a name stands for; a cluster that is made for it ends with it.

    Args:
        address: of a Dask scheduler; a cluster on this machine is made when absent.
        workers: processes of the cluster that is made.

    Raises:
        InvalidRequest: the extra `dask` is not installed.
    """
    if kind == "local":
        yield SynchronousLocalTaskExecutor()
        return
    try:
        from distributed import Client, LocalCluster
        from hamilton.plugins.h_dask import DaskExecutor
    except ModuleNotFoundError as error:
        raise InvalidRequest("executor", kind, f"with temporal-recall[dask] ({error.name})") from error
    if address is not None:
        with Client(address) as client:  # type: ignore[no-untyped-call]
            yield DaskExecutor(client=client)
        return
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    with cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
        yield DaskExecutor(client=client)


def load(
    timeline_lake: TimelineLake, index: TimelineIndex, synced_until: datetime, *, file_done: Told | None = None
) -> int:
    """Takes all rows into an index, a file a transaction; doing it again changes nothing. How many were stored.

    Args:
        synced_until: when the evidence was exported.
    """
    stored = 0
    for rows in timeline_lake.frames():
        stored += index.load(rows, synced_until)
        if file_done is not None:
            file_done()
    return stored


class _SliceHook(TaskReturnHook):
    """Tells of each slice that came back; where it is sent to workers it stays silent."""

    def __init__(self, slice_done: Told | None = None) -> None:
        self._slice_done = slice_done

    def run_after_task_return(self, *, purpose: NodeGroupPurpose, **_: Any) -> None:
        if self._slice_done is not None and purpose == NodeGroupPurpose.EXECUTE_BLOCK:
            self._slice_done()

    def __reduce__(self) -> tuple[type[_SliceHook], tuple[()]]:
        return type(self), ()
