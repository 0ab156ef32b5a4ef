"""Where the tasks of a flow with `Parallelizable` are worked off: in this process, or on Dask workers."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from hamilton import driver
from hamilton.execution.executors import SynchronousLocalTaskExecutor, TaskExecutor, TaskFuture
from hamilton.execution.grouping import NodeGroupPurpose, TaskImplementation
from hamilton.execution.state import TaskState
from hamilton.lifecycle import TaskExecutionHook, TaskReturnHook

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import InputTypes

_PAUSE_S = 0.005

ExecutorKind = Literal["local", "dask"]
Told = Callable[[], None]
"""Called in this process after each task."""
Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""


@dataclass
class Steps:
    """Counts what is done and tells it."""

    total: int
    progress: Progress | None
    done: int = 0

    def advance(self, count: int = 1) -> None:
        """Tells that so many more steps are done."""
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.total)


def build_task_driver(flow: Flow, executor: TaskExecutor | None = None, task_done: Told | None = None) -> driver.Driver:
    """The driver of a flow whose tasks an executor works off.

    Args:
        executor: where tasks are worked off; this process when absent (see `executor_of`).
        task_done: told after each task.
    """
    return (
        driver.Builder()
        .with_modules(*flow.modules)
        .enable_dynamic_execution(allow_experimental_mode=True)
        .with_local_executor(SynchronousLocalTaskExecutor())
        .with_remote_executor(executor or SynchronousLocalTaskExecutor())
        .with_adapters(InputTypes(), _Uncollected(), _TaskHook(task_done))
        .build()
    )


@contextmanager
def executor_of(kind: ExecutorKind, *, address: str | None = None, workers: int = 2) -> Iterator[TaskExecutor]:
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
            yield _Waiting(DaskExecutor(client=client))
        return
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    with cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
        yield _Waiting(DaskExecutor(client=client))


class _Waiting(TaskExecutor):
    """An executor whose tasks are waited for: Hamilton asks after them without a pause, which keeps a core busy."""

    def __init__(self, executor: TaskExecutor) -> None:
        self._executor = executor
        self.running_count = 0

    def init(self) -> None:
        self._executor.init()

    def finalize(self) -> None:
        self._executor.finalize()

    def can_submit_task(self) -> bool:
        return bool(self._executor.can_submit_task())

    def submit_task(self, task: TaskImplementation) -> TaskFuture:
        self.running_count += 1
        return _Awaited(self._executor.submit_task(task), self)


class _Awaited(TaskFuture):
    """A task that takes its share of a pause each time it is asked for in vain."""

    def __init__(self, future: TaskFuture, executor: _Waiting) -> None:
        self._future, self._executor = future, executor

    def get_state(self) -> TaskState:
        state: TaskState = self._future.get_state()
        if state == TaskState.RUNNING:
            time.sleep(_PAUSE_S / self._executor.running_count)
        else:
            self._executor.running_count -= 1
        return state

    def get_result(self) -> Any:
        return self._future.get_result()


class _Uncollected(TaskExecutionHook):
    """Pauses the search for cycles in memory while a task runs.

    A task makes values by the hundred thousand and keeps most of them to its end, and hardly a cycle: looking through
    them again and again takes a tenth of its time. What nobody holds is freed as ever.
    """

    def __init__(self) -> None:
        self._was_on = False

    def run_before_task_execution(self, **_: Any) -> None:
        self._was_on = self._was_on or gc.isenabled()  # a task beside this one may have paused it
        gc.disable()

    def run_after_task_execution(self, **_: Any) -> None:
        if self._was_on:
            gc.enable()
        self._was_on = False


class _TaskHook(TaskReturnHook):
    """Tells of each task that came back; where it is sent to workers it stays silent."""

    def __init__(self, task_done: Told | None = None) -> None:
        self._task_done = task_done

    def run_after_task_return(self, *, purpose: NodeGroupPurpose, **_: Any) -> None:
        if self._task_done is not None and purpose == NodeGroupPurpose.EXECUTE_BLOCK:
            self._task_done()

    def __reduce__(self) -> tuple[type[_TaskHook], tuple[()]]:
        return type(self), ()
