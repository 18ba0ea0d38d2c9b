"""The values parts are made of: quantities with units, whole numbers, names, rows and vectors."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Annotated, Any, ClassVar

from pydantic import Field, Strict
from pydantic.annotated_handlers import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from fairlead.model.problems import shown, wrong
from fairlead.model.units import KINDS, QUANTITY_PATTERN, UnitError, read_quantity

LARGEST = 1e15
SMALLEST = 1e-15
"""Bounds on every quantity in SI units, so that no product or quotient of a few of them can overflow."""
MEASURES = {"m/s": 1e3, "kg": 1e11, "kg/m": 1e7}
"""What no speed, no mass and no cable is larger than, by unit: with such ones statics would search in vain."""


@dataclass(frozen=True)
class Quantity:
    """Marks a float that may be written as a number in `unit` or as text with a unit of the same dimension."""

    unit: str = "1"
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    cure: str = ""
    """What to do about a value out of bounds."""

    def read(self, value: object) -> float:
        """Validates what the user gave; the result is in `unit` and finite."""
        kind, examples = KINDS[self.unit]
        wanted = f"give a number in {self.unit}, or text such as {examples}" if self.unit != "1" else "give a number"
        if isinstance(value, str):
            try:
                number = read_quantity(value, self.unit)
            except UnitError as error:
                text = str(error)
                raise wrong(f"{shown(value)} {text}" if text.startswith("is ") else text, error.hint) from None
        elif isinstance(value, Real) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
        else:
            raise wrong(f"must be {kind}, not {shown(value)}", wanted)
        if not math.isfinite(number):
            raise wrong(f"must be a finite number, not {shown(value)}", wanted)
        self._check_bounds(number)
        return number

    @property
    def largest(self) -> float:
        """Beyond all measure is what is larger, whatever it is of."""
        return MEASURES.get(self.unit, LARGEST)

    def _check_bounds(self, number: float) -> None:
        unit = "" if self.unit == "1" else f" {self.unit}"
        if abs(number) > self.largest or (self.above == 0 and 0 < number < SMALLEST):
            cure = f"stay within {SMALLEST:g} and {self.largest:g}{unit}"
            raise wrong(f"{shown(number)}{unit} is beyond all measure", cure)
        if self.above is not None and not number > self.above:
            raise wrong(f"must be above {self.above:g}{unit}, not {shown(number)}{unit}", self.cure)
        if self.at_least is not None and number < self.at_least:
            raise wrong(f"must be at least {self.at_least:g}{unit}, not {shown(number)}{unit}", self.cure)
        if self.at_most is not None and number > self.at_most:
            raise wrong(f"must be at most {self.at_most:g}{unit}, not {shown(number)}{unit}", self.cure)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        number: dict[str, Any] = {"type": "number"}
        bounds = {"exclusiveMinimum": self.above, "minimum": self.at_least, "maximum": self.at_most}
        number.update({name: bound for name, bound in bounds.items() if bound is not None})
        return {"anyOf": [number, {"type": "string", "pattern": QUANTITY_PATTERN}], "unit": self.unit}


class OnBed(float):
    """The z of a point that was put on the seabed, m: the level of the bed there, once it is known."""


@dataclass(frozen=True)
class Height:
    """Marks a height in m that may be `bed`: on the seabed, wherever that is."""

    def read(self, value: object) -> float:
        if isinstance(value, OnBed):
            return value
        return OnBed(0.0) if value == "bed" else Quantity("m").read(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        metres = Quantity("m").__get_pydantic_json_schema__(schema, handler)
        return {"anyOf": [*metres["anyOf"], {"const": "bed"}], "unit": "m"}


@dataclass(frozen=True)
class TwoOrThree:
    """Marks the place of an anchor: [x, y], on the seabed there, or [x, y, z]."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "minItems": 2}

    @staticmethod
    def read(value: object) -> object:
        value = value.tolist() if hasattr(value, "tolist") else value
        return [*value, "bed"] if isinstance(value, (list, tuple)) and len(value) == 2 else value


@dataclass(frozen=True)
class Whole:
    """Marks a whole number between bounds. `50.0` is taken as 50; text and booleans are not numbers."""

    at_least: int
    at_most: int

    def read(self, value: object) -> int:
        countable = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
        if not countable or isinstance(value, bool):
            raise wrong(f"must be a whole number, not {shown(value)}")
        number: int = int(value)  # type: ignore[call-overload]
        if number < self.at_least:
            raise wrong(f"must be at least {self.at_least}, not {shown(number)}")
        if number > self.at_most:
            raise wrong(f"must be at most {self.at_most}, not {shown(number)}")
        return number

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "integer", "minimum": self.at_least, "maximum": self.at_most}


@dataclass(frozen=True)
class Row:
    """Marks a tuple of fixed length, e.g. `[x, y, z]`, so that a wrong count is reported as one mistake."""

    columns: str

    def check(self, value: object) -> object:
        value = value.tolist() if hasattr(value, "tolist") else value
        names = self.columns.split()
        if not isinstance(value, (list, tuple)):
            raise wrong(f"must be a list [{', '.join(names)}], not {shown(value)}")
        if len(value) != len(names):
            raise wrong(f"must hold {len(names)} numbers [{', '.join(names)}], not {len(value)}")
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.check, handler(source))


class NameRule:
    """Marks the name of a point, cable or type; a dot would clash with inputs such as `B.position`."""

    pattern: ClassVar[str] = r"^\w[\w-]{0,63}$"
    cure: ClassVar[str] = "use up to 64 letters, digits, '_' and '-'; no dots, no spaces"

    def read(self, value: object) -> str:
        if not isinstance(value, str):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            raise wrong(f"must be a name, not {shown(value)}", f'put it in quotes: "{shown(value)}"' if number else "")
        if not re.match(self.pattern, value) or value.endswith("\n"):
            raise wrong(f"{shown(value)} is no name", self.cure)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "pattern": self.pattern}


class PlaceRule(NameRule):
    """Marks the name of a place: a point, or an attachment of a body such as `vessel.tip`."""

    pattern = r"^\w[\w-]{0,63}(\.\w[\w-]{0,63})?$"
    cure = "name a point, as in 'A', or an attachment of a body, as in 'vessel.tip'"


Name = Annotated[str, NameRule()]
PlaceName = Annotated[str, PlaceRule()]
Flag = Annotated[bool, Strict()]
Text = Annotated[str, Strict(), Field(max_length=100_000)]

Number = Annotated[float, Quantity()]
NonNegative = Annotated[float, Quantity(at_least=0)]
Metres = Annotated[float, Quantity("m")]
Seconds = Annotated[float, Quantity("s")]
Degrees = Annotated[float, Quantity("deg")]
MetresPerSecond = Annotated[float, Quantity("m/s")]
Newtons = Annotated[float, Quantity("N")]
NewtonMetres = Annotated[float, Quantity("N*m")]

Position = Annotated[tuple[Metres, Metres, Metres], Row("x y z")]
BedPosition = Annotated[tuple[Metres, Metres, Annotated[float, Height()]], Row("x y z")]
AnchorPosition = Annotated[BedPosition, TwoOrThree()]
Velocity = Annotated[tuple[MetresPerSecond, MetresPerSecond, MetresPerSecond], Row("x y z")]
Force = Annotated[tuple[Newtons, Newtons, Newtons], Row("x y z")]
Torque = Annotated[tuple[NewtonMetres, NewtonMetres, NewtonMetres], Row("x y z")]
Direction = Annotated[tuple[Number, Number, Number], Row("x y z")]
Angles = Annotated[tuple[Degrees, Degrees, Degrees], Row("roll pitch yaw")]
