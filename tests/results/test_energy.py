"""The energy balance: closed when works explain the stored energy, and measured against what was exchanged."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.results import ResultError, build_dataset, energy_balance
from fairlead.results import observation as obs
from fairlead.results.energy import poor_balance

from .sinking import METADATA, sinking_shape


def balance_of(times, **totals):
    shape = sinking_shape()
    rows = np.zeros((len(times), shape.size))
    rows[:, shape.extremes.start :] = np.nan
    for name, values in totals.items():
        rows[:, shape.column(name)] = values
    return energy_balance(build_dataset(shape, times, rows, METADATA))


def test_a_swing_without_losses_exchanges_what_passes_between_height_and_speed():
    times = np.linspace(0, 2 * np.pi, 401)
    height = 100.0 * np.cos(times) ** 2
    balance = balance_of(times, energy_gravity=height + 5.0, energy_kinetic=100.0 - height)
    assert balance.error < 1e-14
    # from 100 to 0 and back, twice
    assert balance.exchanged[-1] == pytest.approx(400.0)


def test_energy_that_no_work_explains_is_the_residual():
    times = np.linspace(0, 1, 11)
    balance = balance_of(times, energy_gravity=-50.0 * times, work_drag=-48.0 * times)
    assert balance.residual[-1] == pytest.approx(-2.0)
    assert balance.exchanged[-1] == pytest.approx(49.0)
    assert balance.error == pytest.approx(2.0 / 49.0)


def test_what_turns_from_the_start_is_measured_by_the_energy_it_carries():
    """A ring that spins with 1000 J, hardly trades any and loses 30 J has lost 3 % of it, not twice what it traded."""
    times = np.linspace(0, 20, 201)
    traded = 5.0 * np.sin(times) ** 2
    balance = balance_of(times, energy_kinetic=1000.0 - 1.5 * times - traded, energy_elastic=traded)
    assert balance.exchanged[-1] < 100.0
    assert balance.error == pytest.approx(0.03)
    assert poor_balance(balance) == ()
    lost = balance_of(times, energy_kinetic=1000.0 - 15.0 * times - traded, energy_elastic=traded)
    assert "closes only to 30 %" in poor_balance(lost)[0]
    assert "more elements" in poor_balance(lost)[0], "a smaller step may be no cure"
    assert "made energy" not in poor_balance(lost)[0]
    made = balance_of(times, energy_kinetic=1000.0 + 15.0 * times - traded, energy_elastic=traded)
    assert "the steps made energy, so that peaks are as likely too high as low" in poor_balance(made)[0]


def test_a_run_from_rest_is_measured_by_what_it_exchanged():
    """What moves later does not count by itself, least of all where the numerics made it."""
    times = np.linspace(0, 1, 11)
    balance = balance_of(times, energy_gravity=-50.0 * times, energy_kinetic=40.0 * times)
    assert balance.exchanged[-1] == pytest.approx(45.0)
    assert balance.error == pytest.approx(10.0 / 45.0)


def test_a_system_at_rest_has_no_error():
    assert balance_of(np.arange(3.0), energy_gravity=7.0).error == 0.0
    assert balance_of(np.zeros(1), energy_gravity=7.0).error == 0.0


def test_the_made_up_run_closes_as_it_was_made_to(dataset, rows, shape):
    balance = energy_balance(dataset)
    assert balance.change == pytest.approx(balance.work + balance.residual)
    sunk = np.minimum(1.0, balance.time / 465.0)
    assert balance.residual == pytest.approx(300.0 * sunk * np.sin(balance.time / 80.0), abs=1e-9)
    assert rows[0, shape.column("energy_gravity")] == rows[0, shape.total_block][obs.ENERGY_GRAVITY] == -1.2e5


def test_a_result_without_energies_says_how_to_get_them(dataset):
    with pytest.raises(ResultError, match=r"outputs\.energy: true"):
        energy_balance(dataset.drop_vars(["work_drag"]))
