"""Quantities written with units."""

from __future__ import annotations

import math

import pytest

from fairlead.model.units import KINDS, UnitError, parse_unit, read_quantity


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("5 kN", "N", 5000.0),
        ("5kN", "N", 5000.0),
        ("-2.5e1 N", "N", -25.0),
        ("2 tf", "N", 19613.3),
        ("120 GPa", "Pa", 120e9),
        ("3 t", "kg", 3000.0),
        ("10 m/s", "m/s", 10.0),
        ("36 km/h", "m/s", 10.0),
        ("1 knot", "m/s", 1852 / 3600),
        ("2 kN/m", "N/m", 2000.0),
        ("30 deg", "deg", 30.0),
        ("30°", "deg", 30.0),
        ("1 rad", "deg", 180 / math.pi),
        ("1.2 kg/m", "kg/m", 1.2),
        ("5 kN*m^2", "N*m^2", 5000.0),
        ("5 kN m2", "N*m^2", 5000.0),
        ("5 kN·m²", "N*m^2", 5000.0),
        ("5 kN*m**2", "N*m^2", 5000.0),
        ("1.025 t/m^3", "kg/m^3", 1025.0),
        ("1025 kg m-3", "kg/m^3", 1025.0),
        ("1025 kg m⁻³", "kg/m^3", 1025.0),
        ("100 kPa/m", "N/m^3", 1e5),
        ("7 N/(m*m)", "Pa", 7.0),
        ("10 min", "s", 600.0),
        ("3 h", "s", 10800.0),
        ("44 mm", "m", 0.044),
        ("2 in", "m", 0.0508),
        ("1.35 cSt", "m^2/s", 1.35e-6),
        ("1 Hz", "rad/s", 2 * math.pi),
        ("50 1/s", "1/s", 50.0),
        ("50 %", "1", 0.5),
        ("12", "m", 12.0),
        (" 12 m ", "m", 12.0),
    ],
)
def test_text_with_a_unit_is_the_number_in_si(text: str, unit: str, value: float) -> None:
    assert read_quantity(text, unit) == pytest.approx(value, rel=1e-15)


def test_a_millimetre_is_exactly_a_thousandth() -> None:
    assert read_quantity("44 mm", "m") == 0.044
    assert read_quantity("0.1 kN", "N") == 100.0


@pytest.mark.parametrize(
    ("text", "unit", "message", "hint"),
    [
        ("5 kg", "N", "'5 kg' is a mass, not a force", "5 kN"),
        ("5 kn", "N", "'5 kn' is a speed, not a force", "did you mean '5 kN'?"),
        ("30 deg", "m", "'30 deg' is an angle, not a length", "12 m"),
        ("5 kg*m", "N", "'5 kg*m' is a quantity in kg*m, not a force", "500 N"),
        ("5 metre", "m", "unknown unit 'metre'", "12 m"),
        ("5 KN", "N", "unknown unit 'KN'", "did you mean 'kN'?"),
        ("five m", "m", "is not a number", "12 m"),
        ("1,5 m", "m", "cannot read the unit ',5 m'", "12 m"),
        ("1 m/", "m", "cannot read the unit 'm/'", "12 m"),
        ("1 /m", "m", "cannot read the unit '/m'", "12 m"),
        ("1 (m", "m", "open bracket", "12 m"),
        ("1 m)", "m", "cannot read the unit 'm)'", "12 m"),
        ("1 m^99", "m", "cannot read the unit 'm^99'", "12 m"),
        ("1 __import__('os')", "m", "cannot read the unit", "12 m"),
        ("9" * 200, "m", "is not a number", "12 m"),
    ],
)
def test_a_wrong_unit_says_what_was_expected(text: str, unit: str, message: str, hint: str) -> None:
    with pytest.raises(UnitError) as caught:
        read_quantity(text, unit)
    assert message in str(caught.value)
    assert hint in caught.value.hint


@pytest.mark.parametrize("unit", KINDS)
def test_the_examples_given_in_hints_are_right(unit: str) -> None:
    _, examples = KINDS[unit]
    for example in examples.replace(" or ", ", ").split(", "):
        assert math.isfinite(read_quantity(example, unit))


def test_each_kind_of_quantity_has_a_dimension_of_its_own() -> None:
    dimensions = [parse_unit(unit)[1] for unit in KINDS]
    assert len(set(dimensions)) == len(dimensions)
