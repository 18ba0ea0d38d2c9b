"""The page on stepping live: its Python runs as it stands, only for a shorter time, and its YAML is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.model import load_text
from fairlead.studies.benchmarks.measurements import live_step

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHORTER = (("sim.time < 60", "sim.time < 2"), ("duration=60, real", "duration=0.5, real"), ("=60", "=2"))


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def mooring(tmp_path, monkeypatch) -> str:
    """The file of the quick start in an empty working folder."""
    monkeypatch.chdir(tmp_path)
    text = blocks("quick_start.md", "yaml")[0]
    (tmp_path / "mooring.yaml").write_text(text, encoding="utf-8")
    return text


@pytest.mark.usefixtures("mooring")
def test_the_python_shown_runs(capsys):
    names = {"joystick": lambda t: (365.0, 0.0, -10.0)}
    for block in blocks("how_to_live.md", "python"):
        for long, short in SHORTER:
            block = block.replace(long, short)
        exec(compile(block, "how_to_live.md", "exec"), names)
    said = capsys.readouterr().out
    assert "['fairlead.position']" in said
    assert "complete" in said
    assert "cable 'line', element " in said, "what failed after the jump"


def test_the_inputs_shown_are_right(mooring, tmp_path):
    (tmp_path / "measured").mkdir()
    (tmp_path / "measured" / "vessel.csv").write_text("t,x,y,z\n0,365,0,-10\n1,366,0,-10\n")
    shown = blocks("how_to_live.md", "yaml")
    assert len(shown) == 2
    for section in shown:
        assert load_text(mooring + section).inputs["fairlead.position"].width == 3


def test_the_benchmark_measures_the_python_around_a_step(monkeypatch):
    monkeypatch.setattr(live_step, "ROUNDS", 2)
    monkeypatch.setattr(live_step, "CALLS", 20)
    records = {record.name.split(", ")[1]: record for record in live_step.measure()}
    assert list(records) == ["kernels alone", "whole", "99 of 100 within", "Python around the kernels"]
    assert all(record.unit == "µs" and record.value > 0 for record in records.values())
    assert records["Python around the kernels"].value < 200.0, "microseconds, on a busy machine too"
