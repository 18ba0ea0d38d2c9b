"""A live twin from its file to its end: inputs, engine, server and recording, put together and taken apart again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from fairlead.algebra.compiled import cache_folder
from fairlead.model import load
from fairlead.results import ResultError, fingerprint
from fairlead.twin import Estimate, Twin, TwinFile, load_twin
from fairlead.twin.checkpoints import CheckpointError

from .asking import answer
from .engine import CHECKPOINT, LONGEST_GAP, STEPPED, Engine, Feed, Steps, unset
from .frames import Packer
from .header import of_twin
from .inputs.opened import Opened, open_inputs
from .inputs.stamps import Sorter
from .recorded import Recorded
from .recording.log import Log, Past
from .recording.segments import Segments
from .server.board import Board
from .server.guard import Guard, Tokens, is_loopback
from .showing import Showing
from .waiting import waiting

log = logging.getLogger("fairlead.live")

SHARED = (
    "the file of tokens has no line for 'feed', so whoever may look may also post measurements; add a line "
    "'feed TOKEN' to part the two"
)


class Station:
    """Everything of one live twin.

    path    of its file
    bind    address to serve at; that of the file where None
    tokens  of viewers; new ones where None
    page    False serves no page
    replay  folder of a log to repeat instead of listening
    speed   of the replay, times real time; None: as fast as it goes
    fresh   begin anew though there is a checkpoint
    tell    is told what is waited for, where that takes a while; a page at the address says it meanwhile
    steady  a clock that nobody sets, by which it is seen when ``clock`` is set; None where it never is
    """

    def __init__(
        self,
        path: Path,
        *,
        bind: str | None = None,
        tokens: Tokens | None = None,
        page: bool = True,
        replay: Path | None = None,
        speed: float | None = None,
        fresh: bool = False,
        tell: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] | None = unset,
    ):
        self.path = path
        self.file: TwinFile = load_twin(path)
        self.notes: list[str] = []
        self._clock, self._page, self._speed = clock, page, speed
        address = bind or self.file.server.bind
        if not is_loopback(address) and (bind is None or tokens is None):
            raise ResultError(
                f"{path}: server.bind: {address} lets other machines in, which needs --bind {address} and a token: add "
                "--token-file FILE (it is made where there is none)"
            )
        self.guard = Guard(address, self.file.server.port, tokens or Tokens())
        if self.guard.tokens.is_shared:
            self.notes.append(SHARED)
        self._past = None if replay is None else Past.of(replay)
        folder = None if self.file.record is None else path.parent / self.file.record.folder
        self.folder = None if self._past is not None else folder
        with contextlib.nullcontext() if tell is None else self._waiting(tell):
            self.twin, self.epoch = self._begun(fresh)
            self._steps = None if steady is None else Steps(clock, steady)
        self.board = Board()
        self._stop = threading.Event()
        self._trouble: BaseException | None = None
        self._build()

    # --- the beginning ------------------------------------------------------------------------------------------------

    def _waiting(self, tell: Callable[[str], None]) -> contextlib.AbstractContextManager[None]:
        """Say why it takes a while: the first twin on a machine is compiled, later ones settle their members only."""
        system = load(self.path.parent / self.file.system)
        parts = {f"formulations/{system.simulation.formulation}": "*.nbc", "ensembles": "march.march-*.nbc"}
        if all(any(cache_folder(part).rglob(code)) for part, code in parts.items()):
            words = f"{self.file.estimate.members} members find their equilibrium"
        else:
            words = "compiling (once, about a minute)"
            tell(words)
        return waiting(self.guard, words) if self._page else contextlib.nullcontext()

    def _begun(self, fresh: bool) -> tuple[Twin, float]:
        """The twin, from its checkpoint where there is one that fits, and the UTC of its time 0."""
        self._again: Past | None = None
        if self._past is not None:
            if self._past.identity != self._identity:
                self.notes.append("the log is of another version of this file: its estimates will differ")
            return Twin(self.path), self._past.epoch
        kept = None if self.folder is None else self.folder / CHECKPOINT
        if kept is not None and self.folder is not None and kept.exists() and not fresh:
            past = Past.of(self.folder)
            if past.identity != self._identity:
                self.notes.append("the file or its system has changed since the checkpoint: the twin begins anew")
            else:
                twin = self._restored(kept)
                off = float("inf") if twin is None else self._clock() - past.epoch - twin.time
                if twin is not None and off < -STEPPED - self.file.clock.behind:
                    self._again = past
                    words = f"this machine's clock is {-off:.0f} s behind that of the checkpoint: it was set back"
                    self.notes.append(f"{words}; the twin goes on from there")
                    return twin, self._clock() - twin.time
                if twin is not None and off <= LONGEST_GAP:
                    self._again = past
                    self.notes.append(f"goes on from its checkpoint; it was off for {max(0.0, off):.0f} s")
                    return twin, past.epoch
                if twin is not None:
                    self.notes.append(f"it was off for {off / 60.0:.0f} min, too long to make up for: it begins anew")
        return Twin(self.path), self._clock()

    def _restored(self, kept: Path) -> Twin | None:
        try:
            return Twin.restore(kept, self.path)
        except CheckpointError as error:
            self.notes.append(f"{error}: it begins anew")
            return None

    def _set_aside(self, folder: Path) -> None:
        """What an earlier twin wrote down keeps, under another name: a log holds one twin from its time 0 on."""
        with contextlib.suppress(ResultError):
            earlier = Past.of(folder)
            aside = folder / f"until_{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(self._clock()))}"
            aside.mkdir(exist_ok=True)
            for file in (folder / "heard.json", *folder.glob("heard_*.jsonl"), folder / CHECKPOINT):
                if file.exists():
                    file.rename(aside / file.name)
            log.info("the log from %.0f on lies in %s now", earlier.epoch, aside)

    @property
    def _identity(self) -> str:
        """Of the twin's file and its system, as they are written."""
        system = self.path.parent / self.file.system
        return fingerprint(self.path.read_text(encoding="utf-8") + "\n" + system.read_text(encoding="utf-8"))

    def _build(self) -> None:
        file, twin, record = self.file, self.twin, self.file.record
        sorter = Sorter()
        self.inputs: dict[str, Opened] = {} if self._past else open_inputs(file, self.path.parent, sorter)
        self._feed = Feed(sorter, self.epoch)
        self._recorded = Recorded(twin)
        self.board.header, origin = of_twin(twin, self._recorded)
        self.showing = Showing(
            self.board, Packer(twin.shape, origin), self.epoch,
            inputs={name: one.intake for name, one in self.inputs.items()},
            trends=self._recorded.bands, forecast=lambda: twin.forecast, clock=self._clock,
        )  # fmt: skip
        self.engine = Engine(
            twin, rate=file.clock.rate, epoch=self.epoch, folder=self.folder,
            every=record.every if record else 1.0, checkpoint=record.checkpoint if record else 1.0,
            on_estimate=self.showing, row_of=self._recorded.row, on_step=self._take_step,
        )  # fmt: skip
        self.showing.engine = self.engine

    def _record(self) -> None:
        """From now on all is kept."""
        record = self.file.record
        if self.folder is None or record is None:
            return
        if self._again is None:
            self._set_aside(self.folder)
        self.engine.log = Log(self.folder, self.epoch, identity=self._identity)
        self.engine.log.set_epoch(self.epoch)
        shape, metadata = self._recorded.shape, self._recorded.metadata
        self.engine.segments = Segments(self.folder, shape, metadata, segment=record.segment, keep=record.keep)

    # --- running ------------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        """Everything runs while the block lasts; gives the address of the page."""
        from .server.app import Server

        ask = self._answer if self.file.server.sandbox else None
        doors = {name: one.intake for name, one in self.inputs.items() if one.run is None}
        server = Server(
            self.board, self.guard, viewers=self.file.server.viewers, inputs=doors,
            acknowledge=self.engine.acknowledge, ask=ask, page=self._page, clock=self._clock,
        )  # fmt: skip
        self.server = server
        async with server.running() as port:
            self._record()
            tasks = [asyncio.create_task(self._kept(name, one)) for name, one in self.inputs.items() if one.run]
            thread = threading.Thread(target=self._turn, name="twin", daemon=True)
            thread.start()
            try:
                yield self._address(port)
            finally:
                self._stop.set()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await asyncio.to_thread(thread.join, 30.0)
                await asyncio.to_thread(self._close)

    async def until_over(self) -> None:
        """Wait until the twin has come to its end: a replay that is through, or trouble, which is raised."""
        while not self._stop.is_set():
            await asyncio.sleep(0.05)
        if self._trouble is not None:
            raise self._trouble

    def _address(self, port: int) -> str:
        host = self.guard.bind if self.guard.bind not in ("0.0.0.0", "::") else "HOST"
        shown = [] if self.guard.local else [f"token={self.guard.tokens.view}"]
        shown += [f"sandbox={self.guard.tokens.sandbox}"] if self.file.server.sandbox else []
        return f"http://{host}:{port}/" + (f"#{'&'.join(shown)}" if shown else "")

    async def _kept(self, name: str, one: Opened) -> None:
        assert one.run is not None
        while True:
            try:
                await one.run()
            except Exception as error:
                one.intake.health.fault = str(error)
                log.exception("input %s", name)
                await asyncio.sleep(5.0)

    def _turn(self) -> None:
        """The twin's thread."""
        try:
            if self._past is not None:
                self.engine.repeat(self._past.ticks(), self._stop, self._speed)
            else:
                if self._again is not None:
                    self.engine.catch_up(self._again.ticks())
                self.engine.go(self._feed, self._stop, lambda: self._clock() - self.file.clock.behind, self._steps)
        except BaseException as error:
            self._trouble = error
        finally:
            self._stop.set()

    def _take_step(self, step: float) -> None:
        """This machine's clock was set, by so many seconds."""
        self.epoch += step
        self.showing.epoch = self.epoch
        for one in self.inputs.values():
            one.intake.health.clock_was_set(step, self._clock())

    def _close(self) -> None:
        if self.folder is not None and self._trouble is None:
            self.twin.checkpoint(self.folder / CHECKPOINT)
        if self.engine.log is not None:
            self.engine.log.close()
        if self.engine.segments is not None:
            self.engine.segments.close()

    async def _answer(self, question: dict[str, Any]) -> Any:
        return await asyncio.to_thread(answer, self.twin, self.engine.lock, question)

    @property
    def state(self) -> str:
        """How it is, in a line for a terminal."""
        now: Estimate | None = self.engine.estimate
        if now is None:
            return "starting"
        health, wall = now.health, self._clock()
        ages = [(name, one.intake.health.age(wall), one.intake.health) for name, one in self.inputs.items()]
        heard = "  ".join(
            f"{name} {'never' if age is None else f'{age:.1f} s'}" + (f" ({one.fault})" if one.fault else "")
            for name, age, one in ages
        )
        alarms = [alarm for alarm in now.alarms if alarm.level != "clear"]
        warned = "".join(f"  {alarm.level.upper()}: {alarm.name}" for alarm in alarms)
        late = f", {self.engine.late:.1f} s late" if self.engine.late > 0.2 else ""
        return (
            f"t {now.time:.1f} s  {health.state}  {health.members} members  {self.engine.margin:.3g} x real time{late}"
            f"  {heard}  {self.server.viewers.present} viewers{warned}"
        )
