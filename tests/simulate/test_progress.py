"""What is shown of a long run."""

from __future__ import annotations

import io

from fairlead.simulate.progress import Bar, Lines, for_terminal, force


def test_lines_come_only_now_and_then():
    stream = io.StringIO()
    often, seldom = Lines(stream, seconds_between=0.0), Lines(stream, seconds_between=60.0)
    seldom.begin(0.0, 10.0)
    seldom.update(5.0, 1234.5)
    assert stream.getvalue() == ""
    often.begin(0.0, 10.0)
    often.update(5.0, 1234.5)
    assert stream.getvalue().startswith("5 of 10 s simulated, ")
    assert stream.getvalue().endswith(" x real time, largest tension 1.234 kN\n")


def test_a_bar_is_for_terminals_only(monkeypatch):
    stream = io.StringIO()
    assert isinstance(for_terminal(stream), Lines)
    monkeypatch.setattr(stream, "isatty", lambda: True)
    assert isinstance(for_terminal(stream), Bar)


def test_a_bar_can_be_drawn_and_closed():
    bar = Bar()
    bar.close()
    bar.begin(0.0, 10.0)
    bar.update(5.0, 1.0)
    bar.close()


def test_forces_are_written_as_people_read_them():
    assert [force(x) for x in (12.3456, -4567.8, 2.5e6)] == ["12.35 N", "-4.568 kN", "2.5 MN"]
