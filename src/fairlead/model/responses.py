"""How a ship answers waves: response amplitude operators, by heading and period."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Degrees, Number, Quantity, Row

MOTIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
"""The six motions of a ship, in the order of its axes."""

_PerMetre = Annotated[tuple[Number, Degrees], Row("amplitude phase_deg")]


def _motion(what: str, unit: str) -> _PerMetre:
    pair: _PerMetre = Field(
        default=(0.0, 0.0), description=f"{what}: [amplitude ({unit} per m of wave amplitude), phase_deg]"
    )
    return pair


class ResponseRow(Part):
    """The answer to waves of one period; the phase leads the crest at the body's `position`."""

    period: Annotated[float, Quantity("s", above=0)] = Field(description="period of the wave")
    surge: _PerMetre = _motion("along its own x", "m")
    sway: _PerMetre = _motion("along its own y", "m")
    heave: _PerMetre = _motion("upward", "m")
    roll: _PerMetre = _motion("turn about its own x", "deg")
    pitch: _PerMetre = _motion("turn about its own y, positive bow down", "deg")
    yaw: _PerMetre = _motion("turn about z", "deg")


class Response(Part):
    """The answers to waves that run in one direction past a body: linear between periods, held beyond them."""

    heading_deg: Annotated[float, Quantity("deg", at_least=-180, at_most=180)] = Field(
        default=180.0,
        description="direction the waves run towards, from the body's own x towards its y: 0 following, 180 head seas",
    )
    table: tuple[ResponseRow, ...] = Field(description="the answers, each period once")

    def relations(self) -> Iterator[Mistake]:
        if not self.table:
            yield Mistake(("table",), "must hold at least one row", "add {period, heave: [amplitude, phase_deg], ...}")
        known: dict[float, int] = {}
        for index, row in enumerate(self.table):
            if row.period in known:
                where, hint = ("table", index, "period"), f"it is also the period of table[{known[row.period]}]"
                yield Mistake(where, f"{row.period:g} s is given twice", hint)
            known.setdefault(row.period, index)


def different_headings(responses: Sequence[Response]) -> Iterator[Mistake]:
    """Mistakes in the headings of several responses."""
    if not responses:
        yield Mistake(("raos",), "must hold at least one heading", "add {heading_deg, table}")
    known: dict[float, int] = {}
    for index, response in enumerate(responses):
        heading = response.heading_deg
        if heading in known:
            message = f"{heading:g} degrees is given twice"
            yield Mistake(("raos", index, "heading_deg"), message, f"it is also the heading of raos[{known[heading]}]")
        known.setdefault(heading, index)
