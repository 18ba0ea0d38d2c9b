"""The energy figure stacks what the balance holds."""

from __future__ import annotations

import numpy as np

from fairlead import view
from fairlead.results import energy_balance
from fairlead.view.energy import works_by_name


def test_sums_and_residual_are_those_of_the_balance(dataset):
    stored, works, rest = view.energy(dataset).axes
    balance = energy_balance(dataset)
    assert stored.get_ylabel() == "energy (kJ)"
    assert np.allclose(stored.lines[0].get_ydata(), balance.change / 1e3)
    assert np.allclose(works.lines[0].get_ydata(), balance.work / 1e3)
    assert np.allclose(rest.lines[0].get_ydata(), 100 * balance.relative_residual)
    assert stored.get_ylim() == works.get_ylim()


def test_bands_reach_as_far_as_gains_and_losses_add_up(dataset):
    _, works, _ = view.energy(dataset).axes
    balance = energy_balance(dataset)
    parts = np.array(list(balance.works.values())) / 1e3
    heights = np.concatenate([path.vertices[:, 1] for band in works.collections for path in band.get_paths()])
    assert np.isclose(heights.max(), np.maximum(parts, 0).sum(axis=0).max())
    assert np.isclose(heights.min(), np.minimum(parts, 0).sum(axis=0).min())


def test_the_title_gives_the_verdict(dataset):
    rest = view.energy(dataset).axes[2]
    assert rest.get_title(loc="left").startswith("Left over: at most 0.2")


def test_a_power_take_off_stands_for_itself(dataset):
    given = energy_balance(dataset).works
    taken = 0.25 * dataset["work_damping"]
    gear = dataset.assign({"gear.pto_force": 0.0 * taken, "gear.energy": 7.0 - taken})
    _, works, _ = view.energy(gear).axes
    names = [text.get_text() for text in works.get_legend().get_texts()]
    assert {"power take-off", "damping"} <= set(names)
    parts = works_by_name(gear, energy_balance(gear))
    assert np.allclose(parts["work_take_off"], 0.25 * given["work_damping"])
    assert np.allclose(parts["work_damping"], 0.75 * given["work_damping"])
    assert np.allclose(np.sum(list(parts.values()), axis=0), energy_balance(dataset).work)
    assert "power take-off" not in [text.get_text() for text in view.energy(dataset).axes[1].get_legend().get_texts()]
