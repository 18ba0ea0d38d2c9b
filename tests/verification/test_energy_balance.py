"""Energy: what is stored and what the works gave and took must add up, in runs where each of them matters."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks.energy_balance import work_the_line
from fairlead.studies.verification.checks.unilateral_seabed import (
    GRAVITY,
    MASS,
    bar_on_bed,
    both_ends,
    resting_height,
)


@pytest.fixture(scope="module")
def worked_line():
    return work_the_line(0.005)


def test_drag_contact_and_a_moving_end_balance_within_one_percent(worked_line):
    """A mooring line in a current, its top moved 2 m in 8 s, thrown on and off a rough bed: the residual stays within
    1 % of the energy exchanged, at every sample."""
    balance = fl.energy_balance(worked_line)
    assert balance.error < 0.01
    assert balance.works["work_drives"][-1] > 0.3 * balance.exchanged[-1]
    assert balance.works["work_drag"][-1] < -0.3 * balance.exchanged[-1]
    assert balance.works["work_friction"][-1] < 0.0
    assert balance.works["work_damping"][-1] < 0.0


def test_with_elements_that_only_pull_it_closes_as_well():
    """Some are slack at all times, and what a step takes of them when they are caught is all that is left over."""
    result = work_the_line(0.005, compression="none")
    assert fl.energy_balance(result).error < 0.01
    assert float(result["tension_effective"].min()) >= 0.0


def test_the_residual_falls_with_the_step(worked_line):
    assert fl.energy_balance(work_the_line(0.00125)).error < 0.7 * fl.energy_balance(worked_line).error


def pendulum_cable(duration=20.0, step=0.0025, **kind):
    """A cable of 10 m, of rods, in still water let go 1.2 rad from the vertical."""
    reach = [10 * np.sin(1.2), 0.0, -30 - 10 * np.cos(1.2)]
    return fl.System.model_validate(
        {
            "types": {
                "line": {
                    "diameter": 0.1, "mass_per_length": 12.0, "axial_stiffness": 1e6,
                    "added_mass": {"normal": 1.0, "axial": 1.0}, **kind,
                }
            },
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, -30]},
                "tip": {"kind": "free", "position": reach},
            },
            "cables": {
                "line": {"type": "line", "length": 10.0, "elements": 10, "start": "top", "end": "tip"}
            },
            "simulation": {
                "start": "catenary", "duration": duration, "step": step, "output_every": 0.1,
                "bars": {"compression": "carried"},
            },
        }
    )  # fmt: skip


def test_friction_takes_the_whole_kinetic_energy_of_a_sliding_bar():
    """Work of friction = -½ m v² when it has stopped: 1 %."""
    points = both_ends(kind="free", position=[0, 0, resting_height()])
    simulation = fl.Simulation(bar_on_bed(points, 0.001, 2.0, friction=0.4))
    y, layout = simulation.state, simulation.compiled.layout
    for block in ("bar_state", "hub_state"):
        y[layout[block]].reshape(-1, 13)[:, 7] = 1.0
    simulation.state = y
    result = simulation.run()
    assert float(result["work_friction"][-1]) == pytest.approx(-0.5 * MASS, rel=0.01)
    assert fl.energy_balance(result).error < 0.01


def test_a_drive_that_lifts_gives_the_gain_in_height():
    """A bar lifted 2 m off the bed in air: work of the drives = m g Δz, 0.1 % once it moves steadily."""
    motion = {"table": [[0, 0, 0, 0], [10, 0, 0, 2]]}
    points = both_ends(kind="controlled", position=[0, 0, resting_height()], motion=motion)
    result = fl.simulate(bar_on_bed(points, 0.002, 14.0))
    height = float(result["position"].values[-1, 0, 0, 2] - result["position"].values[0, 0, 0, 2])
    assert float(result["work_drives"][-1]) == pytest.approx(MASS * GRAVITY * height, rel=1e-3)


@pytest.mark.parametrize("integrator", ["rk4", "rk2"])
@pytest.mark.parametrize("damping_time", [0.0, 0.01])
@pytest.mark.parametrize("axial_added_mass", [0.0, 1.0])
def test_runge_kutta_books_the_works_along(integrator, damping_time, axial_added_mass):
    """The same ledger integrated as part of the state, joints damped or not, the water carried alike in all directions
    or not: 1e-5 in 5 s. What is left of the balance of the default integrator is therefore its own step."""
    added = {"normal": 1.0, "axial": axial_added_mass}
    system = pendulum_cable(5.0, step=0.0005, axial_stiffness=1e5, damping_time=damping_time, added_mass=added)
    tolerance = {"relative": 1e-6, "absolute": 1e-6}
    balance = fl.energy_balance(fl.simulate(system, integrator=integrator, tolerance=tolerance))
    assert balance.error < 1e-5
    assert balance.works["work_drag"][-1] < 0.0
    assert (balance.works["work_damping"][-1] < 0.0) == (damping_time > 0.0)
