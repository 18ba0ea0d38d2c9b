"""A short line in waves, and a study of it in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.study import Study

LINE = """
title: A line of five elements
environment:
  waves: {kind: jonswap, significant_height: 2, peak_period: 8, components: 8}
  seabed: {depth: 30}
types:
  chain: {diameter: 0.1, mass_per_length: 60, axial_stiffness: 2e8, drag: {normal: 1.4, axial: 0.1}, damping_time: 0.05}
points:
  anchor: {kind: anchor, position: [60, 0]}
  other: {kind: anchor, position: [-60, 0]}
  top: {kind: controlled, position: [0, 0, -1], motion: {harmonics: [{amplitude: [0.5, 0, 0.5], period: 8}]}}
cables:
  line: {type: chain, length: 75, elements: 5, start: anchor, end: top}
  back: {type: chain, length: 75, elements: 5, start: other, end: top}
simulation: {formulation: lumped, duration: 4, step: 0.05, output_every: 0.2, start: catenary}
"""

STUDY = """
study: a line in waves
system: line.yaml
vary:
  environment.waves.significant_height: [1, 2 m]
  environment.waves.seed: {seeds: 2}
seed: 7
run: {duration: 4, discard: 1}
keep:
  line.tension@top: [mean, std, max, min]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty working folder with the line in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "line.yaml").write_text(LINE)
    return tmp_path


@pytest.fixture
def study(folder):
    """`study({"seed: 7": "seed: 8"})`: the study with some of its text replaced."""

    def made(changes: dict[str, str] | None = None, name: str = "storm") -> Study:
        text = STUDY
        for old, new in (changes or {}).items():
            assert old in text
            text = text.replace(old, new)
        (folder / f"{name}.yaml").write_text(text)
        return Study(f"{name}.yaml")

    return made
