"""What is said after a run in which motions across a cable, held by its tension, were too fast for the step."""

from __future__ import annotations

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
