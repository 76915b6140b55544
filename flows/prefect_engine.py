"""The engine that makes each stage a Prefect task. `flows.prefect_settings` is applied before this is imported."""

from __future__ import annotations

from typing import Any, ParamSpec, TypeVar

from prefect import task
from prefect.cache_policies import INPUTS, NO_CACHE, RUN_ID, TASK_SOURCE, CacheKeyFnPolicy
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext
from prefect.tasks import Task

from flows.engine import OnFault, is_transient, reporting
from flows.serializer import ForgeSerializer
from flows.version import forge_version
from tasks.stages import Stage

P = ParamSpec("P")
R = TypeVar("R")


def _stage_key(context: TaskRunContext, _inputs: dict[str, Any]) -> str:
    """Prefect sees the source of a stage's function: neither which stage it is, nor the source of its helpers."""
    return f"{context.task.name} {forge_version()}"


RESUMABLE = INPUTS + TASK_SOURCE + RUN_ID + CacheKeyFnPolicy(cache_key_fn=_stage_key)
"""Within one flow run only."""


class PrefectEngine:
    """One task run for each stage and validator layer; its results are persisted, so that a run can be resumed."""

    name = "prefect"

    def run(self, stage: Stage[P, R], on_fault: OnFault, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run ``stage`` as a task in the calling thread; Prefect retries transient faults (PRE-12)."""
        as_task = task(
            name=stage.name,
            task_run_name=stage.name,
            retries=stage.retries,
            retry_condition_fn=_transient,
            persist_result=True,
            result_serializer=ForgeSerializer(),
            cache_policy=RESUMABLE if stage.cached else NO_CACHE,
            log_prints=False,
        )
        return as_task(reporting(stage.load(), on_fault))(*args, **kwargs)


def _transient(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    return isinstance(state.data, BaseException) and is_transient(state.data)
