"""A first run compiles its step in a process beside its statics, which is waited for, or ended with what went wrong."""

import time

import pytest

from fairlead.cli import compiling
from fairlead.model import load_text

LINE = """
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
points: {A: {kind: fixed, position: [0, 0, 0]}, B: {kind: fixed, position: [1.5, 0, 0]}}
cables: {line: {type: rope, length: 2, elements: 2, start: A, end: B}}
simulation: {duration: 1, step: 0.01}
"""


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A step that takes a while and leaves a file."""
    made = tmp_path / "made"

    def take_a_step(system: object) -> None:
        time.sleep(0.2)
        made.write_text("a step")

    monkeypatch.setattr(compiling, "take_a_step", take_a_step)
    monkeypatch.setattr(compiling, "_is_worth_it", lambda system: True)
    return made


def test_the_step_is_there_when_the_statics_are(beside) -> None:
    with compiling.step_beside(load_text(LINE, "line.yaml")):
        assert not beside.exists()
    assert beside.exists()


def test_a_failure_ends_it(beside) -> None:
    with pytest.raises(ZeroDivisionError), compiling.step_beside(load_text(LINE, "line.yaml")):
        raise ZeroDivisionError
    assert not beside.exists()


def test_a_step_that_fails_is_no_harm(beside, monkeypatch) -> None:
    def take_a_step(system: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(compiling, "take_a_step", take_a_step)
    with compiling.step_beside(load_text(LINE, "line.yaml")):
        pass
    assert not beside.exists()


@pytest.mark.parametrize("why", ["compiled", "one core", "first shape", "no folder"])
def test_where_nothing_is_gained_nothing_is_started(why, tmp_path, monkeypatch) -> None:
    from fairlead.algebra import compiled

    monkeypatch.delitem(compiling.sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiled, "is_compiled", lambda formulation: why == "compiled")
    monkeypatch.setattr(compiled, "cache_root", lambda: tmp_path / "cache")
    monkeypatch.setattr(compiling.os, "sched_getaffinity", lambda who: {0} if why == "one core" else {0, 1})
    system = load_text(LINE, "line.yaml").with_settings(start="catenary" if why == "first shape" else "auto")
    if why == "no folder":
        (tmp_path / "cache").write_text("a file")
    assert not compiling._is_worth_it(system)
    if why == "compiled":
        monkeypatch.setattr(compiled, "is_compiled", lambda formulation: False)
        assert compiling._is_worth_it(system)
