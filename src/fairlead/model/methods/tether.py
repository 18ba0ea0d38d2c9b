"""Settings of the `tether` formulation."""

from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.values import Flag, Quantity, Whole

_Gain = Annotated[float, Quantity(at_least=0)] | None


class TetherSettings(Part):
    """Settings of the `tether` formulation. What is left out follows `mode`."""

    mode: Literal["corrected", "paper"] = Field(
        default="corrected",
        description="`paper` takes every definition below as printed; each may be set by itself",
    )
    proportional: _Gain = Field(
        default=None, description="Kp in N, a link's force per error; from the cable's EA and the step when left out"
    )
    derivative: _Gain = Field(
        default=None, description="Kd in N s, force per rate of the error; damps the fastest stretching when left out"
    )
    integral: _Gain = Field(
        default=None,
        description="Ki in N/s, force per time integral of the error; a safe part of its bound when left out",
    )
    error: Literal["strain", "paper"] | None = Field(
        default=None, description="error of a link of length l: `strain` (d - l)/l, or the paper's (d - l)/d"
    )
    rate: Literal["velocity", "difference"] | None = Field(
        default=None, description="rate of the error: from the velocities, or as a difference of two steps (paper)"
    )
    aim: Literal["elastic", "length"] | None = Field(
        default=None,
        description="what the integral makes of a link in the end: its own stretch T/EA, or its length l (paper)",
    )
    masses: Literal["tributary", "equal"] | None = Field(
        default=None, description="mass of a node: its two half links, or the cable's mass over all nodes alike (paper)"
    )
    drag: Literal["morison", "nodes"] | None = Field(
        default=None,
        description="`morison`: across and along by the cable type, with added mass; `nodes`: -f |v| v without (paper)",
    )
    drag_factor: Annotated[float, Quantity(at_least=0)] | None = Field(
        default=None,
        description="f of `drag: nodes` in N s^2/m^2 for a node with two links; from the cable type's normal drag when "
        "left out",
    )
    first_shape: Literal["chain", "paper"] | None = Field(
        default=None,
        description="`chain` hangs in one vertical plane under its tension; `paper`: its catenary, without tension",
    )
    direction: Literal["formula", "text"] = Field(
        default="formula",
        description="direction of a link's force by the paper's formula, or by its text (it blows up)",
    )
    substeps: Annotated[int, Whole(1, 10_000)] | None = Field(
        default=None,
        description="steps made for each `step`; as many as links stiff enough for the load need when left out, one in "
        "`mode: paper`",
    )
    tension_only: Flag | None = Field(
        default=None,
        description="links go slack instead of pushing; when left out, they do where no cable has bending stiffness, "
        "and not in `mode: paper` or with `aim: length`",
    )

    @property
    def keeps_length(self) -> bool:
        """Whether links are brought back to their length whatever they bear: such a tether does not stretch."""
        return (self.aim or ("length" if self.mode == "paper" else "elastic")) == "length"
