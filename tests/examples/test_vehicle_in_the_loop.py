"""The vehicle with dynamics of its own: forces balance at rest, and its tether is felt."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from .files import FOLDER


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("vehicle_in_the_loop", FOLDER / "vehicle_in_the_loop.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_at_rest_thrust_drag_weight_and_tether_add_up_to_nothing(script, monkeypatch, tmp_path):
    """The pilot stays where he is; a vehicle held by nothing but its thrusters against current, lift and tether."""
    monkeypatch.setattr(script, "SQUARE", (tuple(script.START + np.array([2.0, 0.0, 0.0])),))
    found = script.sail(40.0)
    thrust, pull = found["thrust"][-1], found["pull"][-1]
    assert np.abs(found["speed"][-1]).max() < 0.01
    flow = script.FLOW - found["speed"][-1]
    drag = script.Vehicle.drag * np.abs(flow) * flow  # the heading is held, so that its axes are those of the world
    rest = thrust + pull + drag + [0.0, 0.0, -script.Vehicle.weight]
    assert np.linalg.norm(pull) > 2.0
    assert np.linalg.norm(rest) < 0.1 * np.linalg.norm(pull)
    script.draw(found, tmp_path / "vehicle.png")
    assert (tmp_path / "vehicle.png").stat().st_size > 10_000


def test_its_own_turns_are_rotations(script):
    turn = np.array([0.3, -0.2, 0.9])
    matrix = script.rotation(turn)
    assert matrix @ matrix.T == pytest.approx(np.eye(3))
    assert matrix @ turn == pytest.approx(turn)
    assert script.rotation([0.0, 0.0, np.pi / 2]) @ [1, 0, 0] == pytest.approx([0, 1, 0])
