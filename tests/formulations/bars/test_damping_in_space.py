"""Work of damping of a cable that bends and twists in space, against a sum over its joints made from its shape."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

ELEMENTS, LENGTH, EA, EI, GJ, TIME = 4, 3.0, 2e5, 200.0, 100.0, 0.05


def swung(step: float) -> fl.Simulation:
    """Three metres in a vacuum, clamped at one end, the other thrown aside: it goes round, bends and twists."""
    line = {"diameter": 0.1, "mass_per_length": 12.0, "axial_stiffness": EA, "bending_stiffness": EI,
            "torsional_stiffness": GJ, "damping_time": TIME}  # fmt: skip
    return fl.Simulation(
        fl.System.model_validate(
            {
                "environment": {"water_density": 0},
                "types": {"line": line},
                "points": {
                    "A": {"kind": "fixed", "position": [0, 0, -10]},
                    "E": {"kind": "free", "position": [2.5, 0, -11.5], "velocity": [0, 4, 0]},
                },
                "cables": {"line": {"type": "line", "length": LENGTH, "elements": ELEMENTS,
                                    "start": {"point": "A", "joint": "clamp", "direction": [5, 0, -3]}, "end": "E"}},
                "simulation": {
                    "formulation": "bars", "start": "catenary", "duration": 1, "step": step,
                    "bars": {"compression": "carried"},
                },
            }
        )
    )  # fmt: skip


def axes(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of quaternions, scalar first."""
    s, x, y, z = np.moveaxis(quaternion, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
        [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
        [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def spins(rotation: np.ndarray, step: float) -> np.ndarray:
    """Angular velocities (step, bar, 3) from rotations (sample, bar, 3, 3): the skew part of the turn of each step."""
    turn = np.einsum("tbij,tbkj->tbik", rotation[1:], rotation[:-1])
    skew = np.stack([turn[..., 2, 1] - turn[..., 1, 2], turn[..., 0, 2] - turn[..., 2, 0],
                     turn[..., 1, 0] - turn[..., 0, 1]], axis=-1)  # fmt: skip
    return 0.5 * skew / step


def dissipated(states: np.ndarray, step: float) -> tuple[float, float, float]:
    """Energy [J] that stretching, bending and twisting took: ∫ζk|rate|² over all joints of ELEMENTS bars.

    k is EA/l, EI/l and GJ/l between two bars, twice that at the clamp. Rates: of the gap along the mean
    axis, and of one bar's spin against the other's, across that axis and about it.
    """
    l = LENGTH / ELEMENTS
    place, rotation = states[..., :3], axes(states[..., 3:7])
    axis = rotation[..., :, 2]
    low, high = place - 0.5 * l * axis, place + 0.5 * l * axis
    mean = axis[:, 1:] + axis[:, :-1]
    mean /= np.linalg.norm(mean, axis=-1, keepdims=True)
    between = np.einsum("tbi,tbi->tb", low[:, 1:] - high[:, :-1], mean)
    at_start = np.einsum("ti,ti->t", low[:, 0] - np.array([0.0, 0.0, -10.0]), axis[:, 0])
    stretch = EA / l * (np.diff(between, axis=0) ** 2).sum() + 2 * EA / l * (np.diff(at_start) ** 2).sum()
    spin = spins(rotation, step)
    relative = spin[:, 1:] - spin[:, :-1]
    middle = 0.5 * (mean[1:] + mean[:-1])
    relative = np.concatenate((spin[:, :1], relative), axis=1)
    middle = np.concatenate((0.5 * (axis[1:, :1] + axis[:-1, :1]), middle), axis=1)
    about = np.einsum("tbi,tbi->tb", relative, middle)
    across = (relative**2).sum(axis=-1) - about**2
    share = TIME * step / l * np.array([2.0] + [1.0] * (ELEMENTS - 1))
    return TIME * stretch / step, EI * (across @ share).sum(), GJ * (about**2 @ share).sum()


@pytest.mark.parametrize("step", [0.002, 0.0005])
def test_the_ledger_has_what_the_rates_of_the_joints_take(step):
    """To 1 % with both: neither too high in space nor a matter of the step."""
    simulation = swung(step)
    block = simulation.compiled.layout["bar_state"]
    states = [simulation.state[block].reshape(-1, 13)]
    for _ in range(round(1.0 / step)):
        out = simulation.step(step)
        states.append(simulation.state[block].reshape(-1, 13))
    parts = dissipated(np.array(states), step)
    assert min(parts) > 0.003 * sum(parts), "stretching and twisting have their parts in it beside bending"
    assert -out["work_damping"] == pytest.approx(sum(parts), rel=0.01)
