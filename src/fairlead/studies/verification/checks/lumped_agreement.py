"""The shipped examples by point masses and by bars, both without bending stiffness: the same tensions and shapes.

Every example that both can carry runs as its file says, with as many elements as it has there, or the least multiple
above 40 where it has fewer than 20; every node and every sample counts, the first one too. Four things limit what can
be compared, since there the equations of a line without bending stiffness have no solution that either model could
come near. Twice the elements, or half the step, then change each of the two by itself by more than the bounds
(`tests/verification/test_lumped_agreement.py` shows it for the first and the third, the last records here for the
others):

- A line under compression buckles into waves that grow the faster the shorter they are, at a rate of at most
  (2/L)√(|T|/m) with elements of length L: half the length, twice the rate. `sinking_cables` is under compression from
  3 s to 60 s and is straight again after 95 s.
- Where it comes down on the seabed, 375 s to 520 s, a node lands every few seconds with a blow of its own mass.
- The free end of a line that swings in air without bending stiffness cracks as a whip does: `paper_cable_swinging` does
  so at 2.0 s.
- The `spline` examples are moved in air, where nothing damps them and nothing rounds a kink: after 50 s the peaks of
  tension where kinks meet are those of the mesh, and at t = 0 their end is jerked, which each model's end mass feels.
  Their step is that of an explicit method, with which the jump of tension of an unstretched start runs to and fro for
  two seconds; here they take 2 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import xarray as xr

import fairlead
from fairlead.model import System, load
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "the formulation 'bars' on the same file, bending and torsional stiffness left out"
ITSELF = "the same formulation with a finer mesh or a smaller step"
TENSION, SHAPE = 0.005, 0.002
"""Bounds, as parts of the largest tension and of the length of the longest cable."""
FEW, ENOUGH = 20, 40
"""Below the first number of elements a cable is divided until it has more than the second."""

Windows = tuple[tuple[float, float], ...]
ALWAYS: Windows = ((0.0, np.inf),)


class Run(NamedTuple):
    """How an example runs: the step where it is not the file's, and when tension and shape can be compared [s]."""

    step: float | None = None
    duration: float | None = None
    tension: Windows = ALWAYS
    shape: Windows = ALWAYS
    finer: int = 1
    """Times as many elements as said above."""


RUNS: dict[str, Run] = {
    "hanging_mooring": Run(),
    "towed_cable": Run(),
    "buoy_release": Run(),
    "clamped_umbilical": Run(),
    "rov_tether": Run(),
    "chain_of_links": Run(),
    "tether_15_nodes": Run(),
    "steel_cable_in_air": Run(),
    "steel_cable_in_water": Run(),
    "paper_cable_hanging": Run(),
    "paper_cable_swinging": Run(duration=1.9, finer=2),
    "sinking_cables": Run(tension=((0, 5), (100, 370), (525, np.inf)), shape=((0, 5), (95, np.inf))),
    "spline_example_1": Run(step=0.002, finer=4, tension=((0.1, 50),)),
    "spline_example_2": Run(step=0.002, finer=4, tension=((0.1, 50),)),
}


def example(name: str, run: Run) -> System:
    """The example of that name without bending and torsional stiffness, of elements that are rods all the same."""
    package = Path(fairlead.__file__).parent
    installed = package / "examples"
    folder = installed if installed.is_dir() else package.parents[1] / "examples"
    system = load(folder / f"{name}.yaml")
    soft = {"bending_stiffness": 0.0, "torsional_stiffness": 0.0}
    types = {key: kind.model_copy(update=soft) for key, kind in system.types.items()}
    cables = {}
    for key, cable in system.cables.items():
        count = len(cable.segments(system))
        times = run.finer * (1 if count >= FEW else ENOUGH // count + 1)
        update: dict[str, object] = {"elements": times * cable.elements} if cable.elements else {}
        if cable.element_lengths:
            update["element_lengths"] = tuple(x / times for x in cable.element_lengths for _ in range(times))
        cables[key] = cable.model_copy(update=update)
    rods = {"compression": "carried"}
    same_order = rods | {"scheme": "first_order"}
    settings = {"integrator": "auto", "bars": same_order, "lumped": same_order} | {
        key: value for key in ("step", "duration") if (value := getattr(run, key)) is not None
    }
    return system.model_copy(update={"types": types, "cables": cables}).with_settings(**settings)


def apart(one: xr.Dataset, other: xr.Dataset, run: Run, every: int = 1) -> tuple[float, float]:
    """Largest difference of tension and of place at any node in the windows of `run`, as parts of tension and length.

    `other` may have `every` times as many elements.
    """
    time = one["time"].values
    tension, place = ((one[key].values, other[key].values[:, :, ::every]) for key in ("tension_effective", "position"))
    length = float(np.nanmax(one["arc_length"].values))
    far = np.abs(tension[1] - tension[0]) / np.nanmax(tension[0]), np.linalg.norm(place[1] - place[0], axis=-1) / length
    inside = (np.any([(a <= time) & (time <= b) for a, b in windows], axis=0) for windows in (run.tension, run.shape))
    found = [float(np.nanmax(part[within])) for part, within in zip(far, inside, strict=True)]
    return found[0], found[1]


def differences(name: str, duration: float | None = None) -> tuple[float, float]:
    """How far point masses are from bars in an example: tension, place; of its first `duration` seconds, if given."""
    run = RUNS[name] if duration is None else RUNS[name]._replace(duration=duration)
    bars, lumped = (simulate(example(name, run), formulation=method) for method in ("bars", "lumped"))
    return apart(bars, lumped, run)


@lru_cache(maxsize=3)
def ran(name: str, method: str, step: float | None, duration: float | None, finer: int) -> xr.Dataset:
    """A run, kept for who looks at it again."""
    return simulate(example(name, Run(step=step, duration=duration, finer=finer)), formulation=method)


def changes(name: str, method: str, run: Run, other: Run, every: int) -> tuple[float, float]:
    """How far one formulation is from itself on a finer mesh or with a smaller step: tension, place."""
    one, two = (ran(name, method, which.step, which.duration, which.finer) for which in (run, other))
    return apart(one, two, run, every)


def spoken(windows: Windows) -> str:
    """When, for people."""
    if windows == ALWAYS:
        return "all samples"
    return " and ".join(f"from {a:g} s" if b == np.inf else f"{a:g} to {b:g} s" for a, b in windows)


def check() -> Iterator[Record]:
    """Every example that both formulations can run."""
    for name, run in RUNS.items():
        until = "" if run.duration is None else f" to {run.duration:g} s"
        tension, shape = differences(name)
        for what, found, windows, bound in (
            ("tension / largest", tension, run.tension, TENSION),
            ("place / length", shape, run.shape, SHAPE),
        ):
            when = f"{spoken(windows)}{until}"
            yield Record.absolute(f"{name}, lumped beside bars, {what}, {when}", SOURCE, found, 0.0, bound)
    yield from without_an_answer()


def without_an_answer() -> Iterator[Record]:
    """Where half the step or half the elements change each model by itself by more than the bounds; the shape stays."""
    landing = ((375.0, 520.0),)
    run = Run(duration=520.0, tension=landing, shape=landing)
    for method in ("bars", "lumped"):
        tension, shape = changes("sinking_cables", method, run, run._replace(step=0.00625), 1)
        name = f"sinking_cables, {method}, half the step, {spoken(landing)}"
        yield _at_least(f"{name}, change of tension / largest", tension, 5.0 * TENSION)
        yield Record.absolute(f"{name}, change of place / length", ITSELF, shape, 0.0, 0.1 * SHAPE)
    run = RUNS["spline_example_2"]._replace(tension=((50.0, 80.0),), duration=80.0)
    finer = run._replace(finer=2 * run.finer)
    found = [changes("spline_example_2", method, run, finer, 2) for method in ("bars", "lumped")]
    name = f"spline_example_2, bars and lumped, twice the elements, {spoken(run.tension)}"
    yield _at_least(f"{name}, changes of tension / largest, together", sum(tension for tension, _ in found), TENSION)
    name = f"{name}, change of place / length"
    yield Record.absolute(name, ITSELF, max(shape for _, shape in found), 0.0, SHAPE)


def _at_least(name: str, value: float, least: float) -> Record:
    """Passes when the value reaches `least`, which is shown for it then."""
    return Record.absolute(f"{name}, at least", ITSELF, min(value, least), least, 0.0)
