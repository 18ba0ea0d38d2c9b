"""Runs that reduced models are made from: short, of the slack cables of Escalante et al.."""

from __future__ import annotations

import pytest

from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.reduced_slack_cable import short


@pytest.fixture(scope="session")
def plane():
    return Simulation(short(1)).run()


@pytest.fixture(scope="session")
def turned():
    return Simulation(short(2)).run()
