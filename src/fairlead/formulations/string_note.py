"""What is said in the same words of motions across a cable, held by its tension, and of releases by tension."""

from __future__ import annotations

from fairlead.model import System
from fairlead.words import percentage


def damped_form(damped: float, total: float) -> str:
    """The form of the string stiffness that a run came to by itself, in words."""
    return f"damped in {percentage(damped / max(1.0, total))} of element steps" if damped else "undamped"


def string_note(h: float, damped: float, total: float) -> tuple[str, ...]:
    """A note where elements were damped across the cable in `damped` of `total` element steps of h [s]."""
    if damped == 0:
        return ()
    return (
        f"simulation.step: {h:g} s was beyond the undamped bound 2/omega of the string stiffness in "
        f"{percentage(damped / max(1.0, total))} of all element steps; there the damped form was used, which damps "
        "pendulum motions; use a smaller step if they matter",
    )


def string_report(form: str, damped: float, total: float) -> dict[str, str]:
    """The form of the string stiffness, and how often it was damped where it chooses by itself."""
    return {"geometric_stiffness": damped_form(damped, total) if form == "auto" else form}


def release_note(system: System) -> tuple[str, ...]:
    """A note where an end is released by a tension that the first shape may exceed by ringing."""
    if not system.simulation.from_first_shape or not any(
        end.release is not None and end.release.tension is not None
        for cable in system.cables.values()
        for end in (cable.start, cable.end)
    ):
        return ()
    return (
        "simulation.start: an end is released by tension, and a start from the catenary rings at first; use "
        "start: statics so that it does not let go at once",
    )
