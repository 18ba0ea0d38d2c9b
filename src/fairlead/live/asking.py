"""What if: a turn of the tow, a winch that runs, on a copy of the twin. Nothing of it reaches the twin."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from fairlead.twin import Twin

from .showing import forecast_of

LONGEST = 3600.0
"""Seconds that a what-if may look ahead."""
KEYS = {"turn": (-180.0, 180.0), "rate": (0.01, 10.0), "payout": (-10.0, 10.0), "horizon": (10.0, LONGEST)}
"""Numbers of a question and their bounds: degrees, degrees/s, m/s, s."""
RATE = ".winch.rate"
EVERY = 5.0
"""Seconds between the points of a plan."""


def checked(question: dict[str, Any]) -> dict[str, float]:
    """The numbers of a question; `ValueError` says what is wrong with it."""
    if not question.keys() <= KEYS.keys() | {"winch"}:
        raise ValueError("a what-if has turn, rate, winch, payout and horizon")
    out = {"turn": 0.0, "rate": 0.3, "payout": 0.0, "horizon": 300.0}
    for key, (low, high) in KEYS.items():
        value = question.get(key, out[key])
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"{key} must be a number from {low:g} to {high:g}")
        out[key] = float(value)
    return out


def turned(place: np.ndarray, speed: np.ndarray, asked: dict[str, float], times: np.ndarray) -> np.ndarray:
    """Places of a point that keeps its speed and turns (positive to starboard, as headings count), (time, 3), m."""
    rate = math.radians(asked["rate"]) * (-1.0 if asked["turn"] > 0.0 else 1.0)
    whole = -math.radians(asked["turn"])
    finer = np.linspace(0.0, times[-1], 4 * len(times))
    angle = np.clip(rate * finer, min(whole, 0.0), max(whole, 0.0))
    x, y = speed[0], speed[1]
    way = np.stack([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)], axis=-1)
    steps = 0.5 * (way[1:] + way[:-1]) * np.diff(finer)[:, np.newaxis]
    along = np.vstack([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    out = np.tile(place, (len(times), 1))
    out[:, 0] += np.interp(times, finer, along[:, 0])
    out[:, 1] += np.interp(times, finer, along[:, 1])
    return out


def answer(twin: Twin, lock: AbstractContextManager[Any], question: dict[str, Any]) -> dict[str, Any]:
    """The forecast of a what-if, for the page; ``lock`` is held only while the twin is copied."""
    asked, winch = checked(question), str(question.get("winch") or "")[:80]
    with lock:
        fork, now = twin.fork(), twin.time
        courses = {name: twin.course(name) for name in twin.file.drive}
    times = np.arange(0.0, asked["horizon"] + EVERY, EVERY)
    if asked["turn"]:
        for name, course in courses.items():
            if name.endswith(".position") and course is not None:
                fork.plan(name, (now + times, turned(*course, asked, times)))
    if winch and asked["payout"]:
        fork.plan(f"{winch}{RATE}", (now + times, np.full(len(times), asked["payout"])))
    forecast = fork.run(asked["horizon"])
    limits = [{"name": limit.name, "probability": limit.ahead(forecast)[0]} for limit in twin.limits]
    return forecast_of(forecast, {limit.watched.name for limit in twin.limits}) | {"limits": limits, "live": False}
