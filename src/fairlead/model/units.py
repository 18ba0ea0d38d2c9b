"""Numbers with units: `"5 kN"` to 5000.0, with a dimension check. No expression is ever evaluated as code.

A unit is a product of named units with whole powers: `kN/m`, `kN*m^2`, `kg m-3`, `N/(m*s)`, `Pa·s`, `m²`. A product may
be written with `*`, `·`, a dot, a hyphen, a space or, of a force and a length, with nothing: `kN.m`, `kN-m`, `kNm^2`.
Factors are exact fractions, so that `"44 mm"` is the very same float as `0.044`.
"""

from __future__ import annotations

import difflib
import math
import re
from fractions import Fraction
from functools import lru_cache

Dimension = tuple[int, int, int, int]
"""Powers of kg, m, s and rad. The angle counts as a dimension so that `30 deg` is no length ratio."""

_PI = Fraction(math.pi)
_FOOT = Fraction("0.3048")
_INCH = Fraction("0.0254")
_POUND = Fraction("0.45359237")
_STANDARD_GRAVITY = Fraction("9.80665")

_ONE: Dimension = (0, 0, 0, 0)
_MASS: Dimension = (1, 0, 0, 0)
_LENGTH: Dimension = (0, 1, 0, 0)
_TIME: Dimension = (0, 0, 1, 0)
_ANGLE: Dimension = (0, 0, 0, 1)
_SPEED: Dimension = (0, 1, -1, 0)
_FORCE: Dimension = (1, 1, -2, 0)
_PRESSURE: Dimension = (1, -1, -2, 0)
_ENERGY: Dimension = (1, 2, -2, 0)
_POWER: Dimension = (1, 2, -3, 0)
_ANGULAR_RATE: Dimension = (0, 0, -1, 1)

_PREFIXES = {
    "u": Fraction(1, 10**6), "µ": Fraction(1, 10**6), "μ": Fraction(1, 10**6),
    "m": Fraction(1, 1000), "c": Fraction(1, 100),
    "k": Fraction(1000), "M": Fraction(10**6), "G": Fraction(10**9), "T": Fraction(10**12),
}  # fmt: skip
_PREFIXED: dict[str, tuple[Fraction, Dimension]] = {
    "m": (Fraction(1), _LENGTH),
    "g": (Fraction(1, 1000), _MASS),
    "s": (Fraction(1), _TIME),
    "N": (Fraction(1), _FORCE),
    "Pa": (Fraction(1), _PRESSURE),
    "J": (Fraction(1), _ENERGY),
    "W": (Fraction(1), _POWER),
    "rad": (Fraction(1), _ANGLE),
    "Hz": (2 * _PI, _ANGULAR_RATE),
}
_UNITS: dict[str, tuple[Fraction, Dimension]] = {
    **{prefix + name: (factor * size, dimension)
       for name, (size, dimension) in _PREFIXED.items() for prefix, factor in _PREFIXES.items()},
    **_PREFIXED,
    "1": (Fraction(1), _ONE), "%": (Fraction(1, 100), _ONE),
    "t": (Fraction(1000), _MASS), "te": (Fraction(1000), _MASS), "tonne": (Fraction(1000), _MASS),
    "lb": (_POUND, _MASS),
    "nmi": (Fraction(1852), _LENGTH), "NM": (Fraction(1852), _LENGTH),
    "in": (_INCH, _LENGTH), "inch": (_INCH, _LENGTH), "ft": (_FOOT, _LENGTH),
    "fathom": (6 * _FOOT, _LENGTH),
    "L": (Fraction(1, 1000), (0, 3, 0, 0)), "l": (Fraction(1, 1000), (0, 3, 0, 0)),
    "sec": (Fraction(1), _TIME), "min": (Fraction(60), _TIME), "h": (Fraction(3600), _TIME),
    "hr": (Fraction(3600), _TIME), "hour": (Fraction(3600), _TIME), "d": (Fraction(86400), _TIME),
    "day": (Fraction(86400), _TIME),
    "kn": (Fraction(1852, 3600), _SPEED), "kt": (Fraction(1852, 3600), _SPEED),
    "kts": (Fraction(1852, 3600), _SPEED), "knot": (Fraction(1852, 3600), _SPEED),
    "knots": (Fraction(1852, 3600), _SPEED),
    "kgf": (_STANDARD_GRAVITY, _FORCE), "tf": (1000 * _STANDARD_GRAVITY, _FORCE),
    "lbf": (_POUND * _STANDARD_GRAVITY, _FORCE), "kip": (1000 * _POUND * _STANDARD_GRAVITY, _FORCE),
    "bar": (Fraction(10**5), _PRESSURE), "psi": (_POUND * _STANDARD_GRAVITY / _INCH**2, _PRESSURE),
    "ksi": (1000 * _POUND * _STANDARD_GRAVITY / _INCH**2, _PRESSURE),
    "St": (Fraction(1, 10**4), (0, 2, -1, 0)), "cSt": (Fraction(1, 10**6), (0, 2, -1, 0)),
    "deg": (_PI / 180, _ANGLE), "°": (_PI / 180, _ANGLE),
    "rpm": (2 * _PI / 60, _ANGULAR_RATE),
}  # fmt: skip

_LEVERS = ("m", "mm", "ft")
"""Lengths that may follow a force without a sign between: `kNm`, `Nmm`, `kipft`."""
_MOMENTS = {
    force + lever: (force, lever)
    for force, (_, dimension) in _UNITS.items() if dimension == _FORCE
    for lever in _LEVERS if force + lever not in _UNITS
}  # fmt: skip

KINDS: dict[str, tuple[str, str]] = {
    "1": ("a plain number", "0.5"),
    "m": ("a length", "12 m, 44 mm or 1.5 km"),
    "m^2": ("an area", "0.5 m^2 or 20 cm^2"),
    "m^3": ("a volume", "0.2 m^3 or 50 L"),
    "m^4": ("a second moment of area", "216 m^4"),
    "kg": ("a mass", "250 kg or 3 t"),
    "s": ("a time", "0.1 s, 20 ms, 10 min or 3 h"),
    "N": ("a force", "500 N, 5 kN or 2 tf"),
    "Pa": ("a pressure or modulus", "120 GPa or 5 MPa"),
    "kg/m": ("a mass per length", "1.2 kg/m or 0.1 t/m"),
    "N/m": ("a force per length", "2 kN/m"),
    "N*s/m": ("a force per speed", "500 N*s/m or 2 kN*s/m"),
    "N*s": ("a force per rate of strain", "4e9 N*s or 4e6 kN*s"),
    "kg/m^3": ("a density", "1025 kg/m^3 or 7.85 t/m^3"),
    "m/s": ("a speed", "0.5 m/s or 1 knot"),
    "m/s^2": ("an acceleration", "9.81 m/s^2"),
    "m^2/s": ("a kinematic viscosity", "1.35e-6 m^2/s or 1.35 cSt"),
    "N*m": ("a torque", "100 N*m or 2 kN*m"),
    "W": ("a power", "5 kW"),
    "N*m^2": ("a bending or torsional stiffness", "500 N*m^2 or 5 kN*m^2"),
    "kg*m^2": ("a moment of inertia", "20 kg*m^2"),
    "N*m*s^2/rad^2": ("a torque per turning speed squared", "20 N*m*s^2/rad^2"),
    "N/m^3": ("a pressure per depth", "1e5 N/m^3 or 100 kPa/m"),
    "N*s/m^3": ("a pressure per speed", "1e3 Pa*s/m"),
    "deg": ("an angle", "30 deg or 0.5 rad"),
    "1/s": ("a rate", "50 1/s"),
    "rad/s": ("an angular frequency", "10 rad/s or 1.5 Hz"),
}
"""What each unit used in the model measures, in words, with examples."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*(.*?)\s*")
_TOKEN = re.compile(r"\s*(?:(\*\*|\^)?\s*([-+]?\d)(?!\d)|([^\W\d_]+|%|°)|(\*|·|⋅|\.|-(?=[^\W\d_])|/|\(|\)))")
_SUPERSCRIPTS = str.maketrans({"⁻": "-", "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4"})

QUANTITY_PATTERN = rf"^\s*{_NUMBER}.*$"
"""For JSON Schema: a number, and perhaps a unit."""


class UnitError(ValueError):
    """Text that is no quantity of the kind wanted. `hint` says what would be right."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def read_quantity(text: str, unit: str) -> float:
    """The number that `text` gives in `unit`: `read_quantity("5 kN", "N")` is 5000.0. A bare number is in `unit`."""
    kind, examples = KINDS[unit]
    hint = f"give {kind}, e.g. {examples}" if unit == "1" else f"give {kind} such as {examples}, or a number in {unit}"
    match = _QUANTITY.fullmatch(text) if len(text) <= 100 else None
    if match is None:
        raise UnitError("is not a number or a number with a unit", hint)
    number, unit_text = match.groups()
    if not unit_text:
        return float(number)
    try:
        factor, dimension = parse_unit(unit_text)
    except UnitError as error:
        raise UnitError(str(error), f"{error.hint} {hint}" if error.hint else hint) from None
    wanted_factor, wanted = parse_unit(unit)
    if dimension != wanted:
        other_case = _same_letters(unit_text, wanted)
        meant = f"did you mean '{number} {other_case}'? " if other_case else ""
        raise UnitError(f"{text.strip()!r} is {describe(dimension)}, not {kind}", meant + hint)
    try:
        return float(Fraction(number) * (factor / wanted_factor))
    except OverflowError:
        return math.inf


@lru_cache(maxsize=256)
def parse_unit(text: str) -> tuple[Fraction, Dimension]:
    """Factor to SI and dimension of a unit such as `kN*m^2`."""
    plain = text.translate(_SUPERSCRIPTS)
    tokens: list[str | int] = []
    position = 0
    while position < len(plain):
        match = _TOKEN.match(plain, position)
        if match is None:
            raise UnitError(f"cannot read the unit {text!r}", "")
        _, power, name, sign = match.groups()
        position = match.end()
        if name in _MOMENTS and name not in _UNITS:
            # The power of kNm^2 is that of the metre; the brackets keep what is divided by together.
            tokens += ["(", *_MOMENTS[name]]
            raised = _TOKEN.match(plain, position)
            if raised is not None and raised.group(2):
                tokens.append(int(raised.group(2)))
                position = raised.end()
            tokens.append(")")
        else:
            tokens.append(int(power) if power else (name or sign))
    factor, dimension, rest = _product(tokens, text)
    if rest:
        raise UnitError(f"cannot read the unit {text!r}", "")
    return factor, dimension


def describe(dimension: Dimension) -> str:
    """A dimension in words: `a force`, or its unit where it has no name here."""
    for unit, (kind, _) in KINDS.items():
        if parse_unit(unit)[1] == dimension:
            return kind
    names = ("kg", "m", "s", "rad")
    parts = [name if power == 1 else f"{name}^{power}" for name, power in zip(names, dimension, strict=True) if power]
    return "a quantity in " + "*".join(parts)


def _product(tokens: list[str | int], text: str) -> tuple[Fraction, Dimension, list[str | int]]:
    """Reads factors joined by `*`, `/` or a space up to the end or a closing bracket; returns what is left."""
    factor, dimension, sign, wants_factor = Fraction(1), _ONE, 1, True
    while tokens and tokens[0] != ")":
        token, tokens = tokens[0], tokens[1:]
        if token in ("*", "·", "⋅", ".", "-", "/"):
            if wants_factor:
                raise UnitError(f"cannot read the unit {text!r}", "")
            sign, wants_factor = (-1 if token == "/" else 1), True
            continue
        if token == "(":
            one, one_dimension, tokens = _product(tokens, text)
            if not tokens:
                raise UnitError(f"the unit {text!r} has an open bracket", "")
            tokens = tokens[1:]
        elif token == 1 and wants_factor:
            one, one_dimension = Fraction(1), _ONE
        elif isinstance(token, str):
            one, one_dimension = _named(token)
        else:
            raise UnitError(f"cannot read the unit {text!r}", "")
        power = sign
        if tokens and isinstance(tokens[0], int):
            power, tokens = sign * tokens[0], tokens[1:]
        factor *= one**power
        dimension = _times(dimension, one_dimension, power)
        sign, wants_factor = 1, False
    if wants_factor:
        raise UnitError(f"cannot read the unit {text!r}", "")
    return factor, dimension, tokens


_SELDOM_MEANT = ("Mm",)
"""Units that nobody writes by a slip of the pen."""


def _named(name: str) -> tuple[Fraction, Dimension]:
    if name in _UNITS:
        return _UNITS[name]
    names = (*_UNITS, *_MOMENTS)
    alike = [known for known in names if known.casefold() == name.casefold() and known not in _SELDOM_MEANT]
    # Of those that differ in upper and lower case only, the one that differs least: MN for Mn, not mN.
    alike.sort(key=lambda known: sum(a != b for a, b in zip(known, name, strict=False)))
    alike += difflib.get_close_matches(name, names, n=1, cutoff=0.7)
    raise UnitError(f"unknown unit {name!r}", f"did you mean '{alike[0]}'?" if alike else "")


def _times(a: Dimension, b: Dimension, power: int) -> Dimension:
    return (a[0] + power * b[0], a[1] + power * b[1], a[2] + power * b[2], a[3] + power * b[3])


def _same_letters(unit_text: str, wanted: Dimension) -> str | None:
    """The unit spelt like `unit_text` but for upper and lower case that has the dimension wanted (kn, kN)."""
    for name in (*_UNITS, *_MOMENTS):
        if name != unit_text and name.casefold() == unit_text.casefold() and parse_unit(name)[1] == wanted:
            return name
    return None
