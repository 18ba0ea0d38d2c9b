"""A semi-submersible by coefficients on three chains: waves, thrust, free decay, against the chains by themselves.

In the frequency domain the chains are a dynamic impedance: force over motion, from runs in which the floater is moved.
Frequencies keep away from the chains' own vibrations (6.7 s), which so small motions hardly damp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import fsolve

from fairlead.floaters import DOFS
from fairlead.floaters.frequency import natural_modes, responses
from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.simulate import simulate
from fairlead.statics import natural_modes as modes_of
from fairlead.statics import solve
from fairlead.statics.mooring import moorings
from fairlead.studies.verification.platforms import DENSITY, GRAVITY, SEMI, afloat, amplitude, body, made
from fairlead.studies.verification.record import Record

from .floaters_in_waves import peaks

IMPEDANCE = "frequency domain with the dynamic impedance of the chains, measured by moving them"
STATICS = "balance of buoyancy, weight, thrust and the chains' pull at every trial pose"
MODES = "natural modes of floater and chains together"
DAMPING = "A, B and the chains' stiffness at the mode's frequency"
MOTIONS = {"surge": 0, "heave": 2, "pitch": 4}
MOVED = (0.02, 0.02, 0.02, 4e-4, 4e-4, 4e-4)
"""By how much the chains are moved to measure them, m and rad: as little as the waves do."""
HEIGHT, LIFT, THRUST, HUB = 0.04, 1.8e6, 8e5, 90.0
AROUND = [np.array([np.cos(a), np.sin(a)]) for a in np.radians([60.0, 180.0, 300.0])]
FAIRLEADS = {f"f{i}": [*(40.868 * at), -14.0] for i, at in enumerate(AROUND)}


def on_chains(one: Mapping[str, Any], step: float, duration: float, start: str = "statics", **sea: Any) -> System:
    """A body on three chains of 20 elements in 200 m of water, which feel no waves."""
    chain = {"diameter": 0.0766, "mass_per_length": 113.35, "axial_stiffness": 7.536e8, "damping_time": 0.02}
    return afloat(
        {"p": {**one, "attachments": FAIRLEADS}}, step, duration,
        environment={"water_density": DENSITY, "gravity": GRAVITY, "seabed": {"depth": 200.0}, **sea},
        types={"chain": chain},
        points={f"A{i}": {"kind": "fixed", "position": [*(837.6 * at), -200.0]} for i, at in enumerate(AROUND)},
        cables={f"c{i}": {"type": "chain", "length": 835.5, "elements": 20, "start": f"A{i}", "end": f"p.f{i}"}
                for i in range(3)},
        simulation={"formulation": "lumped", "duration": duration, "step": step, "start": start, "output_every": step,
                    "lumped": {"wave_reach": 0.0}},
    )  # fmt: skip


def check() -> Iterator[Record]:
    yield from in_waves()
    yield from under_thrust()
    yield from let_go()


@cache
def impedance(omega: float) -> np.ndarray:
    """(6, 6) of the chains at a frequency, complex; of surge, heave and pitch, the rest zero."""
    Z = np.zeros((6, 6), complex)
    period = 2.0 * np.pi / omega
    step = period / round(period / 0.1)
    for j in MOTIONS.values():
        moved = np.eye(6)[j] * MOVED
        sine = {"amplitude": list(moved[:3]), "rotation_deg": list(np.degrees(moved[3:])), "period": period,
                "phase_deg": 90.0, "rotation_phase_deg": 90.0, "ramp": 40 * period}  # fmt: skip
        one = {"kind": "prescribed", "position": [0, 0, 0], "motion": {"harmonic": sine}}
        result = simulate(on_chains(one, step, 100 * period))
        pull, t = result["force_end"].sel(end="end").values, result["time"].values  # (time, cable, axis)
        tilt = moved[4] * np.cos(omega * t)
        total = np.zeros((len(t), 6))
        for c, lever in enumerate(FAIRLEADS.values()):
            x, y, z = lever
            c_tilt, s_tilt = np.cos(tilt), np.sin(tilt)
            arm = np.stack([c_tilt * x + s_tilt * z, y + 0 * t, c_tilt * z - s_tilt * x], axis=1)
            total[:, :3] += pull[:, c]
            total[:, 3:] += np.cross(arm, pull[:, c])
        Z[:, j] = [-amplitude(force, t, omega, 20) / moved[j] for force in total.T]
    return Z


def in_waves() -> Iterator[Record]:
    _, floater = made(SEMI)
    for omega in (0.5, 0.64, 0.78, 1.08):
        period = 2.0 * np.pi / omega
        step = period / round(period / 0.1)
        waves = {"kind": "regular", "height": HEIGHT, "period": period, "ramp": 60 * period}
        result = simulate(on_chains(body([SEMI], 0, LIFT, moored=False), step, 150 * period, waves=waves))
        known = responses(floater, np.array([omega]), 0.0, impedance(omega))[0]
        for motion, i in MOTIONS.items():
            found = amplitude(result[f"p.{motion}"].values, result["time"].values, omega, 40) / (0.5 * HEIGHT)
            name = f"semi on chains in waves of {omega:g} rad/s, {motion}"
            yield Record.relative(name, IMPEDANCE, abs(found), abs(known[i]), 0.003)


def under_thrust() -> Iterator[Record]:
    """At rest under 800 kN at the hub."""
    one = body([SEMI], 0, LIFT, moored=False) | {"thrust": {"at": [0, 0, HUB], "force": THRUST}}
    rest = solve(on_chains(one, 0.1, 1.0))
    C, centre, weight = made(SEMI)[1].coefficients.stiffness, np.array(SEMI.centre), SEMI.mass * GRAVITY

    def left(pose: np.ndarray) -> np.ndarray:
        x, z, tilt = pose
        turn = np.array(rotation_matrix((0.0, float(np.degrees(tilt)), 0.0)))
        held = {"kind": "prescribed", "position": [x, 0, z], "orientation_deg": [0, float(np.degrees(tilt)), 0]}
        lines = solve(on_chains(held, 0.1, 1.0))
        force, moment = np.zeros(3), np.zeros(3)
        acting = [
            (turn @ [0, 0, HUB], turn @ [THRUST, 0, 0]), (turn @ centre, np.array([0, 0, -weight])),
            *((turn @ np.array(lever), np.asarray(lines.outputs[f"c{c}.force_end"]))
              for c, lever in enumerate(FAIRLEADS.values())),
        ]  # fmt: skip
        for arm, push in acting:
            force, moment = force + push, moment + np.cross(arm, push)
        water = np.array([0.0, weight + LIFT, 0.0]) - C[np.ix_([0, 2, 4], [0, 2, 4])] @ pose
        return np.asarray(np.array([force[0], force[2], moment[1]]) + water)

    scale = np.array([1e5, 1e6, 1e7])
    known = fsolve(lambda pose: left(pose) / scale, [9.0, 0.0, 0.05], xtol=1e-7)
    for motion, wanted, unit in zip(MOTIONS, known, ("m", "m", "rad"), strict=True):
        found = float(rest.outputs[f"p.{motion}"])
        name = f"semi on chains under 800 kN of thrust, {motion}, {unit}"
        yield Record.relative(name, STATICS, found, wanted, 0.002)


def let_go() -> Iterator[Record]:
    """A little beside its rest, so that drag on the chains is small."""
    free = on_chains(body([SEMI], 0, LIFT, moored=False), 0.1, 1.0)
    rest = solve(free)
    found = modes_of(rest.compiled, rest.y, 10)
    periods = {motion.partition(" ")[0]: 1.0 / f for motion, f in zip(found.motions, found.frequency, strict=True)}
    own = natural_modes(made(SEMI)[1], moorings(free)["p"].stiffness)
    damping = {mode.motion: mode.damping_ratio for mode in own}
    for motion, i in MOTIONS.items():
        start = np.array([float(rest.outputs[f"p.{one}"]) for one in DOFS])
        level = start[i]
        start[i] += (0.5, 0, 0.2, 0, 0.005)[i]
        one = body([SEMI], 0, LIFT, moored=False) | {"displaced": [*start[:3], *np.degrees(start[3:])]}
        step = periods[motion] / round(periods[motion] / 0.1)
        result = simulate(on_chains(one, step, 3 * periods[motion] + 10 * step, "catenary"))
        signal = result[f"p.{motion}"].values - level
        rising = np.flatnonzero((signal[:-1] < 0.0) & (signal[1:] >= 0.0))
        times = step * (rising - signal[rising] / (signal[rising + 1] - signal[rising]))
        _, heights = peaks(signal, step)
        name = f"semi on chains let go in {motion}"
        yield Record.relative(f"{name}, period", MODES, float(times[1] - times[0]), periods[motion], 0.005)
        ratio = np.exp(-2.0 * np.pi * damping[motion])
        yield Record.absolute(f"{name}, second peak over the first", DAMPING, heights[1] / heights[0], ratio, 0.02)
