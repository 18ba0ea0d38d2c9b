"""What is shown of a long run."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

from fairlead.simulate.progress import Bar, Cell, Lines, for_watcher, force


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


def test_a_bar_is_for_watchers_only(monkeypatch):
    stream = io.StringIO()
    assert isinstance(for_watcher(stream), Lines)
    monkeypatch.setattr(stream, "isatty", lambda: True)
    assert isinstance(for_watcher(stream), Bar)


def test_a_bar_can_be_drawn_and_closed():
    bar = Bar()
    bar.close()
    bar.begin(0.0, 10.0)
    bar.update(5.0, 1.0)
    bar.close()


def test_a_bar_under_a_cell_is_redrawn_now_and_then_and_ends_full(monkeypatch):
    drawn = []

    class Handle:
        def update(self, bundle, raw):
            drawn.append(bundle)

    def display(bundle, raw, display_id):
        assert raw
        assert display_id
        drawn.append(bundle)
        return Handle()

    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1)))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    cell = for_watcher()
    assert isinstance(cell, Cell)
    cell.close()
    cell.begin(10.0, 20.0)
    for step in range(1000):
        cell.update(10.0 + (step + 1) / 100.0, 1234.5)
    cell.close()
    assert 2 < len(drawn) < 500
    assert '<progress value="0.0000"' in drawn[0]["text/html"]
    assert '<progress value="1.0000"' in drawn[-1]["text/html"]
    assert drawn[-1]["text/plain"].startswith("20 of 20 s, ")
    assert drawn[-1]["text/plain"].endswith(" x real time, largest tension 1.234 kN")


def test_forces_are_written_as_people_read_them():
    assert [force(x) for x in (12.3456, -4567.8, 2.5e6)] == ["12.35 N", "-4.568 kN", "2.5 MN"]
