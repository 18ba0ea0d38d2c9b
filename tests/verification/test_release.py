"""Ends that let go: at a time, at a tension, of a fixed point or of a junction."""

import re

import numpy as np
import pytest

import fairlead as fl
from fairlead.results import energy_balance
from verification.closed_forms import free_fall

LENGTH, MASS = 4.0, 12.0  # m, kg/m
WEIGHT = LENGTH * MASS * 9.81  # N
ROD = {"diameter": 0.1, "mass_per_length": MASS, "axial_stiffness": 1e6}


def hanging_rod(release, direction, elements=4, step=0.002, loads=(), joint="ball"):
    """A vertical cable of 4 m in air on a hook at z = -1 m that lets go; it may run down from the hook or up to it."""
    hook = {"point": "hook", "joint": joint, "release": release}
    ends = {"start": hook, "end": "tip"} if direction == "down" else {"start": "tip", "end": hook}
    return fl.Simulation(
        fl.System.model_validate(
            {
                "environment": {"water_density": 0.0},
                "types": {"rod": {**ROD, "bending_stiffness": 100.0, "damping_time": 0.02}},
                "points": {
                    "hook": {"kind": "fixed", "position": [0, 0, -1]},
                    "tip": {"kind": "free", "position": [0, 0, -1 - LENGTH]},
                },
                "cables": {"rod": {"type": "rod", "length": LENGTH, "elements": elements, **ends}},
                "loads": list(loads),
                "simulation": {"start": "catenary", "duration": 10.0, "step": step},
            }
        )
    )


def at_hook(seen, direction):
    """Force of the cable on the hook (3,), and its node there."""
    name, node = ("force_start", 0) if direction == "down" else ("force_end", -1)
    return seen[f"rod.{name}"], seen["rod.position"][node]


@pytest.mark.parametrize("direction", ["down", "up"])
@pytest.mark.parametrize("joint", ["ball", "clamp"])
def test_released_at_its_time_it_falls_freely(direction, joint):
    """Held with its weight (1e-6) until t = 1 s, then no force at all, and z = z₀ - g τ²/2 to the way of one step."""
    rod = hanging_rod({"time": 1.0}, direction, joint=joint)
    before = rod.step(0.998)
    force, _ = at_hook(before, direction)
    assert force == pytest.approx([0.0, 0.0, -WEIGHT], rel=1e-6, abs=1e-6)
    start = before["tip.position"][2]
    after = rod.step(1.002)
    force, node = at_hook(after, direction)
    assert np.all(force == 0.0)
    assert after["rod.tension_effective"] == pytest.approx(np.zeros(5), abs=1.0)
    assert after["tip.position"][2] == pytest.approx(free_fall(1.0, start), abs=9.81 * 0.003)
    assert node[2] == pytest.approx(after["tip.position"][2] + LENGTH, abs=0.01)


@pytest.mark.parametrize("direction", ["down", "up"])
def test_a_weak_link_breaks_at_its_tension(direction):
    """A load growing by 100 N/s on the tip: the link of 700 N opens when weight and load reach it, within 20 ms."""
    load = {"point": "tip", "force": [0, 0, -1000], "table": [[0, 0], [10, 1]]}
    rod = hanging_rod({"tension": 700.0}, direction, loads=[load])
    broken = None
    while broken is None and rod.time < 9.0:
        force, _ = at_hook(rod.step(0.01), direction)
        assert np.linalg.norm(force) < 702.0
        if np.all(force == 0.0):
            broken = rod.time
    assert broken == pytest.approx((700.0 - WEIGHT) / 100.0, abs=0.02)
    assert rod.step(0.5)["tip.velocity"][2] < -4.0


def spread(third):
    """A weight of 200 kg at M on two cables, and a third one, given, that lets go of M after 2 s."""
    return fl.Simulation(
        fl.System.model_validate(
            {
                "types": {"rope": {"diameter": 0.03, "mass_per_length": 2.0, "axial_stiffness": 1e5}},
                "points": {
                    "A": {"kind": "fixed", "position": [-10, 0, -1]},
                    "B": {"kind": "fixed", "position": [10, 0, -1]},
                    "C": {"kind": "fixed", "position": [0, 8, -1]},
                    "M": {"kind": "free", "position": [0, 3, -9], "mass": 200.0, "volume": 0.03, "drag_area": 0.5},
                },
                "cables": {
                    "a": {"type": "rope", "length": 13.4, "elements": 5, "start": "A", "end": "M"},
                    "b": {"type": "rope", "length": 13.4, "elements": 5, "start": "M", "end": "B"},
                    "c": {"type": "rope", "length": 10.0, "elements": 5, **third},
                },
                "simulation": {"start": "catenary", "duration": 100.0, "step": 0.02},
            }
        )
    )


def test_a_junction_keeps_the_cables_that_hold():
    """After the third cable has let go, M comes to rest below A and B, which carry it and both cables (0.1 %).

    The loose cable hangs from C by itself. Its direction makes no difference.
    """
    loose = {"point": "M", "release": {"time": 2.0}}
    outcomes = [spread(third) for third in ({"start": "C", "end": loose}, {"start": loose, "end": "C"})]
    one, other = (simulation.step(100.0) for simulation in outcomes)
    assert one["M.position"] == pytest.approx(other["M.position"], abs=1e-6)
    assert one["c.position"] == pytest.approx(other["c.position"][::-1], abs=1e-5)
    assert one["M.position"][:2] == pytest.approx([0.0, 0.0], abs=0.02)
    assert np.all(one["c.force_end"] == 0.0)
    rope = 13.4 * (2.0 - 1025.0 * np.pi / 4 * 0.03**2) * 9.81
    body = (200.0 - 0.03 * 1025.0) * 9.81
    later = [outcomes[0].step(0.1) for _ in range(100)]  # M still bobs on its ropes by 0.2 %: drag of so slow a motion
    held = np.mean([seen["a.force_start"][2] + seen["b.force_end"][2] for seen in later])
    assert held == pytest.approx(-(body + 2 * rope), rel=1e-3)
    hanging = one["c.force_start"]
    assert hanging == pytest.approx([0.0, 0.0, -rope * 10.0 / 13.4], abs=0.5)


def test_released_before_it_starts_a_cable_was_never_held():
    rod = hanging_rod({"time": 0.0}, "down")
    seen = rod.step(0.5)
    assert np.all(seen["rod.force_start"] == 0.0)
    assert seen["tip.position"][2] == pytest.approx(free_fall(0.5, -1 - LENGTH), abs=0.01)


def chain_let_go(formulation, step=0.05, motion=None, weights=(), **bed):
    """A chain of 385 m on a bed 80 m deep whose upper end is let go after a second: it comes down on the bed.

    `weights` are attachments of 500 kg, by their arc lengths.
    """
    moved = {} if motion is None else {"motion": {"harmonic": motion}}
    clump = {"mass": 500.0, "volume": 0.2, "drag_area": 2.0, "added_mass": 200.0}
    return fl.simulate(
        fl.System.model_validate(
            {
                "environment": {"seabed": {"depth": 80.0, "friction": 0.7, **bed}},
                "types": {"chain": {"diameter": 0.1, "mass_per_length": 100.0, "axial_stiffness": 1e8}},
                "points": {
                    "anchor": {"kind": "anchor", "position": [0, 0]},
                    "fairlead": {"kind": "controlled", "position": [365, 0, -10], **moved},
                },
                "cables": {
                    "line": {
                        "type": "chain", "length": 385.0, "elements": 24, "start": "anchor",
                        "end": {"point": "fairlead", "release": {"time": 1.0 if motion is None else 5.0}},
                        "attachments": [clump | {"at": at} for at in weights],
                    },
                },
                "simulation": {"duration": 15.0, "step": step, "output_every": 0.2, "formulation": formulation},
            }
        )
    )  # fmt: skip


SAID = re.compile(r"note: environment\.seabed\.damping: ([\d.]+) % of the energy exchanged went where line landed")


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_line_that_lands_on_an_undamped_bed_is_told_where_its_energy_went(formulation):
    """The bed gives it back in bounces that the step takes; the damping that the note names lets the bed take it."""
    bare = chain_let_go(formulation)
    balance = energy_balance(bare)
    assert balance.error < 0.015
    taken = float(-bare["work_damping"][-1]) / balance.total
    assert taken > 0.04
    said = SAID.search(bare.attrs["warnings"])
    assert said is not None
    assert float(said[1]) / 100 == pytest.approx(taken, rel=0.2)
    note = bare.attrs["warnings"][said.end() :]
    critical = float(note.partition("following them; ")[2].partition(" N*s/m^3")[0].replace(",", ""))
    mass = 100.0 + 1025.0 * np.pi / 4 * 0.1**2
    assert critical == pytest.approx(2.0 * np.sqrt(1e5 * mass / 0.1), rel=0.03)
    fine = chain_let_go(formulation, 0.0125)
    assert energy_balance(fine).error < 0.005
    assert float(fine["work_damping"][-1]) > 0.6 * float(bare["work_damping"][-1])  # less is taken by finer steps
    damped = chain_let_go(formulation, 0.0125, damping=critical)
    assert energy_balance(damped).error < 0.005
    assert float(damped["work_damping"][-1]) < 0.0
    assert "seabed.damping" not in damped.attrs["warnings"]


@pytest.mark.parametrize("heading", [0.0, 110.0])
@pytest.mark.parametrize(
    ("formulation", "step", "bound"),
    [
        ("bars", 0.05, 0.012), ("bars", 0.025, 0.01), ("bars", 0.0125, 0.005),
        ("lumped", 0.05, 0.006), ("lumped", 0.025, 0.004), ("lumped", 0.0125, 0.003),
    ],
)  # fmt: skip
def test_energy_of_a_line_let_go_from_a_moving_fairlead_closes_to_a_hundredth(formulation, step, bound, heading):
    """Every force is booked as it acts, in the blows on the bed as well, whatever way the fairlead moves.

    What is left is the stretch that is set free, 0.7 % of the energy, whose vibration a long step damps.
    """
    c, s = np.cos(np.radians(heading)), np.sin(np.radians(heading))
    motion = {"amplitude": [2 * c - s, 2 * s + c, 1.5], "period": 8.0}
    assert energy_balance(chain_let_go(formulation, step, motion)).error < bound


@pytest.mark.parametrize(("formulation", "bound"), [("bars", 0.012), ("lumped", 0.003)])
@pytest.mark.parametrize("bed", [{}, {"damping": 2e4}, {"slope": [0.02, -0.03]}])
def test_works_on_the_bed_close_with_weights_on_the_line_on_any_bed(formulation, bound, bed):
    """Clump weights have drag of their own, which acts along the mean velocity of a blow as that of the line does."""
    motion = {"amplitude": [2.0, 1.0, 1.5], "period": 8.0}
    weighted = chain_let_go(formulation, 0.05, motion, (300.0, 385.0), **bed)
    assert energy_balance(weighted).error < bound


@pytest.mark.parametrize(("integrator", "bound"), [("semi_implicit", 0.005), ("explicit_euler", 0.015)])
def test_what_the_spring_of_the_bed_stores_is_that_at_the_end_of_either_step(integrator, bound):
    """Explicit Euler moves with the velocity of the beginning; booked as the other moves, 4 % were missing."""
    result = fl.simulate(
        fl.System.model_validate(
            {
                "environment": {"seabed": {"depth": 10.0}},
                "types": {"chain": {"diameter": 0.1, "mass_per_length": 100.0, "axial_stiffness": 1e6}},
                "points": {
                    "a": {"kind": "anchor", "position": [0, 0]},
                    "b": {"kind": "fixed", "position": [38, 0, -9.0]},
                },
                "cables": {
                    "line": {
                        "type": "chain", "length": 40.0, "elements": 8, "start": "a",
                        "end": {"point": "b", "release": {"time": 0.5}},
                    },
                },
                "simulation": {
                    "duration": 4.0, "step": 0.005, "output_every": 0.1, "start": "catenary", "integrator": integrator,
                },
            }
        )
    )  # fmt: skip
    assert energy_balance(result).error < bound
