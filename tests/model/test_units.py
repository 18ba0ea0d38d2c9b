"""Quantities written with units."""

from __future__ import annotations

import math

import pytest

from fairlead.model.units import _UNITS, KINDS, UnitError, parse_unit, read_quantity

SI = "SI Brochure, 9th edition"
NIST = "NIST Special Publication 811 (2008), Appendix B.8"
PREFIXES = {"u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
"""SI Brochure, Table 7."""
WITH_PREFIX = {
    "m": ("m", 1.0), "g": ("kg", 1e-3), "s": ("s", 1.0), "N": ("N", 1.0), "Pa": ("Pa", 1.0), "J": ("N*m", 1.0),
    "W": ("W", 1.0), "rad": ("rad/s", 1.0), "Hz": ("rad/s", 6.283185307179586),
}  # fmt: skip
"""SI Brochure, Tables 2 and 4; a frequency is read as an angular one, 2 pi rad/s for a hertz."""
NAMES = {
    "1": ("1", 1.0, SI), "%": ("1", 0.01, SI),
    "t": ("kg", 1000.0, SI), "te": ("kg", 1000.0, SI), "tonne": ("kg", 1000.0, SI),
    "lb": ("kg", 0.45359237, NIST),
    "nmi": ("m", 1852.0, SI), "NM": ("m", 1852.0, SI),
    "in": ("m", 0.0254, NIST), "inch": ("m", 0.0254, NIST), "ft": ("m", 0.3048, NIST),
    "fathom": ("m", 1.8288, "six feet, the international fathom"),
    "L": ("m^3", 1e-3, SI), "l": ("m^3", 1e-3, SI),
    "sec": ("s", 1.0, SI), "min": ("s", 60.0, SI), "h": ("s", 3600.0, SI), "hr": ("s", 3600.0, SI),
    "hour": ("s", 3600.0, SI), "d": ("s", 86400.0, SI), "day": ("s", 86400.0, SI),
    "kn": ("m/s", 0.5144444444444445, SI), "kt": ("m/s", 0.5144444444444445, SI),
    "kts": ("m/s", 0.5144444444444445, SI), "knot": ("m/s", 0.5144444444444445, SI),
    "knots": ("m/s", 0.5144444444444445, SI),
    "kgf": ("N", 9.80665, NIST), "tf": ("N", 9806.65, NIST),
    "lbf": ("N", 4.4482216152605, NIST), "kip": ("N", 4448.2216152605, NIST),
    "bar": ("Pa", 1e5, SI), "psi": ("Pa", 6894.757293168362, NIST), "ksi": ("Pa", 6894757.293168362, NIST),
    "St": ("m^2/s", 1e-4, NIST), "cSt": ("m^2/s", 1e-6, NIST),
    "deg": ("deg", 1.0, SI), "°": ("deg", 1.0, SI),
    "rpm": ("rad/s", 0.10471975511965977, NIST),
}  # fmt: skip
"""Every other name, with what one of it is and who says so."""


def test_every_name_in_the_table_of_units_has_the_size_its_source_gives() -> None:
    for name, (unit, size, source) in NAMES.items():
        assert read_quantity(f"1 {name}", unit) == pytest.approx(size, rel=1e-13), (name, source)
    for base, (unit, size) in WITH_PREFIX.items():
        for prefix, factor in PREFIXES.items():
            text = f"1 {prefix}{base}/s" if base == "rad" else f"1 {prefix}{base}"
            assert read_quantity(text, unit) == pytest.approx(factor * size, rel=1e-13), prefix + base
    tested = NAMES.keys() | {prefix + base for base in WITH_PREFIX for prefix in PREFIXES}
    assert tested == _UNITS.keys(), "each name is tested, and none is tested that is not there"


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
        ("5 kNm", "N*m", 5000.0),
        ("5 kN m", "N*m", 5000.0),
        ("5 kN.m", "N*m", 5000.0),
        ("5 kN-m", "N*m", 5000.0),
        ("5 N.m", "N*m", 5.0),
        ("5 Nmm", "N*m", 0.005),
        ("5 MN m", "N*m", 5e6),
        ("5 tf.m", "N*m", 5 * 9806.65),
        ("5 kipft", "N*m", 5 * 4448.2216152605 * 0.3048),
        ("5 kNm^2", "N*m^2", 5000.0),
        ("5 kNm²", "N*m^2", 5000.0),
        ("5 kN.m2", "N*m^2", 5000.0),
        ("5 MNm2", "N*m^2", 5e6),
        ("5 kNm s^2/rad^2", "N*m*s^2/rad^2", 5000.0),
        ("1025 kg.m-3", "kg/m^3", 1025.0),
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


def test_what_is_divided_by_is_divided_by_as_a_whole() -> None:
    assert parse_unit("1/kNm") == parse_unit("1/(kN*m)")
    assert parse_unit("rad/kNm^2") == parse_unit("rad/(kN*m^2)")


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
        ("490 Mn", "N", "unknown unit 'Mn'", "did you mean 'MN'?"),
        ("490 mn", "N", "unknown unit 'mn'", "did you mean 'mN'?"),
        ("5 KNm", "N*m", "unknown unit 'KNm'", "did you mean 'kNm'?"),
        ("5 NM", "N*m", "'5 NM' is a length, not a torque", "did you mean '5 Nm'?"),
        ("5 .m", "m", "cannot read the unit '.m'", "12 m"),
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
