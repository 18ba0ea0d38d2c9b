"""Largest tensions that come in a blow, taken again with a tenth of the step, so that a run can say what its step did.

How fast a slack line comes taut is known only once it has, and a step too coarse for the blow does not tell by how
much its peak is wrong. So a run keeps some states on its way, and at its end takes the seconds up to the largest
tension of each doubtful cable again from there: with the same kernels, but ten steps for each. A run that is no longer
than what may be taken again is taken again as a whole. Of a longer one what is found is that of a part of it: with
smaller steps another blow, in another part, may be the largest. So the part is said.

Doubtful is a cable that was slack and came taut too fast for the step (`fairlead.rigging.slack`), and one whose
largest tension is more than twice its mean and rose from the sample before by more than 3 % of itself in each step, or
by a third.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairlead.results.extremes import CABLE_KEPT, KEPT_TENSION_MAX, NODE_EXTREMES
from fairlead.rigging.slack import Peak

if TYPE_CHECKING:
    from .schedule import Schedule
    from .simulation import Simulation

FINER = 10
SHORTEST, SHARE, PARTS = 10.0, 0.02, 4
"""A window is this long (s) or this share of the run before a peak, whichever is longer, and begins at one of the
states that are kept so many times in its length; it ends a part of that after the peak."""
BUDGET = 2
"""Windows of that length, with what they begin before it and end after, that may be taken again in all."""
CREST, RISE, JUMP = 2.0, 0.03, 1.0 / 3.0
"""Largest tension over its mean, and parts of it by which it rises in a step and between two samples at most, beyond
which it is a blow."""


class Window(NamedTuple):
    """From a state at a sample to the sample before which a cable had its largest tension."""

    first: int
    state: np.ndarray
    last: int


class SnapWatch:
    """Told of every sample of a run; at its end it knows what doubtful peaks are with a tenth of the step."""

    def __init__(self, simulation: Simulation, schedule: Schedule):
        self._simulation, self._schedule = simulation, schedule
        compiled, cables = simulation.compiled, len(simulation.compiled.shape.cables)
        length = max(SHORTEST, SHARE * schedule.duration)
        begins = next((block.start for block in compiled.layout.blocks if block.name == "extremes"), None)
        self._watches = begins is not None and cables > 0 and schedule.every <= length
        """Not where nothing is kept of steps, nor where what is between two samples is too long to be taken again."""
        first = (begins or 0) + NODE_EXTREMES * compiled.shape.extremes.nodes + KEPT_TENSION_MAX
        self._largest = first + CABLE_KEPT * np.arange(cables)
        self._peaks, self._before, self._sum = np.zeros(cables), np.zeros(cables), np.zeros(cables)
        self._jump, self._jumps = min(JUMP, RISE * schedule.steps(0)[0]), np.zeros(cables, dtype=bool)
        self._windows: dict[int, Window] = {}
        self._first = np.zeros(0)
        self._apart = max(1, round(length / PARTS / schedule.every))
        self._budget = BUDGET * (PARTS + 2) * self._apart  # in samples
        self._kept: deque[tuple[int, np.ndarray]] = deque(maxlen=PARTS + 1)
        self._commands = simulation.commands.copy()
        self._steady = self._commands.tobytes()
        self._changes = len(simulation.parameter_changes)

    def sampled(self, sample: int) -> None:
        """A sample was reached."""
        if not self._watches:
            return
        simulation = self._simulation
        steady = simulation.commands.tobytes() == self._steady and not simulation.is_driven
        begun = sample == 0 or bool(self._kept)  # of a run that is resumed the past is not known
        if not (steady and begun):  # what others decide while it runs cannot be asked for twice
            self._watches = False
            return
        state = simulation.state
        if self._kept:
            largest = np.maximum(state[self._largest], 0.0)
            for cable in map(int, np.flatnonzero(largest > self._peaks)):
                self._windows[cable] = Window(*self._kept[0], sample)
                self._jumps[cable] = largest[cable] - self._before[cable] > self._jump * largest[cable] and sample > 1
            self._peaks, self._before = np.maximum(self._peaks, largest), largest
            self._sum += largest
        if sample == 0:
            self._first = state
        if not self._kept or sample - self._kept[-1][0] >= self._apart:
            self._kept.append((sample, state))

    def doubtful(self, last: int) -> dict[tuple[int, int], list[int]]:
        """Cables whose largest tension is doubtful, by the first and last sample of the window to be taken again, the
        largest first. `last` is the last sample of the run."""
        simulation = self._simulation
        snaps = simulation.compiled.snaps(simulation.state)
        if not self._watches or snaps is None or len(simulation.parameter_changes) != self._changes:
            return {}
        doubtful = {cable.name for cable in snaps.doubtful()}
        blows = self._jumps & (self._peaks * last > CREST * self._sum)
        windows: dict[tuple[int, int], list[int]] = {}
        for cable in map(int, np.argsort(-self._peaks)):
            if cable in self._windows and (blows[cable] or snaps.names[cable] in doubtful):
                if last <= self._budget:
                    self._windows[cable] = Window(0, self._first, last)
                window = self._windows[cable]
                windows.setdefault((window.first, window.last), []).append(cable)
        return windows

    def finer(self, last: int, stopped: Callable[[], bool]) -> dict[str, Peak]:
        """Largest tensions of doubtful cables as they were and with a tenth of the step, by name.

        Of cables of which it could not be found, or not before it was to stop, there is none.
        """
        names = self._simulation.compiled.shape.cables
        found: dict[str, Peak] = {}
        left = self._budget
        for (first, until), cables in self.doubtful(last).items():
            left -= min(last, until + self._apart) - first
            if left < 0:
                break
            peaks = self._again(self._windows[cables[0]], last, stopped)
            if peaks is not None:
                end = min(last, until + self._apart)
                span = (self._schedule.time(first), self._schedule.time(end)) if end - first < last else None
                found |= {names[c]: Peak(float(self._peaks[c]), float(peaks[c]), span) for c in cables}
        return found

    def _again(self, window: Window, last: int, stopped: Callable[[], bool]) -> np.ndarray | None:
        """Largest tensions of all cables in a window with a tenth of the step, N; None where it fails or is stopped."""
        simulation, schedule = self._simulation, self._schedule
        y, peaks = window.state.copy(), np.zeros_like(self._peaks)
        with simulation.compiled.turn:
            for sample in range(window.first, min(last, window.last + self._apart)):
                if stopped():
                    return None
                n, h = schedule.steps(sample)
                simulation.compiled.begin_interval(y)
                if simulation.integrator.advance(schedule.time(sample), y, FINER * n, h / FINER, self._commands):
                    return None
                peaks = np.maximum(peaks, y[self._largest])
        return peaks
