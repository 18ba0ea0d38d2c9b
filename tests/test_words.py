"""Numbers as people write them."""

from __future__ import annotations

import pytest

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


def test_text_that_steers_a_terminal_or_a_page_is_shown_as_escapes():
    """A right-to-left override makes `txt.exe` of `exe.txt`; an escape sequence can clear the screen."""
    from fairlead.words import page_text, plain_text

    assert plain_text("a\u202egpj.exe\x1b[2J") == r"a\u202egpj.exe\u001b[2J"
    assert plain_text("kéy: 5 µm\n\tnext") == "kéy: 5 µm\n\tnext"
    assert page_text("<b>\u2066x\u2069</b>\r\n") == "&lt;b&gt;\\u2066x\\u2069&lt;/b&gt;\n"
