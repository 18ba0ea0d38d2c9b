"""What is said in the same words of motions across a cable, held by its tension, and of steps that go wrong."""

from __future__ import annotations

import math

from fairlead.words import NOTE, number, percentage

SELDOM = 0.01
"""Share of element steps below which damping them is told and not warned of."""
SHORT_WAVES = 0.2
"""Frequency of short waves, Hz: what a mooring or a riser is expected to follow."""
FELT = 0.02
"""Damping ratio beyond which motion at that frequency is felt to be damped."""


JUNCTION_WORDS = (
    "the equations of the junction cannot be solved",
    "a state that is no longer finite, or stiffness and mass too far apart",
)
"""What a junction without a solution means: what happened, and its likely cause."""
FIRST_STEPS_CAUSE = "ends that do not meet, a first shape under very high tension, or too large a step"
FIRST_STEPS_CURE = ", start from statics, or check positions and lengths"


def damped_form(damped: float, total: float) -> str:
    """The form of the string stiffness that a run came to by itself, in words."""
    return f"damped in {percentage(damped / max(1.0, total))} of element steps" if damped else "undamped"


def string_note(h: float, damped: float, total: float) -> tuple[str, ...]:
    """What is said where elements were damped across the cable in `damped` of `total` element steps of h [s].

    The damped form is implicit Euler of the string stiffness: motion of frequency f has the damping ratio πfh there. It
    is a warning where that is more than `FELT` in short waves, and a note elsewhere.
    """
    if damped == 0:
        return ()
    share = damped / max(1.0, total)
    mark = "" if share >= SELDOM and math.pi * SHORT_WAVES * h > FELT else NOTE
    slow, fast = percentage(math.pi * SHORT_WAVES * h), percentage(math.pi * h)
    there = f"{slow} of critical at {SHORT_WAVES:g} Hz, {fast} at 1 Hz"
    return (
        f"{mark}simulation.step: with {h:g} s transverse motion of taut elements was damped in {percentage(share)} of "
        f"element steps, there by {there}; a step of {number(FELT / math.pi, 1)} s keeps that at 1 Hz to "
        f"{percentage(FELT)}",
    )


def vibration_note(h: float, unresolved: bool) -> tuple[str, ...]:
    """A note on the second-order step of h [s] where it leaves the vibration across taut elements `unresolved`.

    Its damping ratio of the string stiffness is 0.034(ωh)³: 1 % at ωh = 0.66, and 0.01 % at ωh = 0.14.
    """
    if not unresolved:
        return ()
    damped, kept = 0.66 / (2.0 * math.pi * h), 0.14 / (2.0 * math.pi * h)
    return (
        f"{NOTE}simulation.step: with {h:g} s transverse vibration above {number(damped, 2)} Hz is damped; motion "
        f"slower than {number(kept, 2)} Hz is not affected",
    )


def string_report(form: str, damped: float, total: float) -> dict[str, str]:
    """The form of the string stiffness, and how often it was damped where it chooses by itself."""
    return {"geometric_stiffness": damped_form(damped, total) if form == "auto" else form}
