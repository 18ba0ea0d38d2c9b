"""Ends of cables that let go: which cables have any, and what is said of them."""

from __future__ import annotations

from fairlead.model import System


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


def released(system: System) -> str | None:
    """A cable of which an end lets go, if there is one: samples are taken in the middle of the step that does."""
    return next((n for n, cable in system.cables.items() if cable.start.release or cable.end.release), None)
