"""Checks of a result that a reader of a report wants answered before the numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairlead.results import ResultError, settings_of, warnings_of
from fairlead.results.energy import GOOD_BALANCE, POOR_BALANCE, percentage

from ..histories import cable_histories
from ..lifts import Lift
from ..spectra import spectral_density
from .words import counted, force, metres, seconds

if TYPE_CHECKING:
    import xarray as xr

Verdict = Literal["good", "look", "bad", "open"]
SAMPLES_OF_A_PERIOD = 8  # fewer than this show the size of a motion, but not its shape
PUSH = 0.01  # of the largest tension: more compression than this is worth a look
FAST_SHARE = 0.10  # of a cable's variance in the upper half of the frequencies that samples can show


@dataclass(frozen=True)
class Limits:
    """What must not be passed: largest tension (N), least tension (N), landing speed (m/s); None where nobody said."""

    tension_max: float | None = None
    tension_min: float | None = None
    landing_speed: float | None = None


@dataclass(frozen=True)
class Check:
    """A question, its answer in words, and whether that is good, worth a look, bad, or open."""

    name: str
    verdict: Verdict
    answer: str


def checks(dataset: xr.Dataset, numbers: dict[str, Any], found: list[Lift], limits: Limits) -> list[Check]:
    """All checks of a result; ``numbers`` is its summary."""
    out = [_complete(numbers), _finite(dataset), _energy(numbers), _compression(numbers), _sampling(dataset)]
    out.append(_against_limit(numbers, limits))
    out += _strength(numbers)
    if limits.tension_min is not None:
        out.append(_least(numbers, limits.tension_min))
    for lift in found:
        out += _of_lift(lift, limits)
    warned = warnings_of(dataset)
    words = f"{len(warned)} given while it ran, listed below" if warned else "none"
    out.append(Check("Warnings", "look" if warned else "good", words))
    return out


def _complete(numbers: dict[str, Any]) -> Check:
    status = numbers["status"]
    if status == "complete":
        return Check("Run", "good", f"complete, to {seconds(numbers['time_end'])}")
    return Check("Run", "look" if status in ("", "running") else "bad", status or "the result does not tell")


def _finite(dataset: xr.Dataset) -> Check:
    wrong = 0
    for i, cable in enumerate(cable_histories(dataset)):
        recorded = dataset["tension_effective"].values[:, i, : len(cable.arc_length)]
        active = np.isfinite(dataset["position"].values[:, i, : len(cable.arc_length)]).all(axis=-1)
        wrong += int((active & ~np.isfinite(recorded)).sum()) + int(np.isinf(recorded).sum())
    if wrong:
        return Check("Numbers", "bad", f"{wrong} tensions are not finite numbers")
    return Check("Numbers", "good", "all finite")


def _energy(numbers: dict[str, Any]) -> Check:
    error = numbers["energy_error"]
    if error is None:
        return Check("Energy balance", "open", "not recorded (outputs.energy)")
    if numbers["energy_idle"]:
        return Check("Energy balance", "open", "next to nothing was exchanged")
    verdict: Verdict = "good" if error <= GOOD_BALANCE else "look" if error <= POOR_BALANCE else "bad"
    return Check("Energy balance", verdict, f"closes to {percentage(error)} of the energy exchanged")


def _compression(numbers: dict[str, Any]) -> Check:
    least, most = numbers["tension_min"], numbers["tension_max"]
    if least is None or most is None:
        return Check("Slack", "open", "no tensions recorded")
    if least["value"] < -PUSH * abs(most["value"]):
        words = f"{force(least['value'])} of compression in {least['cable']} at {seconds(least['time'])}"
        return Check("Slack", "look", words)
    if least["value"] <= PUSH * abs(most["value"]):
        return Check("Slack", "look", f"{least['cable']} is slack at {seconds(least['time'])}")
    return Check("Slack", "good", f"none: at least {force(least['value'])} everywhere")


def _sampling(dataset: xr.Dataset) -> Check:
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    worst, name = 0.0, ""
    for cable in cable_histories(dataset):
        whole, fast = 0.0, 0.0  # of the end that varies most: what little rings at the other is no matter
        for end in (0, 1):
            try:
                frequency, density = spectral_density(times, cable.end_tension(end))
            except ResultError:
                continue
            whole = max(whole, float(density[1:].sum()))
            fast = max(fast, float(density[frequency > 0.5 * frequency[-1]].sum()))
        if whole > 0.0 and fast / whole > worst:
            worst, name = fast / whole, cable.name
    if len(times) < 2:
        return Check("Sampling", "open", "one sample only")
    interval = float(np.median(np.diff(times)))
    period = float(dataset.attrs.get("shortest_period", np.inf))
    if interval > period / SAMPLES_OF_A_PERIOD:
        words = (
            f"a sample every {interval:.3g} s shows {period / interval:.2g} of a period of {period:.3g} s "
            f"({dataset.attrs.get('shortest_period_of', 'in the file')}): extremes are of every step, curves and "
            f"statistics are not; {_finer(dataset, interval, period / 20)}"
        )
        return Check("Sampling", "look" if interval < 0.5 * period else "bad", words)
    if worst > FAST_SHARE:
        words = (
            f"tension in {name} changes faster than a sample every {interval:.3g} s shows: extremes are of every step, "
            f"curves and statistics are not; {_finer(dataset, interval, interval / 4)}"
        )
        return Check("Sampling", "look", words)
    return Check("Sampling", "good", f"a sample every {interval:.3g} s follows the tensions")


def _finer(dataset: xr.Dataset, interval: float, wanted: float) -> str:
    """What makes samples about ``wanted`` s apart: an output_every of whole steps, or a shorter step where each has its
    sample already."""
    step = (settings_of(dataset).get("simulation") or {}).get("step")
    if not isinstance(step, float | int) or not step > 0.0:
        return f"use an output_every of {wanted:.2g} s"
    if interval < 1.5 * step:
        shorter = step / 2 ** max(1, math.ceil(math.log2(step / wanted)))  # the duration stays whole steps
        return f"every step has its sample: use a step and an output_every of {shorter:.12g} s"
    return f"use an output_every of {max(1, round(wanted / step)) * step:.12g} s"


def _against_limit(numbers: dict[str, Any], limits: Limits) -> Check:
    most = numbers["tension_max"]
    if most is None or limits.tension_max is None:
        return Check("Largest tension", "open", "no limit given (--tension-max)")
    share = most["value"] / limits.tension_max
    words = f"{force(most['value'])} in {most['cable']}: {percentage(share)} of {force(limits.tension_max)}"
    return Check("Largest tension", "good" if share <= 1.0 else "bad", words + _in_the_start(numbers, most))


def _strength(numbers: dict[str, Any]) -> list[Check]:
    """What types can bear, where they tell it: the share of the breaking load and the sharpest bend."""
    out, used = [], numbers["utilisation"]
    if used is not None:
        verdict: Verdict = "good" if used["value"] <= 1.0 else "bad"
        words = f"at most {percentage(used['value'])} of the {force(used['breaking_load'])} of {used['cable']}"
        out.append(Check("Breaking load", verdict, words + _in_the_start(numbers, used)))
    bends = [cable["bend_radius_min"] for cable in numbers["cables"].values() if cable["bend_radius_min"] is not None]
    if bends:
        bend = min(bends, key=lambda found: float(found.get("expected", found["value"]) / found["allowed"]))
        verdict = "good" if min(bend["value"], bend.get("expected", math.inf)) >= bend["allowed"] else "bad"
        words = f"at least {metres(bend['value'])} in {bend['cable']}, {metres(bend['allowed'])} is allowed"
        if "unresolved" in bend:
            verdict, words = "look" if verdict == "good" else verdict, f"{words}; {bend['unresolved']}"
        out.append(Check("Bend radius", verdict, words + _in_the_start(numbers, bend)))
    return out


def _in_the_start(numbers: dict[str, Any], extreme: dict[str, Any]) -> str:
    """A word on an extreme that belongs to the start of the run."""
    until = numbers["start_up"]
    if until is None or extreme["time"] >= until:
        return ""
    return f", in the start-up, which lasts until {seconds(until)} (--after leaves it out)"


def _least(numbers: dict[str, Any], limit: float) -> Check:
    least = numbers["tension_min"]
    if least is None:
        return Check("Least tension", "open", "no tensions recorded")
    words = f"{force(least['value'])} in {least['cable']}, limit {force(limit)}"
    return Check("Least tension", "good" if least["value"] >= limit else "bad", words)


def _of_lift(lift: Lift, limits: Limits) -> list[Check]:
    out = []
    if lift.slack:
        longest = max(end - start for start, end in lift.slack)
        lasting = f"{longest:.3g} s" if longest > 0.0 else "one sample"
        words = f"{counted(len(lift.slack), 'spell')}, from {seconds(lift.slack[0][0])} on, the longest {lasting}"
        out.append(Check(f"Slack in {lift.cable}", "bad", words))
    else:
        out.append(Check(f"Slack in {lift.cable}", "good", "none while the load hangs"))
    if lift.snap is not None:
        words = (
            f"{force(lift.snap.value)} at {seconds(lift.snap.time)}, {lift.snap.value / lift.tension_mean:.2g} x mean"
        )
        out.append(Check(f"Snap in {lift.cable}", "bad", words))
    else:
        out.append(Check(f"Snap in {lift.cable}", "good", "none"))
    if lift.landing is not None:
        speed, limit = lift.landing.value, limits.landing_speed
        words = f"{speed:.3g} m/s at {seconds(lift.landing.time)}"
        if limit is None:
            out.append(
                Check(f"Landing of {lift.load or lift.cable}", "open", f"{words}; no limit given (--landing-speed)")
            )
        else:
            verdict: Verdict = "good" if speed <= limit else "bad"
            out.append(Check(f"Landing of {lift.load or lift.cable}", verdict, f"{words}, limit {limit:.3g} m/s"))
    return out
