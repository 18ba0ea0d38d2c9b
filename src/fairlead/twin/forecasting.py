"""A twin that looks ahead every so often, a little in each tick, so that no tick is late for it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .estimate import Forecast
from .file import LookAhead
from .forecasts import Ahead, PastErrors
from .quantities import Watched

SHARE = 0.5
"""Of the time between two forecasts, in which one is made."""


class Forecasting:
    """The latest forecast, the one that is being made, and how far off earlier ones were.

    It is made in the ticks of the first half of the time to the next; what comes of it does not depend on how fast.
    """

    def __init__(self, look: LookAhead | None, watched: Mapping[str, Watched], tick: float) -> None:
        self.look, self.watched = look, watched
        self.errors = PastErrors(tuple(watched), look.step if look else 5.0, look.horizon if look else 300.0)
        self.latest: Forecast | None = None
        self.under_way: Ahead | None = None
        self.means: list[np.ndarray] = []
        span = 0.0 if look is None else SHARE * min(look.every, look.horizon)
        self.ticks = max(1, round(span / tick))
        """In which a forecast is made."""
        self.gone = 0
        """Of these, for the one that is being made."""

    def begin(self, ahead: Ahead) -> None:
        """Start another; one that is not finished is left."""
        self.under_way, self.gone = ahead, 0
        self.means = self.errors.issue(ahead.issued)

    def tick(self) -> None:
        """Go on with the one that is being made; it counts when it is finished."""
        ahead = self.under_way
        if ahead is None:
            return
        self.gone += 1
        ahead.go_on(-(-ahead.length * self.gone // self.ticks))
        self.means += [np.nanmean(rows, axis=0) for rows in ahead.rows[len(self.means) :]]
        if ahead.done >= ahead.length:
            self.latest, self.under_way = ahead.forecast(self.errors), None
