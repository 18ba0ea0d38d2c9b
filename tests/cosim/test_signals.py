"""Signals of time as an FMU: bases, sines that begin at some moment, tables."""

from __future__ import annotations

import math

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

from fairlead.cosim.fmu import link
from fairlead.cosim.signals import export_signals
from fairlead.model import ModelError

from .host import Host

RGPS = """
title: Commanded positions of two floats
signals:
  float_1.position:
    unit: m
    base: [10, 120, 0]
    harmonic: {amplitude: [0, 50, 0], angular_frequency: 0.01, begin: 100}
  tension: {unit: kN, base: 2, table: [[0, 0], [10, 5], [20, 4]]}
"""


@pytest.fixture(params=["2.0", "3.0"])
def host(request, tmp_path):
    (tmp_path / "rgps.yaml").write_text(RGPS)
    made = export_signals(tmp_path / "rgps.yaml", tmp_path / "rgps.fmu", request.param, targets=(link.host(),))
    assert validate_fmu(str(made.path)) == []
    opened = Host(made.path)
    yield opened
    opened.close()


def test_the_sine_begins_when_it_is_told_to_and_the_table_is_linear_between_rows(host):
    host.start()
    assert host["float_1.position"].tolist() == [10, 120, 0]
    assert host["tension"].tolist() == [2.0]
    for k in range(1200):
        host.step(0.25 * k, 0.25)
        t = 0.25 * (k + 1)
        expected = 120 + (50 * math.sin(0.01 * (t - 100)) if t >= 100 else 0.0)
        assert np.allclose(host["float_1.position"], [10, expected, 0], rtol=0, atol=1e-12)
        if t == 5.0:
            assert host["tension"].tolist() == [4.5]
    assert host["tension"].tolist() == [6.0]


def test_its_outputs_have_units(host):
    units = {v.name: v.unit for v in host.description.modelVariables}
    assert units["tension"] == "kN"
    assert units["float_1.position.y" if host.two else "float_1.position"] == "m"
    assert fmpy.read_model_description(str(host.folder)).coSimulation is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("signals: {}", ["no signal"]),
        ("signals: {a: {unit: metre}}", ["unit", "metre"]),
        ("signals: {a: {table: [[0, 1], [0, 2]]}}", ["grow"]),
        ("signals: {a: {base: [1, 2], harmonic: {amplitude: [1, 2, 3], period: 5}}}", ["base", "2 numbers"]),
        ("signals: {a: {harmonic: {amplitude: 1}}}", ["period", "angular_frequency"]),
        ("signals: {a: {harmonik: {amplitude: 1}}}", ["harmonik", "harmonic"]),
    ],
)
def test_mistakes_have_a_line_and_a_cure(text, words, tmp_path):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(ModelError) as told:
        export_signals(tmp_path / "bad.yaml", tmp_path / "bad.fmu", targets=(link.host(),))
    assert "bad.yaml:1" in str(told.value)
    assert all(word in str(told.value) for word in words), told.value
