"""Numbers as people write them, in every sentence the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fairlead
from fairlead.words import force, number, percentage


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (number(-41834.2, 3), "-41,800"),
        (number(0.00001234, 2), "0.000012"),
        (number(3.5e12), "3.5e+12"),
        (force(1.2345e9, 3), "1,230 MN"),
        (force(-41834.2, 3), "-41.8 kN"),
        (force(12.5), "12.5 N"),
        (percentage(1.0), "100 %"),
        (percentage(0.000123), "0.012 %"),
    ],
)
def test_a_power_of_ten_stands_only_where_zeros_would_say_less(written: str, words: str) -> None:
    assert written == words


def test_no_sentence_tells_forces_masses_and_parts_by_a_format_that_falls_into_powers_of_ten() -> None:
    """`{x:.3g} N` says 4.18e+04 N; `force`, `number` and `percentage` do not."""
    root = Path(fairlead.__file__).parent
    falls = re.compile(r":\.[1-4]g\} (?:N|kN|kg|t|%|Pa|J|W)\b|:\.[1-4]g\} %")
    told = [
        f"{path.relative_to(root)}:{k}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).parts[0] != "studies"  # comparisons for the makers keep their digits
        for k, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if falls.search(line)
    ]
    assert told == []
