"""A study from Python: `Study("storm.yaml").run()`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.ensembles.cluster import open_cluster
from fairlead.ensembles.crowd import open_gpu
from fairlead.ensembles.engine import Engine, EngineError, Here
from fairlead.model import System
from fairlead.results import ResultError

from .carry_out import StudyRun
from .check import read_ready, ready
from .costs import Costs, costs, first_ready
from .file import StudyFile
from .histories import present, run_again
from .plan import Plan, plan
from .progress import StudyProgress, for_terminal
from .store import REPORT, RESULT, SUFFIX, Done, Store

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.pages import Page


MANY_FOR_A_GPU = 4096
"""Scenarios from which on `auto` asks for a GPU: fewer would mostly wait for its code."""


class Study:
    """Many runs of one system, as a study file describes them.

    file    the path of a study file, or what was read from one
    system  what to run, in place of the model file that the study names
    folder  where results go; by default the name of the file with `.study`, beside the file, or in the working folder
            where a study of that name was begun there

        study = fl.Study("storm.yaml")
        print(study.plan())
        result = study.run(progress=True)         # an xarray.Dataset along `scenario`

    Everything is checked against the system when the study is made; `ModelError` lists all that is wrong.
    """

    def __init__(
        self, file: StudyFile | str | Path, system: System | None = None, folder: str | Path | None = None
    ) -> None:
        self.ready = ready(file, system) if isinstance(file, StudyFile) else read_ready(file, system)
        self.file = self.ready.file
        source = self.file.source.path if self.file.source is not None else "study"
        self.folder = Path(folder) if folder is not None else _folder_of(Path(source))

    def __repr__(self) -> str:
        design = self.file.design.kind
        return f"<Study {self.file.study!r}: {len(self.ready.scenarios):,} scenarios by {design}, in {self.folder}>"

    def __len__(self) -> int:
        return len(self.ready.scenarios)

    def scenario(self, i: int) -> System:
        """The system of scenario i."""
        return self.ready.scenario(i)

    def values(self, i: int) -> dict[str, Any]:
        """What scenario i sets, by path."""
        return self.ready.scenarios.values(i)

    @cached_property
    def _costs(self) -> Costs:
        return costs(self.ready)

    def plan(self, workers: int | None = None) -> Plan:
        """What the study would take: scenarios, cost of what varies, time and memory. Builds some scenarios."""
        return plan(self.ready, workers, self._costs)

    def status(self) -> dict[str, Any]:
        """How far it is: numbers of scenarios `done`, `failed`, `missing`, in all."""
        done = Store(self.folder, self.ready).read()
        return {
            "scenarios": len(self),
            "done": done.count,
            "failed": done.failed,
            "missing": len(done.missing),
            "core_seconds": done.seconds,
            "notes": done.notes,
            "failures": {int(i): str(done.status[i]) for i in _failed(done)[:10]},
        }

    def engine(self, workers: int | None = None, cluster: str | None = None) -> AbstractContextManager[Engine]:
        """Who runs it: a cluster where one is named, else what the file says; to be entered, and left at the end.
        `auto` takes a GPU where there is one that carries the study, and the study is large; else it is `here`."""
        if cluster is not None or self.file.engine == "dask":
            return open_cluster(cluster or (f"local:{workers}" if workers else "local"))
        if self.file.engine == "gpu":
            return nullcontext(open_gpu(first_ready(self.ready), self.ready.wanted))
        if self.file.engine == "auto" and len(self) >= MANY_FOR_A_GPU and find_spec("numba_cuda") is not None:
            with suppress(EngineError):
                return nullcontext(open_gpu(first_ready(self.ready), self.ready.wanted))
        return nullcontext(Here(workers))

    def run(
        self,
        workers: int | None = None,
        progress: StudyProgress | bool | None = None,
        resume: bool = False,
        stop: Callable[[], bool] | None = None,
        engine: Engine | None = None,
        cluster: str | None = None,
    ) -> xr.Dataset:
        """Run all scenarios; returns the result, which is kept in the folder, too.

        workers   threads; by default as many as there are processors
        progress  True for a bar on a terminal, or an object of your own
        resume    run what is missing of a study that was begun; also of one to which scenarios were added
        stop      asked now and then; a true answer ends the study
        cluster   who runs it by Dask: `tcp://host:8786`, `local:4` or the file of a batch system such as `slurm.yaml`
        engine    any other who runs it; by default as `engine` chooses

        The attribute `status` of the result is "complete", or "stopped: " and why. After Ctrl-C and SIGTERM what is
        done is kept, and they go on their way.
        """
        store = Store(self.folder, self.ready)
        if resume and not store.is_begun:
            raise ResultError(f"{self.folder}: there is nothing to go on from; run the study first")
        if store.is_begun and not resume:
            done = store.read()
            raise ResultError(
                f"{self.folder}: {done.count:,} of {len(self):,} scenarios are there already; resume runs what is "
                "missing; choose another folder with -o, or remove it, to begin anew"
            )
        shown = for_terminal() if progress is True else progress or None
        with self.engine(workers, cluster) if engine is None else nullcontext(engine) as chosen:
            run = StudyRun(store, self._costs, chosen, self._seconds_each(chosen), chosen.workers, shown, stop)
            done = run.carry_out()
        if run.ended.startswith(("complete", "stopped: the estimates")):
            run_again(self.ready, done, self.folder, stop)
        found = self._written(done, run.ended)
        run.interrupts.again()
        return found

    def _seconds_each(self, engine: Engine) -> float:
        """What batches are sized by. Only the engine here runs packs in this process; others need no machine code of
        packs made here for that."""
        if engine.name == Here.name:
            return self.plan(engine.workers).each
        return plan(self.ready, engine.workers, self._costs, in_packs=False).each

    def resume(self, **how: Any) -> xr.Dataset:
        """`run` what is missing."""
        return self.run(resume=True, **how)

    def result(self) -> xr.Dataset:
        """What there is by now, complete or not."""
        store = Store(self.folder, self.ready)
        if not store.is_begun:
            raise ResultError(f"{self.folder}: nothing was run yet; run the study first")
        done = store.read()
        return self._dataset(done, "complete" if not len(done.missing) else "stopped: not all scenarios are run")

    def report(self, path: str | Path | None = None) -> Page:
        """The results on one page, with the replays of the histories that are kept beside it.

        By default it is `report.html` in the folder of the study.
        """
        from fairlead.pages import Page
        from fairlead.results import open_result
        from fairlead.view.replay import replay_page
        from fairlead.view.study import study_page

        from .findings import tables_of

        target = self.folder / REPORT if path is None else Path(path)
        replays = {}
        for i, history in present(self.folder, len(self)).items():
            page = history.with_suffix(".html")
            Page(replay_page({f"scenario {i}": open_result(history)}), height=640).save(page)
            replays[i] = os.path.relpath(page, target.parent).replace(os.sep, "/")
        result = self.result()
        made = Page(study_page(result, replays, tables_of(result)), height=900)
        made.save(target)
        return made

    def _dataset(self, done: Done, ended: str) -> xr.Dataset:
        from .dataset import dataset

        return dataset(self.ready, done, ended, present(self.folder, len(self)))

    def _written(self, done: Done, ended: str) -> xr.Dataset:
        from .dataset import write

        found = self._dataset(done, ended)
        try:
            write(found, self.folder / RESULT)
        except ResultError as error:  # the batches are there; so is what was asked for
            found.attrs["status"] = f"stopped: {error}" if ended == "complete" else ended
        return found


def _folder_of(file: Path) -> Path:
    """Where the results of a study file are: in the working folder if a study of its name is there, else beside it.

    A file in a folder that cannot be written to, such as an installed example, has its results in the working folder.
    """
    here, beside = Path(file.stem + SUFFIX), file.with_suffix(SUFFIX)
    if here.exists() or beside == here:
        return here
    return beside if beside.exists() or os.access(file.parent, os.W_OK) else here


def _failed(done: Done) -> list[int]:
    return [i for i, status in enumerate(done.status) if status not in ("", "complete")]
