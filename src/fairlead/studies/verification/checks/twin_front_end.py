"""A twin of one side of a seismic front end: hidden heads, winch tensions and bands, from RGPS and poor tensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.studies.twin_front_end import (
    FLOW,
    HEADS,
    UNDISTURBED,
    WINCHES,
    Sea,
    Trial,
    follow,
    system,
    twin_file,
)
from fairlead.studies.verification.record import Record
from fairlead.twin import Forecast, Twin

SOURCE = "a finer model with another drag law and flow"
DURATION, FROM = 400, 200
"""s: how long, and from when on it is judged."""


LOOKED_FROM = 120.0
"""s: from when on forecasts are judged."""


CASES = (
    ("", FLOW, 1, UNDISTURBED),
    (", slower flow from the side", (-1.2, 0.3, 0.0), 2, UNDISTURBED),
    (", winches pay out 45 m", FLOW, 1, Trial(paid_out=45.0)),
    (", a receiver silent and one frozen", FLOW, 1, Trial(silent=("port_buoy_3",), frozen=("port_buoy_6",))),
)


def check() -> Iterator[Record]:
    """One side, twelve members, nine winch tensions each a few per cent off; in a flow that is further off; with
    winches that run, of which no plan tells when they start and stop; with receivers that fail for the half that is
    judged."""
    for words, flow, seed, trial in CASES:
        runs = trial.paid_out > 0.0
        twin = Twin(twin_file(look_ahead=True, winches=runs), system(winches=runs))
        truth, forecasts = dict[float, Any](), dict[float, Forecast]()

        def shown(now: Any, seen: Any, twin: Twin = twin, truth: Any = truth, forecasts: Any = forecasts) -> None:
            truth[now.time] = {name: float(np.linalg.norm(seen[f"{name}.force_start"])) for name in WINCHES}
            truth[now.time] |= {f"{n}.{c}": seen[f"{n}.position"]["xyz".index(c)] for n in HEADS for c in "xyz"}
            if twin.forecast is not None:
                forecasts[twin.forecast.issued] = twin.forecast

        off = follow(twin, Sea(flow, trial=trial), DURATION, seed, shown)[FROM // 10 :]
        winches, _, heads = np.sqrt((off**2).mean(axis=0)).tolist()
        name = f"twin of a front end{words}"
        yield Record.absolute(f"{name}, winch tensions, rms share off", SOURCE, winches, 0.0, 0.06)
        yield Record.absolute(f"{name}, hidden heads, rms [m]", SOURCE, heads, 0.0, 1.5)
        yield Record.absolute(f"{name}, members lost", SOURCE, float(twin.estimate.health.lost), 0.0, 0.0)
        judged = [f for f in forecasts.values() if f.issued >= LOOKED_FROM]
        places = [f"{head}.{axis}" for head in HEADS for axis in "xy"]
        for what, numbers in (("winch tensions", WINCHES), ("places of heads", places)):
            share = float(np.mean([within(f, n, truth) for f in judged for n in numbers]))
            words_of = f"{name}, share of {what} within bands of 90 % [0.8 to 1]"
            yield Record.absolute(words_of, SOURCE, share, 0.9, 0.1 + 1e-9)


def within(forecast: Forecast, number: str, truth: dict[float, dict[str, float]]) -> float:
    """Share of what came, as far as it did, within the band of a forecast."""
    low, high = forecast.band(f"{number}.force_start" if number in WINCHES else number)
    came = [k for k, t in enumerate(forecast.times) if float(t) in truth]
    return float(np.mean([low[k] <= truth[float(forecast.times[k])][number] <= high[k] for k in came]))
