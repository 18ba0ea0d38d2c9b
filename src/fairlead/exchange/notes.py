"""What became of each part of a foreign file: taken over, changed, dropped, doubtful or missing, with its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairlead.model.problems import Problem, listed

Kind = Literal["taken", "changed", "dropped", "doubtful", "missing"]
Spoils = Literal["", "motion", "sea", "all"]


PUT_IT_THERE = "put it there"
"""What would help where a file beside another one is not there."""


@dataclass(frozen=True)
class Note:
    """One thing said about a foreign file.

    kind: `taken` over as it is; `changed`, said in another way here; `dropped`, without effect here; `doubtful`, taken
    over and probably not what was meant; `missing`, not to be had here. spoils: what a missing part makes wrong:
    `motion`, how the system moves and not how it rests; `sea`, both, as a current or a sloping bed does, without which
    the system still has a state of rest of its own, that in still water over a flat bed; or `all`. cure: what would
    help, where the sentence itself does not say it. turbine: the one whose place would. instead: what there is in place
    of what is missing, as it stands behind `with`; nothing where the system is just without it.
    """

    kind: Kind
    what: str
    why: str
    line: int | None = None
    spoils: Spoils = ""
    cure: str = ""
    turbine: int | None = None
    instead: str = ""

    @property
    def part(self) -> str:
        """What it is that is missing, in few words: without how that is known."""
        return self.why.partition(" (")[0].partition(": ")[0]

    @property
    def lacks_a_file(self) -> bool:
        """Whether what is missing stands in a file that is not there."""
        return self.cure == PUT_IT_THERE

    @property
    def outcome(self) -> str:
        """How a result is that was found though this is missing."""
        return f"with {self.instead}" if self.instead else "without it"

    def warning(self, file: str) -> Problem:
        """That it is missing, and how the numbers are; for one that spoils something."""
        return Problem("", f"{self.what}: {self.why} is missing: the numbers are {self.outcome}", "", file, self.line)

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

    def missing(
        self, what: str, why: str, line: int | None = None, spoils: Spoils = "all", cure: str = "",
        turbine: int | None = None, instead: str = "",
    ) -> None:  # fmt: skip
        self.append(Note("missing", what, why, line, spoils, cure, turbine, instead))

    def spoiling(self, motion: bool) -> list[Note]:
        """The missing parts without which there is no result to be relied on: of a motion, or only of the state of
        rest, which without its current or its sloping bed is that in still water over a flat one."""
        return [note for note in self if note.spoils == "all" or (motion and note.spoils)]

    def title(self, title: str) -> str:
        """A title that begins with what a result is without, each once, and what it has instead."""
        lost = dict.fromkeys(note.part for note in self if note.spoils and not note.instead)
        instead = dict.fromkeys(note.instead for note in self if note.spoils and note.instead)
        parts = [f"{word} {listed(list(of), 'and')}" for word, of in (("without", lost), ("with", instead)) if of]
        head = ", ".join(parts)
        return f"{head[0].upper()}{head[1:]}: {title}" if head else title
