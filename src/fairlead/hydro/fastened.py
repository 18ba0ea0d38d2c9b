"""A cable of any formulation, compiled by itself, as a cable fastened to a hull."""

from __future__ import annotations

import math

import numpy as np

from fairlead.formulations.contract import Compiled, Failure
from fairlead.results.observation import END_FORCE_END, END_FORCE_START

from .panels import Floats
from .subcycling import EndPath


class CableFailed(RuntimeError):
    """The cable could not go on; `failure` says where and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class FormulationCable:
    """A compiled system, one of whose controlled points is led by a hull; see `subcycling.Cable`.

    The point's filter must be fast against the hull's motion (its `cutoff` well above the wave's frequency): the lag
    behind a steady motion of frequency ω is √2 ω/cutoff rad.
    """

    def __init__(self, compiled: Compiled, point: str, step: float) -> None:
        """point: a controlled point at which cables of the system end; step: longest step of the cable, s."""
        self.compiled, self.step = compiled, step
        self.led = compiled.inputs[f"{point}.position"]
        self.columns = [
            compiled.shape.cable_ends(name).start + column
            for name, cable in compiled.system.cables.items()
            for end, column in ((cable.start, END_FORCE_START), (cable.end, END_FORCE_END))
            if end.point == point
        ]
        if not self.columns:
            raise ValueError(f"no cable ends at '{point}'; fasten a controlled point that a cable starts or ends at")
        self.n_states = compiled.layout.size
        self.inputs = compiled.initial_inputs()
        self._row = np.zeros(compiled.shape.size)

    def initial_state(self) -> Floats:
        """The compiled system's."""
        return self.compiled.initial_state()

    def pull(self, t: float, y: Floats, h: float) -> Floats:
        """Force of all its ends on the hull (3), N."""
        self.compiled.observe(t, y, self.inputs, h, self._row)
        return np.asarray(sum(self._row[first : first + 3] for first in self.columns))

    def advance(self, y: Floats, path: EndPath) -> tuple[Floats, Floats]:
        """See `Cable`: the impulse is that of the pull by the trapezoidal rule over its own steps."""
        y = y.copy()
        n = max(1, math.ceil(path.dt / self.step))
        h = path.dt / n
        self.inputs[self.led] = path.places[0]
        last, impulse = self.pull(path.t, y, h), np.zeros(3)
        for k in range(n):
            now = path.t + k * h
            self.inputs[self.led] = path.at(now + h)[0]
            failure = self.compiled.advance(now, y, 1, h, self.inputs, self.compiled.scheme)
            if failure is not None:
                raise CableFailed(failure)
            pull = self.pull(now + h, y, h)
            impulse += 0.5 * h * (last + pull)
            last = pull
        return y, impulse
