"""Point masses and springs against closed forms, a paper's case and the bars."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.studies.verification.checks import (
    lumped_chain,
    lumped_energy,
    lumped_paper_table1,
    lumped_tether_current,
)


def _failed(check) -> list[str]:  # type: ignore[no-untyped-def]
    records = list(check())
    assert records
    return [f"{record.name}: {record.value} for {record.reference}" for record in records if not record.passed]


def test_a_hanging_chain_swings_at_the_frequencies_of_bessel() -> None:
    assert _failed(lumped_chain.check) == []


def test_the_frequency_of_a_chain_converges_with_the_square_of_the_element_length() -> None:
    exact = lumped_chain.exact_frequency(0.0)
    coarse, fine = (abs(lumped_chain.first_frequency(n, 0.0) - exact) for n in (10, 20))
    assert 3.5 < coarse / fine < 4.5


def test_the_exact_frequencies_are_those_of_an_independent_solution() -> None:
    """Steel, 3.2 m, 20 mm, 0.5 kg at the tip; independent reference solution."""
    found = [lumped_chain.exact_frequency(0.5, *water) for water in ((0.0, 0.0), (1025.0, 0.0), (1025.0, 1.0))]
    assert found == pytest.approx([2.05037, 1.93197, 1.83641], abs=1e-5)


def test_a_tether_in_a_current_rests_where_the_flexible_line_does() -> None:
    assert _failed(lumped_tether_current.check) == []


def test_the_flexible_line_is_that_of_an_independent_solution() -> None:
    assert lumped_tether_current.line_in_current() == pytest.approx((19.451702, 14.641270, 10.5779), abs=1e-4)


def test_an_undamped_chain_keeps_its_energy() -> None:
    assert _failed(lumped_energy.check) == []


def test_the_third_element_of_the_paper_has_the_published_length_every_second() -> None:
    assert _failed(lumped_paper_table1.check) == []


def test_half_the_step_leaves_the_paper_case_as_it_is() -> None:
    assert np.abs(lumped_paper_table1.third_element(5e-4) - lumped_paper_table1.third_element()).max() < 1e-5
