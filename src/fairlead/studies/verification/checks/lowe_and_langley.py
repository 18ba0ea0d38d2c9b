"""The flexible jumper of Lowe and Langley (2006): at rest, its upper end moved 10 m to and fro in 27 s, and in waves.

170 m of pipe with bending stiffness hang between a base and a point 100 m off and 50 m higher. The numbers are the
paper's own: forces at rest as printed, tension over time as MoorDyn's authors have read it from the paper's figures
(`lowe_and_langley_2006.cpp`, MoorDyn 2), to about 0.1 kN.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.statics import solve
from fairlead.studies.verification.record import Record

SOURCE = "Lowe and Langley, OMAE 2006, as kept in MoorDyn's tests (lowe_and_langley_2006)"
AMPLITUDE, PERIOD, PERIODS = 10.0, 27.0, 2  # m, s; the motion is faded in over the first and judged in the second
TOP, BASE = (11.40, 45.71), (11.40, 24.04)
"""Horizontal and vertical force at rest, kN."""
SERIES = {
    "along": (49.889, 47.119, 44.221, 42.160, 41.581, 42.160, 43.481, 45.155, 46.475,
              47.023, 46.675, 46.314, 46.636, 47.699, 49.631, 51.241, 52.207, 51.917),
    "across": (48.246, 46.669, 45.155, 44.382, 44.898, 46.186, 47.602, 48.794, 49.116,
               48.343, 46.733, 45.091, 44.382, 44.865, 46.153, 47.506, 48.730, 49.116),
    "up and down": (55.814, 51.885, 48.665, 46.153, 44.221, 43.416, 41.291, 37.684, 36.912,
                    39.295, 43.352, 48.118, 52.626, 55.009, 55.653, 56.232, 57.456, 57.617),
}  # fmt: skip
"""How the upper end moves, and tension there, kN, every 1.5 s of a period."""


WAVE_HEIGHT, WAVE_PERIOD, WAVE_DEPTH = 10.0, 10.0, 100.0  # m, s, m
WAVE_TIMES = 20.5 + 0.5 * np.arange(19)
"""When the tension in waves was read, s; the sea has then run for two periods more."""
IN_WAVES = {
    "along": (0.0, 230.0, (42.868, 42.468, 42.468, 42.430, 42.964, 44.490, 47.809, 50.613, 52.215, 52.616,
                           52.845, 52.673, 51.719, 49.945, 48.019, 46.607, 45.806, 45.348, 44.642)),
    "at 45 degrees": (45.0, 165.0, (41.342, 43.059, 46.149, 49.945, 52.349, 53.131, 53.321, 52.997, 51.929, 50.384,
                                    48.667, 47.446, 46.760, 46.283, 45.501, 44.337, 43.288, 42.315, 41.667)),
    "across": (90.0, 0.0, (51.319, 50.422, 49.716, 49.049, 48.000, 46.683, 44.909, 43.517, 42.163, 41.037,
                           40.179, 40.427, 42.086, 45.196, 48.362, 50.365, 51.586, 52.539, 52.692)),
}  # fmt: skip
"""How the waves run: direction and phase [deg] (the phase as MoorDyn's authors found it), tension at the top, kN."""


def in_sea(direction: float, phase: float, **more: object) -> System:
    """The jumper held at both ends in regular waves."""
    waves = {"kind": "regular", "height": WAVE_HEIGHT, "period": WAVE_PERIOD, "direction_deg": direction,
             "phase_deg": phase, "ramp": WAVE_PERIOD, **more}  # fmt: skip
    changed = {
        "environment.waves": waves,
        "environment.seabed": {"depth": WAVE_DEPTH},
        "points.top": {"kind": "fixed", "position": [0.0, 0.0, -5.0]},
        "simulation.duration": 50.0,
    }
    return jumper().with_values(changed)


def off_in_waves(way: str, **more: object) -> tuple[float, float, float]:
    """Root mean square of the difference over the mean, and the largest tension, ours and theirs, kN."""
    direction, phase, series = IN_WAVES[way]
    result, theirs = simulate(in_sea(direction, phase, **more)), np.array(series)
    tension = result["tension_effective"].sel(cable="jumper").values[:, -1] / 1e3
    ours = np.interp(WAVE_TIMES + 2 * WAVE_PERIOD, result["time"].values, tension)
    off = float(np.sqrt(np.mean((ours - theirs) ** 2)) / theirs.mean())
    return off, float(ours.max()), float(theirs.max())


def jumper(way: int | None = None) -> System:
    """The jumper, its upper end moved along an axis."""
    amplitude = [AMPLITUDE if way == axis else 0.0 for axis in range(3)]
    motion = {"harmonic": {"amplitude": amplitude, "period": PERIOD, "ramp": PERIOD}}
    return System.model_validate(
        {
            "environment": {"gravity": 9.807, "water_density": 1000.0},
            "types": {
                "pipe": {
                    "diameter": 0.396,
                    "mass_per_length": 165.0,
                    "axial_stiffness": 500e6,
                    "bending_stiffness": 120.8e3,
                    "drag": {"normal": 1.0, "axial": 0.0},
                    "added_mass": {"normal": 1.0, "axial": 0.0},
                }
            },
            "points": {
                "base": {"kind": "fixed", "position": [-100.0, 0.0, -55.0]},
                "top": {"kind": "controlled", "position": [0.0, 0.0, -5.0], "motion": motion},
            },
            "cables": {"jumper": {"type": "pipe", "length": 170.0, "elements": 68, "start": "base", "end": "top"}},
            "simulation": {"duration": PERIODS * PERIOD, "step": 0.02, "output_every": 0.1},
        }
    )


def check() -> Iterator[Record]:
    yield from at_rest()
    for way, name in enumerate(SERIES):
        yield from in_motion(way, name)
    for name in IN_WAVES:
        off, ours, reference = off_in_waves(name)
        moved = f"jumper in waves {name}, tension at its top"
        yield Record.absolute(f"{moved}, rms of the difference over the mean", SOURCE, off, 0.0, 0.008)
        yield Record.relative(f"{moved}, largest [kN]", SOURCE, ours, reference, 0.005)


def at_rest() -> Iterator[Record]:
    rest = solve(jumper())
    for end, place, theirs in (("end", "top", TOP), ("start", "base", BASE)):
        x, _, z = np.abs(np.asarray(rest.outputs[f"jumper.force_{end}"])) / 1e3
        for direction, value, reference in (("horizontal", x, theirs[0]), ("vertical", z, theirs[1])):
            name = f"jumper at rest, {direction} force at its {place} [kN]"
            yield Record.relative(name, SOURCE, float(value), reference, 0.002)


def in_motion(way: int, name: str, by: str = "", values: Mapping[str, Any] | None = None) -> Iterator[Record]:
    """The root mean square of the difference as part of the mean tension, and the largest tension; `by` says how it
    was run where it has other `values`."""
    result = simulate(jumper(way).with_values(values or {}))
    theirs = np.array(SERIES[name])
    times = PERIOD + 1.5 * np.arange(len(theirs))
    tension = result["tension_effective"].sel(cable="jumper").values[:, -1] / 1e3
    ours = np.interp(times, result["time"].values, tension)
    off = float(np.sqrt(np.mean((ours - theirs) ** 2)) / theirs.mean())
    moved = f"jumper moved {name}{by}, tension at its top"
    yield Record.absolute(f"{moved}, rms of the difference over the mean", SOURCE, off, 0.0, 0.005)
    yield Record.relative(f"{moved}, largest [kN]", SOURCE, float(ours.max()), float(theirs.max()), 0.005)
