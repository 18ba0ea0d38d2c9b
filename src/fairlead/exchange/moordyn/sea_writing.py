"""Seabed, current and waves as the files that lie beside a MoorDyn file, and the options that ask for them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.model.bathymetry import Bathymetry
from fairlead.model.current_field import CurrentField
from fairlead.model.environment import Seabed

from ..notes import Notes
from .numerals import neat
from .side_files import FREQUENCIES, IN_SPACE, OVER_TIME, PROFILE

SEAFLOOR = "seafloor.txt"
WAVE_STEP = 0.02
"""s: how often MoorDyn finds the motion of the water in waves anew."""
FAR = 2.0
"""Times the reach of a system: how far out a sloping plane is given."""

Option = tuple[object, str]


def sea_refusals(system: System, waves: np.ndarray | None) -> Iterator[str]:
    """What of the sea MoorDyn has no file for. waves: the regular ones that the sea is made of, if known."""
    environment = system.environment
    if environment.waves is not None and waves is None:
        yield "environment.waves: say which regular waves they are made of: waves=wave_components(system.environment)"
    if environment.seabed is None:
        yield "environment.seabed: MoorDyn needs the depth of the water; give the seabed"
    if environment.current_field is not None and environment.current:
        yield "environment.current_field: MoorDyn knows one current; leave out 'current', or add it to the field"
    elif environment.current_field is not None and not _has_file(environment.current_field):
        yield "environment.current_field: MoorDyn takes even steps of time, from 0 on, over two or more times"


def sea_files(
    system: System, waves: np.ndarray | None, shift: float, notes: Notes
) -> tuple[dict[str, str], list[Option]]:
    """Files by name, and options.

    waves: rows [amplitude, kx, ky, ω, phase] of the regular waves those of the system are made of. shift: how much
    higher MoorDyn's bed is, which meets the axis of a line, m.
    """
    environment = system.environment
    files: dict[str, str] = {}
    options: list[Option] = []
    bed = environment.seabed
    assert bed is not None
    survey = _survey(system, bed, notes)
    if survey is not None:
        files[SEAFLOOR] = _grid(survey, shift)
        options.append((SEAFLOOR, "SeafloorFile"))
        notes.changed(SEAFLOOR, "MoorDyn looks for it in the folder it is started in, not beside its own file")
        if environment.waves is not None and abs(_mean(survey) - bed.depth) > 1e-6 * bed.depth:
            why = f"their length is that in the mean depth, {_mean(survey):.5g} m, here in {bed.depth:.5g} m"
            notes.changed("environment.waves", why)
    if environment.current:
        rows = [f"{z!r} {v[0]!r} {v[1]!r} {v[2]!r}" for z, v in environment.current_table]
        files[PROFILE] = "\n".join(["--- current ---", "z ux uy uz", "(m) (m/s) (m/s) (m/s)", *rows]) + "\n"
        options.append((1, "Currents"))
    field = environment.current_field
    if field is not None and field.counts[1:3] == (1, 1):
        files[OVER_TIME] = _field_over_time(field)
        options.append((2, "Currents"))
    elif field is not None:
        files[IN_SPACE] = _field_in_space(field)
        options.append((5, "Currents"))
    if environment.waves is not None and waves is not None:
        files[FREQUENCIES] = _frequencies(waves)
        options += [(7, "WaveKin"), (WAVE_STEP, "dtWave")]
        _tell_of_waves(environment.waves, len(waves), notes)
    return files, options


# ---- the bed


def _survey(system: System, bed: Seabed, notes: Notes) -> Bathymetry | None:
    """The grid of depths, of a sloping plane too; None where the bed is flat."""
    if bed.bathymetry is not None:
        _tell_of_pieces(bed.bathymetry, notes)
        return bed.bathymetry
    if not any(bed.slope):
        return None
    reach = max((math.dist((0, 0), place[:2]) for place in _places(system)), default=0.0)
    reach = math.ceil(FAR * (reach + max((cable.total_length for cable in system.cables.values()), default=0.0)))
    sides = (-float(reach), float(reach))
    depths = tuple(tuple(bed.depth - bed.slope[0] * x - bed.slope[1] * y for y in sides) for x in sides)
    notes.changed("environment.seabed.slope", f"as a grid of depths up to {reach} m from x = y = 0")
    return Bathymetry(x=sides, y=sides, depth=depths)


def _places(system: System) -> Iterator[tuple[float, float, float]]:
    for point in system.points.values():
        if point.position is not None:
            yield point.position
    for body in system.bodies.values():
        yield body.position


def _tell_of_pieces(survey: Bathymetry, notes: Notes) -> None:
    """Say how far MoorDyn's bed is from ours in the middle of the cells, where they are apart."""
    x, y = (np.array([0.5 * (a + b) for a, b in pairwise(axis or ())]) for axis in (survey.x, survey.y))
    if not (len(x) and len(y)):
        return
    z = -np.array(survey.depth)
    flat = 0.25 * (z[1:, 1:] + z[:-1, 1:] + z[1:, :-1] + z[:-1, :-1])
    apart = float(np.abs(survey.relief.at(x[:, None], y[None, :])[0] - flat).max())
    if apart > 1e-9:
        why = f"is made of even pieces between its depths there, and smooth here: up to {apart:.3g} m apart"
        notes.changed("environment.seabed", why)


def _mean(survey: Bathymetry) -> float:
    return float(np.mean(survey.depth or ()))


def _grid(survey: Bathymetry, shift: float) -> str:
    """Counts, both axes, then x y z; z as MoorDyn has it, below 0."""
    x, y, depth = survey.x or (), survey.y or (), survey.depth or ()
    if len(x) == 1:
        x, depth = (x[0], x[0] + 1.0), (depth[0], depth[0])
    if len(y) == 1:
        y, depth = (y[0], y[0] + 1.0), tuple((row[0], row[0]) for row in depth)
    rows = [f"{len(x)} {len(y)}", " ".join(map(repr, x)), " ".join(map(repr, y))]
    for a, line in zip(x, depth, strict=True):
        rows += [f"{a!r} {b!r} {neat(shift - value)!r}" for b, value in zip(y, line, strict=True)]
    return "\n".join(rows) + "\n"


# ---- the current


def _has_file(field: CurrentField) -> bool:
    steps = [b - a for a, b in pairwise(field.t)]
    return bool(steps) and field.t[0] == 0.0 and max(steps) - min(steps) <= 1e-6 * max(steps)


def _field_over_time(field: CurrentField) -> str:
    """Four lines of heading, the heights, a line that is passed over; then t, all ux, all uy, all uz."""
    head = ["--- current over time ---", "heights, then a time and all ux, all uy, all uz", "(m)", "z"]
    rows = [*head, " ".join(map(repr, field.z)), "t ux uy uz"]
    velocity, n = field.velocity or (), len(field.z)
    for k, t in enumerate(field.t):
        now = velocity[k * n : (k + 1) * n]
        rows.append(" ".join(map(repr, (t, *(row[part] for part in range(3) for row in now)))))
    return "\n".join(rows) + "\n"


def _field_in_space(field: CurrentField) -> str:
    """Counts of x, y, z and t, a line of each axis; then x y z t ux uy uz."""
    axes = (field.x, field.y, field.z, field.t)
    rows = [" ".join(str(len(axis)) for axis in axes), *(" ".join(map(repr, axis)) for axis in axes)]
    for (t, x, y, z), speed in zip(product(field.t, field.x, field.y, field.z), field.velocity or (), strict=True):
        rows.append(" ".join(map(repr, (x, y, z, t, *speed))))
    return "\n".join(rows) + "\n"


# ---- the waves


def _frequencies(waves: np.ndarray) -> str:
    """A line without a wave, which MoorDyn asks for; then ω, two parts of an amplitude c and a direction β [rad].

    η = |c| sin(ωt − k d + arg c) there and a cos(k d − ωt + phase) here: arg c is 90° − phase.
    """
    rows = ["0.0 0.0 0.0 0.0"]
    for amplitude, kx, ky, omega, phase in waves.astype(float).tolist():
        turn = 0.5 * math.pi - phase
        parts = (omega, amplitude * math.cos(turn), amplitude * math.sin(turn), math.atan2(ky, kx))
        rows.append(" ".join(repr(neat(value)) for value in parts))
    return "\n".join(rows) + "\n"


def _tell_of_waves(waves: Any, count: int, notes: Notes) -> None:
    if waves.kind != "components":
        notes.changed("environment.waves", f"as a list of {count} regular waves, which is what they are made of")
    if waves.ramp > 0.0:
        why = "MoorDyn's waves are there at once: results are alike from some periods after it on"
        notes.dropped(f"environment.waves.ramp {waves.ramp:g} s", why)
    if waves.stretching != "wheeler":
        notes.changed("environment.waves.stretching", "MoorDyn stretches by Wheeler's rule alone")
