"""What the page is told of an estimate: a frame of every one, and once a second its state, its trends, its alarms."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping
from typing import Any

import numpy as np

from fairlead.twin import Estimate, Forecast

from .engine import Engine
from .frames import Packer
from .inputs.intake import Intake
from .server.board import Board

EVERY = 1.0  # s


class Showing:
    """Takes estimates to the board.

    inputs   whose ages are told
    trends   of an estimate: by name, mean and bounds of its band
    forecast the latest forecast, or None
    """

    def __init__(
        self,
        board: Board,
        pack: Packer,
        epoch: float,
        *,
        inputs: Mapping[str, Intake],
        trends: Callable[[Estimate], Mapping[str, tuple[float, float, float]]],
        forecast: Callable[[], Forecast | None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ):
        self.board, self.engine = board, None
        self._pack, self.epoch = pack, epoch
        self._inputs, self._trends, self._forecast, self._clock = inputs, trends, forecast, clock
        self._due = -float("inf")
        self._alarms: object = None
        self._issued: float | None = None

    engine: Engine | None

    def __call__(self, estimate: Estimate) -> None:
        """Show it."""
        keep = estimate.time >= self._due
        self.board.show(self._pack(estimate.mean.row, estimate.time, self.epoch + estimate.time), keep=keep)
        if estimate.alarms != self._alarms:
            self._alarms = estimate.alarms
            self.board.say("alarms", [alarm_of(alarm) for alarm in estimate.alarms])
        if not keep:
            return
        self._due = estimate.time + EVERY - 1e-9
        self.board.say("state", self._state(estimate))
        bands = self._trends(estimate)
        self.board.say("trends", {"time": estimate.time, "values": {name: list(band) for name, band in bands.items()}})
        forecast = self._forecast()
        if forecast is not None and forecast.issued != self._issued:
            self._issued = forecast.issued
            self.board.say("forecast", forecast_of(forecast, bands))

    def _state(self, estimate: Estimate) -> dict[str, Any]:
        now, health = self._clock(), estimate.health
        notes = [health.note, "" if self.engine is None else self.engine.note]
        told = [
            {"name": name, "age": one.health.age(now), "silent": one.health.is_silent(now), "fault": one.health.fault}
            for name, one in self._inputs.items()
        ]
        told += [
            {"name": name, "age": one.age, "silent": one.silent, "fault": one.fault}
            for name, one in health.sensors.items()
        ]
        return {
            "time": estimate.time,
            "health": {
                "state": health.state,
                "reason": health.reason,
                "members": health.members,
                "lost": health.lost,
                "note": "; ".join(note for note in notes if note),
            },
            "sensors": told,
            "margin": None if self.engine is None else self.engine.margin,
            "late": 0.0 if self.engine is None else self.engine.late,
            "parameters": [
                {"label": p.label or p.name, "unit": p.unit, "mean": p.mean, "sd": p.sd, "words": p.words}
                for p in estimate.parameters.values()
            ],
        }


def alarm_of(alarm: Any) -> dict[str, Any]:
    """An alarm as the page reads it."""
    names = ("name", "level", "since", "value", "limit", "unit", "probability", "ahead", "acknowledged")
    return {name: getattr(alarm, name) for name in names}


def forecast_of(forecast: Forecast, wanted: Container[str]) -> dict[str, Any]:
    """What is wanted of a forecast as the page reads it: times, and by name mean and band."""
    values = {}
    for name in (name for name in forecast.names if name in wanted):
        low, high = forecast.band(name)
        values[name] = {"mean": np.asarray(forecast.mean(name)), "low": low, "high": high}
    return {"issued": forecast.issued, "times": forecast.times, "values": values}
