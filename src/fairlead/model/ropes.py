"""How ropes stretch: along a curve, slowly and quickly by two springs, or on curves that the largest load has set."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import Field

from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.values import Quantity, Row

_Strain = Annotated[float, Quantity()]
_Force = Annotated[float, Quantity("N")]
Curve = tuple[Annotated[tuple[_Strain, _Force], Row("strain tension")], ...]
"""Tension over strain, by its corners."""


def curve_mistakes(curve: Curve, *location: str) -> Iterator[Mistake]:
    """Mistakes in a curve of tension over strain: it begins at [0, 0] and both grow."""
    if len(curve) < 2 or curve[0] != (0.0, 0.0):
        yield Mistake(location, "must begin with [0, 0] and have a second row", "rows are [strain, tension]")
    for index in range(1, len(curve)):
        if not (curve[index][0] > curve[index - 1][0] and curve[index][1] > curve[index - 1][1]):
            what = f"row {index + 1} does not grow in both strain and tension"
            yield Mistake((*location, index), what, "sort the rows; a rope that yields under constant load cannot be")


class WorkingCurves(Part):
    """A rope that has been stretched before stays longer than a new one, and is stiffer (the Syrope model).

    New rope follows the `original_curve`. Below the largest mean tension it has ever seen it follows a working curve,
    from that place of the original curve down to the strain that stays when the tension is gone.
    """

    original_curve: Curve = Field(description="static strain and tension of new rope, rows [strain, tension]")
    shape: Literal["linear", "quadratic", "exponential"] = Field(
        default="linear",
        description="T/T_max of a working curve over x, which runs from 0 to 1 between the strain that stays and that "
        "of T_max: x; x (k2 x + 1 - k2); (1 - exp(k2 x))/(1 - exp(k2))",
    )
    k1: Annotated[float, Quantity(at_least=0)] = Field(
        default=0.0,
        description="part of the strain of T_max that stays when the tension is gone; 1 or more: the stiffness dT/de "
        "of a linear working curve [N]",
    )
    k2: Annotated[float, Quantity()] = Field(default=0.0, description="how much a working curve is bent")

    def relations(self) -> Iterator[Mistake]:
        yield from curve_mistakes(self.original_curve, "original_curve")
        if self.k1 >= 1.0 and self.shape != "linear":
            yield Mistake(("k1",), f"{self.k1:g} leaves no strain to a {self.shape} curve", "give a part below 1")
        if self.shape == "linear" and self.k2 != 0.0:
            yield Mistake(("k2",), "has no meaning for a linear working curve", "remove it", True)
        if self.shape == "quadratic" and not -1.0 <= self.k2 <= 1.0:
            yield Mistake(("k2",), f"{self.k2:g} makes a working curve that falls", "stay between -1 and 1")
        if self.shape == "exponential" and not 0.0 < abs(self.k2) <= 20.0:
            yield Mistake(("k2",), f"{self.k2:g} makes no curve", "give 1 or so, not 0; at most 20")


class Axial(Part):
    """How a rope stretches, where one stiffness does not say it."""

    table: Curve | None = Field(
        default=None, description="tension over strain, rows [strain, tension], from [0, 0]; both grow"
    )
    dynamic_stiffness: Annotated[float, Quantity("N", above=0)] | None = Field(
        default=None,
        description="EA_d of quick loads; `axial_stiffness` is that of slow ones. Two springs in series, each with a "
        "damper beside it",
    )
    dynamic_per_tension: Annotated[float, Quantity(at_least=0)] = Field(
        default=0.0, description="b of EA_d = a + b T, T the mean tension, a `dynamic_stiffness`"
    )
    damping: Annotated[float, Quantity("N*s", above=0)] | None = Field(
        default=None,
        description="of the slow spring, tension per rate of its strain (MoorDyn's BA): the rope creeps with the time "
        "damping/(EA_1 + EA_d), EA_1 = EA EA_d/(EA_d - EA)",
    )
    dynamic_damping: Annotated[float, Quantity("N*s", at_least=0)] = Field(
        default=0.0, description="of the quick spring, likewise (MoorDyn's BA_D)"
    )
    working_curves: WorkingCurves | None = Field(
        default=None, description="static curves that the largest load sets (Syrope), instead of `axial_stiffness`"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "table", "dynamic_stiffness")
        quick = ("dynamic_per_tension", "damping", "dynamic_damping", "working_curves")
        if "table" in given:
            for name in (name for name in quick if name in given):
                yield Mistake((name,), "has no meaning beside 'table'", "remove it, or the table", True)
        elif "dynamic_stiffness" in given and "damping" not in given:
            yield Mistake((), "'damping' is missing beside 'dynamic_stiffness'", "give that of the slow spring", True)

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from curve_mistakes(self.table, "table")

    def softer_than_static(self, seen: float) -> tuple[float, float, float] | None:
        """Where quick loads find a rope no stiffer than slow ones do: the largest mean tension it has seen there, EA_d
        and the static slope [N]; of several such places that of the largest. None where it is always stiffer.

        seen: the largest mean tension it has seen at the start; on the curves below that it never is again.
        """
        curves = self.working_curves
        if curves is None or any(True for _ in curves.relations()):
            return None
        corners, found = curves.original_curve, []
        for (e1, t1), (e2, t2) in pairwise(corners):
            quick, static = self.stiffness_at(max(t1, seen)), (t2 - t1) / (e2 - e1)
            if t2 > seen and static >= quick:
                found.append((max(t1, seen), quick, static))
        tops = [(e, t) for e, t in corners[1:] if t > seen]
        if 0.0 < seen < corners[-1][1]:
            tops.insert(0, (_strain_under(corners, seen), seen))
        for e, t in tops:
            slopes = ((self.stiffness_at(tension), static) for tension, static in working_slopes(curves, e, t))
            found += [(t, quick, static) for quick, static in slopes if static >= quick]
        return max(found, default=None)

    def stiffness_at(self, tension: float) -> float:
        """EA_d under a mean tension [N]."""
        return (self.dynamic_stiffness or 0.0) + self.dynamic_per_tension * tension

    @property
    def curve(self) -> Curve | None:
        """The static curve of new rope where it has one: that of the table, or the original one."""
        return self.table if self.working_curves is None else self.working_curves.original_curve

    @property
    def creeps(self) -> bool:
        """Whether it has a memory."""
        return self.table is None


def working_slopes(curves: WorkingCurves, strain: float, tension: float) -> Iterator[tuple[float, float]]:
    """Tension and slope dT/de [N] along the working curve of a largest tension and its strain."""
    mean, k2 = curves.k1 if curves.k1 >= 1.0 else tension / (strain * (1.0 - curves.k1)), curves.k2
    for x in (i / 10.0 for i in range(11)):
        part, slope = x, 1.0
        if curves.shape == "quadratic":
            part, slope = x * (k2 * x + 1.0 - k2), 2.0 * k2 * x + 1.0 - k2
        elif curves.shape == "exponential":
            part, slope = math.expm1(k2 * x) / math.expm1(k2), k2 * math.exp(k2 * x) / math.expm1(k2)
        yield part * tension, slope * mean


def _strain_under(curve: Curve, tension: float) -> float:
    """Strain on a curve under a tension that is on it."""
    (e1, t1), (e2, t2) = next(pair for pair in pairwise(curve) if pair[1][1] >= tension)
    return e1 + (e2 - e1) * (tension - t1) / (t2 - t1)


def soft_ropes(types: Mapping[str, Any], cables: Mapping[str, Any]) -> Iterator[Mistake]:
    """Ropes that are softer under quick loads than under slow ones, on a curve that they may come to."""
    for name, kind in types.items():
        axial = kind.axial
        curves = None if axial is None else axial.working_curves
        if curves is None or None in (curves.original_curve, curves.shape, curves.k1, curves.k2):
            continue
        if None in (axial.dynamic_stiffness, axial.dynamic_per_tension):
            continue
        users = [cable for cable in cables.values() if name in cable.type_names]
        histories = [0.0 if cable.history is None else cable.history.tension_max or 0.0 for cable in users]
        worst = axial.softer_than_static(min(histories, default=0.0))
        if worst is not None:
            most, quick, static = worst
            message = (
                f"{quick:.4g} N is not above the static {static:.4g} N of a rope whose largest mean tension was "
                f"{most:.4g} N"
            )
            hint = "a rope is stiffer under quick loads"
            enough = next((tension for _, tension in curves.original_curve if tension > most), None)
            if users and enough is not None:
                hint = f"for rope in use give its cables a 'history' with {enough:.4g} N as 'tension_max'"
            yield Mistake(("types", name, "axial", "dynamic_stiffness"), message, hint)


def secant(curve: Sequence[Sequence[float]]) -> float:
    """Tension over strain of the last corner of a curve [N]."""
    strain, tension = curve[-1]
    return tension / strain if strain > 0.0 else math.inf


class History(Part):
    """What a rope has gone through before (types with `working_curves`)."""

    tension_max: Annotated[float, Quantity("N", above=0)] = Field(
        description="largest mean tension it has seen: it is on the working curve of that; MoorDyn's Tmax0"
    )
    tension_mean: Annotated[float, Quantity("N", at_least=0)] | None = Field(
        default=None,
        description="mean tension that its slow stretch belongs to at the start (MoorDyn's Tmean0); that of the first "
        "shape when left out, and always with `start: statics`",
    )
