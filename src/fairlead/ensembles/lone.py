"""One member at a time, sampled in the middle of its steps: what packs do with eight, for systems that none carries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.formulations.contract import Failure

from .collector import Collector, Question
from .members import Member
from .together import SAMPLES


class LoneMember:
    """A member and its statistics; see `together.Company`."""

    def __init__(self, members: Sequence[Member], question: Question, asked: np.ndarray, homes: np.ndarray) -> None:
        (self._member,), self._asked, self._home = members, asked, homes
        compiled = self._member.compiled
        with compiled.turn:
            self._ints, self._work = compiled.ints.copy(), compiled.work.copy()
        self._y = self._member.state.copy()
        self._out = np.empty((1, SAMPLES, max(1, 3 * len(asked))))
        self._collector = Collector(question, homes)
        self.status = np.zeros(1)

    def run(self, t: float, n: int, h: float, every: int) -> None:
        member = self._member
        assert member.compiled.lone is not None
        self.status[0] = member.compiled.lone(
            float(t), self._y, n, float(h), member.inputs, self._ints, member.constants, self._work,
            member.compiled.kind, every, self._asked, self._home, self._out,
        )  # fmt: skip

    def fold(self, times: np.ndarray, first: int, last: int) -> None:
        self._collector.take(self._out, times, first, last, self.status)

    def failure(self, k: int, t: float) -> Failure:
        compiled = self._member.compiled
        with compiled.turn:
            compiled.work[:] = self._work
            return compiled.failure(int(self.status[0]), t, self._y)

    def rows(self) -> np.ndarray:
        return self._collector.rows()
