"""What of a member lies in the scratchpad of a GPU's processor (CUDA: shared memory), a small memory next to its
arithmetic, for which a thread hardly waits.

Into it go the constants that all members share, once a block of threads; of each thread those numbers of its own
constants and of its scheme that its kernel reads; and rows that were asked for (`fetch`) while others were computed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

THREADS = 256
"""Of a block whose members have a scratchpad: as many as a processor runs with all registers that a thread may have."""
BYTES = 227 * 1024
"""What a block can have of it (H100, H200)."""
SHARED_BYTES, OWN_ROWS = 40 * 1024, 16
"""The most of it that constants of all take, and rows of the own sea of a thread: beside what else is there, there is
room for both."""


@dataclass
class Scratchpad:
    """Which numbers are in it; a place is counted in numbers a thread, behind what all threads share.

    name     structure that it is of
    whole    integers that all members share, the head of the tables among them; 0 where they do not fit
    shared   constants that all members share; likewise
    rows     where each table's rows that are fetched begin
    own      place of each own constant of a thread, by its number
    own_rows where rows of its sea begin, which are read by an index that is computed
    scheme   place of each number of the member's scheme
    """

    name: str
    whole: int
    shared: int
    rows: dict[tuple[str, int, int, int], int] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    own_rows: dict[tuple[int, int], int] = field(default_factory=dict)
    scheme: dict[int, int] = field(default_factory=dict)
    used: int = 0

    @property
    def holds_shared(self) -> bool:
        """Whether what all members share is in it."""
        return self.whole > 0

    @property
    def bytes(self) -> int:
        """All of it, of a block."""
        return 8 * (self.whole + self.shared + THREADS * self.used)

    def _place(self, count: int) -> int:
        self.used += count
        return self.used - count

    def place_of_rows(self, table: str, first: int, count: int, kept: int) -> int:
        """Where the latest `kept` rows begin, `count` numbers from the `first` on of each."""
        key = table, first, count, kept
        if key not in self.rows:
            self.rows[key] = self._place(count * kept)
        return self.rows[key]

    def place_of_own(self, number: int) -> int:
        """Where an own constant is."""
        if number not in self.own:
            self.own[number] = self._place(1)
        return self.own[number]

    def place_of_own_rows(self, first: int, end: int) -> int | None:
        """Where own constants from the `first` to the `end` are, one after the other; None where there is no room."""
        if (first, end) not in self.own_rows:
            if end - first > OWN_ROWS:
                return None
            self.own_rows[first, end] = self._place(end - first)
        return self.own_rows[first, end]

    def place_of_scheme(self, number: int) -> int:
        """Where a number of the scheme is."""
        if number not in self.scheme:
            self.scheme[number] = self._place(1)
        return self.scheme[number]


_KNOWN: dict[str, Scratchpad] = {}


def scratchpad_of(structure: str, whole: int, shared: int) -> Scratchpad:
    """That of all members of one structure: its kernels share functions, whose code has the places in it."""
    if structure not in _KNOWN:
        fits = 8 * (whole + shared) <= SHARED_BYTES
        _KNOWN[structure] = Scratchpad(structure, whole if fits else 0, shared if fits else 0)
    return _KNOWN[structure]
