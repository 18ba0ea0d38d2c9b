"""What every formulation has in common."""

from __future__ import annotations

import pytest

from fairlead.formulations.contract import Layout


def test_a_part_of_the_state_that_is_not_there_is_named_with_those_that_are():
    layout = Layout.of(("position", 6, "m", 1.0), ("steps", 1, "1", 0.0))
    assert layout["steps"] == slice(6, 7)
    with pytest.raises(KeyError, match="no part of the state is called 'velocity'; there are: position, steps"):
        layout["velocity"]
