"""The waters of a system: its floaters with their coefficients and the fit of the water's memory.

Bodies of one file share a water and feel the waves that the others make; those of different files do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from fairlead.model import FloatingBody, ModelError, Problem, System
from fairlead.model.floaters import CoefficientFile
from fairlead.model.problems import listed
from fairlead.words import percentage

from .checks import Finding, findings
from .coefficients import DOFS, CoefficientError, Coefficients
from .convolution import Recall
from .drift import Drift, read_drift
from .fit import fit_radiation
from .kernels import infinite_added_mass
from .radiation import RadiationFit
from .reading import read
from .surroundings import depth_findings, sea_findings
from .wamit import Scale

REMEMBERED = 0.03
"""Part of K(t) that may be left when the memory of a convolution ends."""
GROWN = 1.1
"""Damping above the data, over the largest in them, from which on a fit is told of."""


@dataclass(frozen=True)
class Water:
    """Bodies that share one water: their names in the order of the coefficients, these, and the fit of their memory."""

    names: tuple[str, ...]
    coefficients: Coefficients
    fit: RadiationFit | None
    """Without poles where the past is carried along instead, or nothing is."""
    drift: Mapping[str, Drift] = field(default_factory=dict)
    """Slow forces, by the names of the bodies that feel them."""
    recall: Recall | None = None
    """Their memory as an integral over the past."""

    @property
    def added(self) -> np.ndarray:
        """A∞ (6N, 6N)."""
        if self.recall is not None:
            return self.recall.added_mass_infinite
        known = self.coefficients.added_mass_infinite if self.fit is None else self.fit.added_mass_infinite
        assert known is not None
        return known


def waters_of(system: System, checked: bool = True) -> tuple[Water, ...]:
    """All waters of a system, in the order in which their first bodies stand in the file.

    With `checked`, coefficients that cannot be right are refused by a `ModelError` that names them all.
    """
    groups: dict[tuple[object, ...], dict[int, str]] = {}
    for name, body in system.bodies.items():
        if not isinstance(body, FloatingBody):
            continue
        key: tuple[object, ...] = _key(system, body.coefficients)
        while body.coefficients.body in groups.get(key, {}):  # the same hull once more, in a water of its own
            key = (*key, "again")
        groups.setdefault(key, {})[body.coefficients.body] = name
    waters = tuple(_water(system, bodies) for bodies in groups.values())
    if checked:
        refused = [
            _problem(system, name, one) for water in waters for name, one in water_findings(system, water)
            if one.level == "error"
        ]  # fmt: skip
        if refused:
            raise ModelError(refused)
    return waters


def water_findings(system: System, water: Water) -> list[tuple[str, Finding]]:
    """What is wrong with the coefficients of a water where they are used, each with the body it is told of."""
    names, data = water.names, water.coefficients
    first = system.bodies[names[0]]
    assert isinstance(first, FloatingBody)
    found = [(names[0], one) for one in findings(data, first.radiation.band)]
    found += [(names[0], one) for one in depth_findings(data, system.environment)]
    if water.fit is not None and not water.fit.met and first.radiation.method in ("auto", "state_space"):
        text = f"the fit of the radiation is {percentage(water.fit.error)} off with {max(water.fit.orders)} poles"
        cure = "set 'radiation.band' below what is irregular, or use 'radiation: convolution'"
        if water.recall is not None:
            text += ", so that the integral over the past is taken, which costs more time a step"
            cure = "set 'radiation.band' below what is irregular, or choose 'radiation: convolution' yourself"
        found.append((names[0], Finding("warning", "radiation", text, cure)))
    found += _beyond_the_band(water)
    if water.recall is not None and (left := water.recall.left()) > REMEMBERED:
        memory = water.recall.memory
        text = f"the water still remembers: after {memory:g} s {left:.0%} of the largest K(t) is left"
        found.append((names[0], Finding("warning", "radiation", text, f"set 'radiation.memory' to {2 * memory:g} s")))
    for name in names:
        body = system.bodies[name]
        assert isinstance(body, FloatingBody)
        if body.excitation.method != "none":
            yaw = math.radians(body.orientation_deg[2])
            found += [(name, one) for one in sea_findings(data, system.environment, yaw, name)]
        if name in water.drift:
            found += [(name, one) for one in _undrifted(name, water.drift[name])]
    return found


def _undrifted(name: str, drift: Drift) -> Iterator[Finding]:
    """Motions that a file of drift says nothing of; without surge or sway a mooring is not loaded as it should be."""
    missing = [dof for i, dof in enumerate(DOFS) if i not in drift.motions]
    if drift.motions and missing:
        level: Literal["warning", "note"] = "warning" if {"surge", "sway"} & set(missing) else "note"
        text = f"{drift.source} has no rows of {listed(missing, 'and')} of {name!r}: no slow force acts in them"
        yield Finding(level, "drift", text, "compute them too, unless they are 0")


def _beyond_the_band(water: Water) -> Iterator[tuple[str, Finding]]:
    """Poles that damp more above what they were fitted to than anywhere in it, and the body whose motion that is."""
    if water.fit is None:
        return
    data, band = water.coefficients, water.fit.band
    peaks = np.einsum("wii->wi", data.damping[data.omega <= band]).max(axis=0)
    times, motion, omega = water.fit.beyond(peaks)
    if times > GROWN:
        end, below = "where the data end", "of the data"
        cure = "compute higher frequencies, until the damping has fallen off, or use 'radiation: convolution'"
        if band < data.omega[-1]:
            end, below = "the last frequency within 'radiation.band'", "below"
            cure = "set 'radiation.band' higher, where the damping has fallen off, or use 'radiation: convolution'"
        text = (
            f"above {band:.3g} rad/s, {end}, the fit of the radiation damps {DOFS[motion % 6]} up to "
            f"{times:.2g} times as much (at {omega:.3g} rad/s) as at any frequency {below}"
        )
        yield water.names[motion // 6], Finding("warning", "radiation", text, cure)


def _problem(system: System, name: str, finding: Finding) -> Problem:
    return system.problem(f"bodies.{name}.coefficients", finding.text, finding.cure)


def _key(system: System, file: CoefficientFile) -> tuple[object, ...]:
    """Where the coefficients are and how they are read: arguments of `_read`."""
    env = system.environment
    folder = Path(system.source.path).parent if system.source is not None else Path()
    depth = env.depth if file.depth is None else math.inf if file.depth == "infinite" else file.depth
    density = float(env.water_density if file.water_density is None else file.water_density)
    gravity = float(env.gravity if file.gravity is None else file.gravity)
    return (
        str(folder / file.file), file.format, density, gravity, file.length, file.first_column, float(depth),
        tuple(file.reference),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _read(stamp: object, *key: object) -> Coefficients:
    path, form, density, gravity, length, column, depth, reference = key
    return read(
        path, form, water_density=density, gravity=gravity, length=length, first_column=column, depth=depth,  # type: ignore[arg-type]
        reference=reference,  # type: ignore[arg-type]
    )  # fmt: skip


@lru_cache(maxsize=8)
def _fit(stamp: object, key: object, how: object, tolerance: float, poles: int, band: float | None,
         data: _Held) -> RadiationFit:  # fmt: skip
    return fit_radiation(data.coefficients, tolerance, poles, band)


class _Held:
    """Coefficients that a cache passes on without looking at them."""

    def __init__(self, coefficients: Coefficients) -> None:
        self.coefficients = coefficients

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def _stamp(path: str) -> object:
    """When the files of a root were last written."""
    place = Path(path)
    near = [place, *place.parent.glob(place.stem + "*")] if place.parent.is_dir() else []
    return tuple((str(one), one.stat().st_mtime_ns) for one in sorted(set(near)) if one.exists())


def _water(system: System, bodies: dict[int, str]) -> Water:
    order = sorted(bodies)
    names = tuple(bodies[number] for number in order)
    first = system.bodies[names[0]]
    assert isinstance(first, FloatingBody)
    key = _key(system, first.coefficients)
    where = f"bodies.{names[0]}.coefficients"
    try:
        stamp = _stamp(str(key[0]))
        whole = _read(stamp, *key)
        if order[-1] > whole.bodies:
            message = f"there is no body {order[-1]}: the file holds {whole.bodies}"
            raise ModelError([system.problem(f"bodies.{names[-1]}.coefficients.body", message, "count from 1")])
        data = whole.only([number - 1 for number in order])
        floaters = [body for body in map(system.bodies.__getitem__, names) if isinstance(body, FloatingBody)]
        motions = tuple(body.coefficients.motions for body in floaters)
        given = tuple(body.radiation.added_mass_infinite for body in floaters)
        radiation = first.radiation
        data = _with_infinite(data.moving(motions), given, radiation.band)
        how = (tuple(order), motions, given)
        fit = _fit(stamp, key, how, radiation.tolerance, radiation.poles, radiation.band, _Held(data))
    except CoefficientError as reason:
        raise ModelError([system.problem(where, str(reason))]) from None
    data = replace(data, stiffness=_stiffness(system, names, data))
    if not np.isfinite(data.stiffness).all():
        message = f"{data.source}: has no hydrostatic stiffness"
        hint = "compute it (.hst, KH.dat), or give 'stiffness' as a matrix"
        raise ModelError([system.problem(f"bodies.{names[0]}.stiffness", message, hint)])
    method = _method(system, radiation.method, fit)
    if method != "state_space":
        fit = replace(fit, poles=fit.poles[:0], residues=fit.residues[:0])
    convolved = Recall.of(data, radiation.memory, radiation.band) if method == "convolution" else None
    return Water(names, data, fit, _drifts(system, names, data), convolved)


def _with_infinite(data: Coefficients, given: tuple[object, ...], band: float | None) -> Coefficients:
    """Coefficients with the added mass at infinite frequency that bodies are given; the rest of it as it would be."""
    if all(matrix is None for matrix in given):
        return data
    known = data.added_mass_infinite
    infinite = infinite_added_mass(data.within(band)).value if known is None else known.copy()
    for i, matrix in enumerate(given):
        if matrix is not None:
            infinite[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.array(matrix)
    return replace(data, added_mass_infinite=infinite)


def _method(system: System, given: str, fit: RadiationFit) -> str:
    """How the memory of the water is carried along: by its poles where they are good enough, or nothing else can."""
    if given != "auto":
        return given
    only_poles = system.simulation.integrator in ("rk2", "rk4")
    return "state_space" if fit.met or only_poles else "convolution"


def _drifts(system: System, names: tuple[str, ...], data: Coefficients) -> dict[str, Drift]:
    """Slow forces of the bodies that ask for them."""
    found = {}
    folder = Path(system.source.path).parent if system.source is not None else Path()
    for i, name in enumerate(names):
        body = system.bodies[name]
        assert isinstance(body, FloatingBody)
        if body.drift.method == "none" or body.drift.file is None:
            continue
        file = body.coefficients
        scale = Scale(data.density, data.gravity, file.length, data.depth, file.first_column or "period")
        try:
            drift = read_drift(folder / body.drift.file, scale).of_body(file.body)
            found[name] = drift.seen_from(data.reference[i], data.depth, data.gravity)
        except CoefficientError as reason:
            raise ModelError([system.problem(f"bodies.{name}.drift.file", str(reason))]) from None
    return found


def _stiffness(system: System, names: tuple[str, ...], data: Coefficients) -> np.ndarray:
    """Hydrostatic stiffness of buoyancy alone: the file's or the one given, without the weight's share."""
    C = data.stiffness.copy()
    for i, name in enumerate(names):
        body = system.bodies[name]
        assert isinstance(body, FloatingBody)
        own, given = slice(6 * i, 6 * i + 6), body.stiffness
        if given.matrix is not None:
            C[own, own] = given.matrix
        weighted = data.stiffness_has_weight if given.includes_weight is None else given.includes_weight
        if weighted:
            weight, (x, y, z) = body.mass * float(system.environment.gravity), body.centre_of_mass
            at = 6 * i + 3
            C[at, at] += weight * z
            C[at + 1, at + 1] += weight * z
            C[at, at + 2] -= weight * x
            C[at + 1, at + 2] -= weight * y
        if given.additional is not None:
            C[own, own] += given.additional
    return C
