"""`drag_diameter`: drag is taken on it, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.model import System, load_text
from fairlead.shape.layout import first_geometry

TEXT = """\
title: A line between two places
types:
  line: {{diameter: 0.1, mass_per_length: 20, axial_stiffness: 1e7, drag: {drag}{more}}}
points:
  A: {{kind: fixed, position: [0, 0, -20]}}
  B: {{kind: {end}, position: [9, 0, -20]}}
cables:
  line: {{type: line, length: 10, elements: 4, start: A, end: B}}
simulation: {{formulation: {formulation}, start: catenary, duration: 1, step: 0.01}}
"""
FORMULATIONS = ("bars", "lumped", "spline", "chain", "links", "multibody", "tether")


def system_of(formulation: str, drag: str, more: str = "") -> System:
    """The system; `multibody` runs trees, so that one end is loose there."""
    end = "free" if formulation == "multibody" else "fixed"
    return load_text(TEXT.format(formulation=formulation, drag=drag, more=more, end=end), "f.yaml")


def constants(formulation: str, drag: str, more: str = "") -> np.ndarray:
    """All constants of the compiled system."""
    system = system_of(formulation, drag, more)
    return np.array(compile_system(system, first_geometry(system)).reals)


def test_left_out_it_is_the_diameter_and_follows_it() -> None:
    system = system_of("bars", "none")
    assert system.types["line"].drag_diameter == 0.1
    assert system.with_values({"types.line.diameter": 0.2}).types["line"].drag_diameter == 0.2
    assert system_of("bars", "none", ", drag_diameter: 0.3").types["line"].drag_diameter == 0.3


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_it_counts_as_coefficients_on_another_area_would(formulation: str) -> None:
    """Constant coefficients on 1.8 times the diameter are those times 1.8 on the diameter; buoyancy, added mass, all
    else is the same."""
    wide = constants(formulation, "{normal: 1.2, axial: 0.05}", ", drag_diameter: 0.18")
    rough = constants(formulation, "{normal: 2.16, axial: 0.09}")
    plain = constants(formulation, "{normal: 1.2, axial: 0.05}")
    assert not np.allclose(wide, plain, rtol=1e-9, equal_nan=True)
    others = ~np.isclose(wide, rough, rtol=1e-12, equal_nan=True)  # the Reynolds number alone, which the law ignores
    assert wide[others] == pytest.approx(1.8 * rough[others], rel=1e-12)
    assert wide[others] == pytest.approx(np.full(others.sum(), 0.18 / 1.35e-6), rel=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_law_of_reynolds_takes_it_as_a_thicker_cable_would(formulation: str) -> None:
    """As coefficients that follow the Reynolds number: factor ½ρD and number D/ν both grow with it."""
    wide, plain = constants(formulation, "reynolds", ", drag_diameter: 0.18"), constants(formulation, "reynolds")
    changed = ~np.isclose(wide, plain, rtol=1e-12, equal_nan=True)
    assert changed.any()
    assert wide[changed] == pytest.approx(1.8 * plain[changed], rel=1e-12)
