"""The outcome of one measurement."""

from __future__ import annotations

from dataclasses import asdict, dataclass

SPEED = "× real time"
"""Unit of a speed, of which more is better; of all else that is measured, less is."""


@dataclass(frozen=True)
class Record:
    """A measured value, and a peer's where there is one.

    name        what is measured, e.g. `sinking cables, CPU time for 1000 s`
    value       what this program takes
    unit        unit of `value` and `peer_value`
    peer        the other program and its setting, or the goal the value is held against; empty where there is none
    peer_value  what the peer takes, in the same run on the same machine
    """

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer: `peer_value / value`, or the inverse of it for a speed."""
        if not self.peer_value or self.value == 0.0:
            return None
        return self.value / self.peer_value if self.unit == SPEED else self.peer_value / self.value

    def as_dict(self) -> dict[str, object]:
        """The record as plain values."""
        return asdict(self) | {"ratio": self.ratio}


@dataclass(frozen=True)
class Skipped:
    """A measurement that this machine cannot make, and why."""

    name: str
    why: str

    def as_dict(self) -> dict[str, object]:
        """The same as plain values."""
        return {"name": self.name, "skipped": self.why}
