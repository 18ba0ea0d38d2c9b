"""What became of each part of a foreign file: taken over, changed, dropped, doubtful or missing, with its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["taken", "changed", "dropped", "doubtful", "missing"]
Spoils = Literal["", "motion", "all"]


@dataclass(frozen=True)
class Note:
    """One thing said about a foreign file.

    kind: `taken` over as it is; `changed`, said in another way here; `dropped`, without effect here; `doubtful`, taken
    over and probably not what was meant; `missing`, not to be had here. spoils: what a missing part makes wrong:
    `motion`, how the system moves and not how it rests, or `all`.
    """

    kind: Kind
    what: str
    why: str
    line: int | None = None
    spoils: Spoils = ""

    def sentence(self, file: str = "") -> str:
        """One line for a person, with the place it is about."""
        where = ":".join(part for part in (file, "" if self.line is None else str(self.line)) if part)
        return ": ".join(part for part in (where, self.what, self.why) if part)


class Notes(list[Note]):
    """All notes on a file, in the order they were made."""

    def taken(self, what: str, why: str, line: int | None = None) -> None:
        self.append(Note("taken", what, why, line))

    def changed(self, what: str, why: str, line: int | None = None) -> None:
        self.append(Note("changed", what, why, line))

    def dropped(self, what: str, why: str, line: int | None = None) -> None:
        self.append(Note("dropped", what, why, line))

    def doubtful(self, what: str, why: str, line: int | None = None) -> None:
        self.append(Note("doubtful", what, why, line))

    def missing(self, what: str, why: str, line: int | None = None, spoils: Spoils = "all") -> None:
        self.append(Note("missing", what, why, line, spoils))

    def spoiling(self, motion: bool) -> list[Note]:
        """The missing parts that make a result wrong: of a motion, or only of the state of rest."""
        return [note for note in self if note.spoils == "all" or (motion and note.spoils == "motion")]
