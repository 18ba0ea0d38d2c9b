"""The rules of a drum: when an element is split or absorbed, and what is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.payout import rules

MARKS = (1.5, 0.5, 0.4)
event, limited_rate = rules.event.py_func, rules.limited_rate.py_func
lengths, speeds = st.floats(0.1, 50.0), st.floats(-5.0, 5.0)


def test_split_and_merge_act_only_while_line_moves_their_way():
    assert event(1.5, 1.0, 0.1, rules.NOTHING, *MARKS) == rules.SPLIT
    assert event(1.5, 1.0, -0.1, rules.NOTHING, *MARKS) == rules.NOTHING
    assert event(0.5, 1.0, -0.1, rules.NOTHING, *MARKS) == rules.MERGE
    assert event(0.5, 1.0, 0.1, rules.NOTHING, *MARKS) == rules.NOTHING
    assert event(1.0, 1.0, -0.1, rules.SPLIT, *MARKS) == rules.NOTHING


def test_a_merge_after_a_split_waits_for_the_lower_mark():
    """A split leaves half an element, which must not be absorbed as soon as the rate turns."""
    assert event(0.5, 1.0, -0.1, rules.SPLIT, *MARKS) == rules.NOTHING
    assert event(0.4, 1.0, -0.1, rules.SPLIT, *MARKS) == rules.MERGE
    assert event(0.49, 1.0, -0.1, rules.MERGE, *MARKS) == rules.MERGE


@given(rate=speeds, length=st.floats(2.0, 20.0), h=st.floats(1e-3, 0.5))
def test_a_winch_stops_at_its_least_and_greatest_length(rate, length, h):
    allowed = limited_rate(rate, length, 2.0, 20.0, h)
    assert 2.0 - 1e-9 <= length + h * allowed <= 20.0 + 1e-9
    assert abs(allowed) <= abs(rate) + 1e-12
    assert allowed * rate >= 0.0


@given(tension=st.floats(-1e4, 1e5), force=st.floats(-1e4, 1e4), upper=lengths, lower=lengths)
def test_a_split_keeps_the_total_stretch(tension, force, upper, lower):
    """(T_a L_a + T_b L_b)/EA is that of the element before, and the parts differ by the force on the new node."""
    a, b = rules.split_tensions.py_func(tension, force, upper, lower)
    scale = 1e-9 * (abs(tension) + abs(force) + 1.0)
    assert a - b == pytest.approx(force, abs=scale)
    assert a * upper + b * lower == pytest.approx(tension * (upper + lower), abs=scale * (upper + lower))


def test_line_at_a_new_node_moves_with_the_line():
    """Without stretching it has the speed of the far end, whatever the drum does; with it, v₁ − L_b ε̇."""
    assert rules.split_speed.py_func(0.5, 0.0, 1.0) == 0.5
    assert rules.split_speed.py_func(0.5, 0.1, 2.0) == pytest.approx(0.3)


@given(a=speeds, b=speeds, ma=lengths, mb=lengths)
def test_a_merge_keeps_momentum(a, b, ma, mb):
    merged = rules.merged_speed.py_func(a, ma, b, mb)
    assert merged * (ma + mb) == pytest.approx(ma * a + mb * b, abs=1e-9 * (ma + mb))
    assert min(a, b) - 1e-9 <= merged <= max(a, b) + 1e-9
