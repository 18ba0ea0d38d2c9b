"""The schedule of a winch: lengths are the exact integral of the rate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.model import Cable, Winch


def cable(**winch: object) -> Cable:
    return Cable(type="rope", length=100, elements=20, start="A", end="B", winch={"end": "start", **winch})


def test_a_constant_rate_pays_out_in_proportion() -> None:
    wire = cable(rate=0.5)
    assert wire.length_at(0) == 100
    assert wire.length_at(30) == 115
    assert wire.schedule_range(40) == (100, 120)
    assert wire.length_limits(40) == (5, 120)
    assert cable(rate=-0.5).schedule_range(40) == (80, 100)


def test_all_elements_together_may_become_short_however_few_they_are() -> None:
    """A drum keeps one element; a winch that rescales a single one could haul in nothing."""
    for elements, least in ((1, 10.0), (4, 10.0), (20, 5.0)):
        one = Cable(type="rope", length=100, elements=elements, start="A", end="B",
                    winch={"end": "start", "rate": -0.5, "mode": "rescale"})  # fmt: skip
        assert one.length_limits(40) == (least, 100)
    assert cable(rate=-0.5).length_limits(40) == (5, 100)


def test_a_table_is_integrated_exactly() -> None:
    wire = cable(table=[[0, 0], [10, 1], [20, 1], [40, -1]])
    # triangle 5 m, rectangle 10 m, then 5 m more until the rate crosses zero at 30 s, and back
    assert wire.length_at(5) == pytest.approx(100 + 0.5 * 5 * 0.5)
    assert wire.length_at(20) == pytest.approx(115)
    assert wire.length_at(30) == pytest.approx(120)
    assert wire.length_at(40) == pytest.approx(115)
    assert wire.length_at(50) == pytest.approx(105)  # the last rate is held
    assert wire.schedule_range(50) == pytest.approx((100, 120))
    assert wire.schedule_range(100) == pytest.approx((55, 120))


def test_rates_before_the_table_starts_are_held() -> None:
    assert cable(table=[[10, 2], [20, 0]]).length_at(20) == pytest.approx(100 + 20 + 10)
    assert cable(table=[[-10, 0], [10, 2]]).length_at(10) == pytest.approx(100 + 15)


def test_a_live_winch_stands_still_by_itself_and_has_its_limits() -> None:
    wire = cable(length_max=300, length_min=20)
    assert wire.winch is not None
    assert not wire.winch.scheduled
    assert wire.length_at(1000) == 100
    assert wire.length_limits(1000) == (20, 300)


def test_the_drum_is_at_the_end_it_is_said_to_be() -> None:
    wire = Cable(type="rope", element_lengths=[5, 10, 20], start="A", end="B", winch=Winch(end="end", rate=0))
    assert wire.drum_length == 20
    assert wire.length_limits(10) == (20, 35)


def test_a_cable_without_winch_keeps_its_length() -> None:
    wire = Cable(type="rope", length=100, elements=20, start="A", end="B")
    assert wire.length_at(50) == 100
    assert wire.length_limits(50) == wire.schedule_range(50) == (100, 100)


tables = st.lists(st.tuples(st.floats(0.1, 10), st.floats(-3, 3)), min_size=1, max_size=6).map(
    lambda rows: [[sum(gap for gap, _ in rows[: k + 1]), rate] for k, (_, rate) in enumerate(rows)]
)


@settings(max_examples=30, deadline=None)
@given(tables, st.floats(0.5, 60))
def test_the_range_and_the_times_agree_with_the_length(table: list[list[float]], duration: float) -> None:
    winch = Winch(end="start", table=table)
    lengths = [winch.paid_out(duration * k / 400) for k in range(401)]
    least, most = winch.extremes(duration)
    assert least <= min(lengths) + 1e-9
    assert most >= max(lengths) - 1e-9
    assert most - max(lengths) < 3 * duration / 400
    # the trapezoidal rule with many points is close to the exact integral
    steps = [0.5 * duration / 4000 * (winch.rate_at(duration * k / 4000) + winch.rate_at(duration * (k + 1) / 4000))
             for k in range(4000)]  # fmt: skip
    assert winch.paid_out(duration) == pytest.approx(sum(steps), abs=1e-2)
    for amount in (0.7 * least, 0.7 * most):
        if abs(amount) > 1e-3:
            time = winch.time_of(amount, duration)
            assert time is not None
            assert winch.paid_out(time) == pytest.approx(amount, abs=1e-6)
            assert all(abs(winch.paid_out(time * k / 50)) <= abs(amount) + 1e-6 or winch.paid_out(time * k / 50) *
                       amount < 0 for k in range(50))  # fmt: skip
    assert winch.time_of(most + 1, duration) is None
