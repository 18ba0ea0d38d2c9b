"""The examples of this formulation show their numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks.multibody_tables import LENGTHS, PRINTED

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_double_pendulum_keeps_its_energy_and_its_plane():
    """20 s: what is lost is booked, 1 % of the swing's energy at most; nothing leaves the plane y = 0."""
    result = fl.simulate(fl.load(EXAMPLES / "double_pendulum.yaml"))
    energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
    swing = result["energy_kinetic"].values.max()
    assert np.abs(energy - energy[0]).max() < 0.01 * swing
    assert np.abs(result["position"].sel(cable="wire", axis="y").values[:, :2]).max() < 1e-9
    pull = np.linalg.norm(result["force_end"].sel(cable="wire", end="start").values, axis=-1)
    assert pull.max() > 1.5 * 1.5 * 9.81
    plumb = result["position"].sel(cable="plumb").values[:, 1]
    assert plumb[:, :2] == pytest.approx(np.tile([0.0, 1.0], (len(plumb), 1)), abs=1e-9)


def test_swinging_cable_has_the_lengths_of_table_1():
    """Third element at t = 1 … 10 s: 2e-5 m."""
    nodes = fl.simulate(fl.load(EXAMPLES / "paper_cable_swinging.yaml"))["position"].sel(cable="wire").values
    found = np.linalg.norm(nodes[10::10, 3] - nodes[10::10, 2], axis=-1)
    assert np.abs(found - LENGTHS).max() < 2e-5


def test_hanging_cable_has_the_lengths_and_tensions_of_table_2():
    """Lengths 1e-5 m; tensions of 10, 8 and 6 kg."""
    last = fl.simulate(fl.load(EXAMPLES / "paper_cable_hanging.yaml")).isel(time=-1)
    nodes = last["position"].sel(cable="wire").values
    assert np.abs(np.linalg.norm(np.diff(nodes, axis=0), axis=1) - PRINTED).max() < 1e-5
    tension = last["tension_effective"].sel(cable="wire").values
    assert tension[1:3] == pytest.approx([9.81 * 9.0, 9.81 * 7.0], rel=1e-4)
