"""Where a cluster is: `tcp://host:8786`, `local:4`, or a file that says how a batch system is asked for workers.

    # slurm.yaml
    slurm: {cores: 16, memory: 32 GB, queue: normal, walltime: "02:00:00"}
    jobs: 20

The keys of `slurm` (or `pbs`, `sge`, `lsf`, `oar`, `htcondor`) are those of dask-jobqueue.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from fairlead.model.loader import read_as, read_text
from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.values import Whole

from .engine import EngineError, cores

if TYPE_CHECKING:
    from .on_cluster import OnCluster

QUEUES = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "lsf": "LSFCluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
}
"""Batch systems, and what dask-jobqueue calls them."""
FORMS = "give tcp://HOST:PORT of a scheduler, local:4, or a file such as slurm.yaml"
SECONDS_TO_ANSWER = 10
"""After which a scheduler counts as not there."""
_LOCAL = re.compile(r"local(?::(\d{1,4}))?")


class ClusterFile(Part):
    """How a batch system is asked for workers."""

    noun: ClassVar[str] = "a mapping such as {slurm: {cores: 16, memory: 32 GB}, jobs: 20}"
    slurm: dict[str, Any] | None = Field(default=None, description="options of dask-jobqueue's SLURMCluster")
    pbs: dict[str, Any] | None = Field(default=None, description="of its PBSCluster")
    sge: dict[str, Any] | None = Field(default=None, description="of its SGECluster")
    lsf: dict[str, Any] | None = Field(default=None, description="of its LSFCluster")
    oar: dict[str, Any] | None = Field(default=None, description="of its OARCluster")
    htcondor: dict[str, Any] | None = Field(default=None, description="of its HTCondorCluster")
    jobs: Annotated[int, Whole(1, 10_000)] = Field(description="jobs that are asked for")

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, *QUEUES)

    @property
    def queue(self) -> str:
        """The batch system."""
        return next(name for name in QUEUES if getattr(self, name) is not None)


def open_cluster(place: str) -> OnCluster:
    """The cluster at a place, to be closed at the end; `EngineError` where there is none."""
    try:
        from .on_cluster import OnCluster
    except ImportError as missing:
        raise EngineError(
            f"a cluster needs Dask, which is not installed ({missing}); pip install 'fairlead[cluster]'"
        ) from None
    with ExitStack() as stack:
        client = _client(place, stack)
        return OnCluster(place, client, stack.pop_all())


def _client(place: str, stack: ExitStack) -> Any:
    """What talks to the scheduler; `stack` takes it, and the cluster where it was started for this, to close them."""
    from distributed import Client, LocalCluster

    local = _LOCAL.fullmatch(place)
    if local is not None:
        workers = int(local[1] or cores())
        if workers < 1:
            raise EngineError(f"--cluster {place}: a cluster has one worker at least; give local:1 or more")
        # statistics are small and kept by whoever asks for them: no limit of memory
        where: Any = LocalCluster(
            n_workers=workers, threads_per_worker=1, memory_limit=0, dashboard_address=":0", silence_logs=40
        )
        stack.enter_context(where)
    elif "://" in place:
        where = place
    elif Path(place).suffix in (".yaml", ".yml", ".json"):
        where = stack.enter_context(_of_queue(place))
    else:
        raise EngineError(f"--cluster {place}: is no place of a cluster; {FORMS}")
    try:
        client = Client(where, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise EngineError(
            f"there is no cluster at {place} ({error}); start one with `dask scheduler` and `dask worker {place}`, "
            f"or {FORMS}"
        ) from None
    return stack.enter_context(client)


def _of_queue(path: str) -> AbstractContextManager[Any]:
    """The cluster that a file describes; its jobs are asked for, and wait in their queue."""
    file, _ = read_as(ClusterFile, read_text(path), path, "slurm and jobs", lambda mistake: mistake)
    try:
        import dask_jobqueue
    except ImportError as missing:
        raise EngineError(
            f"{path}: '{file.queue}' needs dask-jobqueue, which is not installed ({missing}); "
            "pip install 'fairlead[cluster]'"
        ) from None
    kind = getattr(dask_jobqueue, QUEUES[file.queue])
    command = kind.job_cls.submit_command.split()[0]
    if shutil.which(command) is None:
        raise EngineError(f"{path}: there is no '{command}' on this machine; run it where {file.queue} takes jobs")
    try:
        cluster = kind(**{"scheduler_options": {"dashboard_address": ":0"}} | getattr(file, file.queue))
    except (TypeError, ValueError) as error:
        raise EngineError(f"{path}: {file.queue}: {error}; its keys are those of dask-jobqueue") from None
    cluster.scale(jobs=file.jobs)
    return cluster  # type: ignore[no-any-return]
