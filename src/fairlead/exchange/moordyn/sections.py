"""The text of a MoorDyn file as sections of rows, each row with its line.

A section begins with a line that holds `---` and one of the phrases below, in any company; the two lines after it,
names and units, are not read, except after OPTIONS and OUTPUTS, which have none. Any other line with `---` ends one.
Lines that are empty or a comment count nowhere, but for these two where numbers follow them, and neither does how many
rows there are ("3 NTypes"), which Fortran's first version has above them. Fields stand apart by blanks, by commas as
Fortran reads them, or both; words may be in quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..notes import Notes
from .numerals import number

PHRASES = (
    ("line types", ("LINE TYPES", "LINE DICTIONARY")),
    ("rod types", ("ROD TYPES", "ROD DICTIONARY")),
    ("bodies", ("BODIES", "BODY LIST", "BODY PROPERTIES")),
    ("rods", ("RODS", "ROD LIST", "ROD PROPERTIES")),
    ("points", ("POINTS", "POINT LIST", "POINT PROPERTIES")),
    ("lines", ("LINES", "LINE LIST", "LINE PROPERTIES")),
    ("syrope", ("SYROPE IC",)),
    ("working curves", ("SYROPE WORKING CURVES",)),
    ("failure", ("FAILURE",)),
    ("control", ("CONTROL",)),
    ("loads", ("EXTERNAL LOADS",)),
    ("options", ("OPTIONS",)),
    ("outputs", ("OUTPUT",)),
    ("points", ("CONNECTION", "NODES", "NODE LIST", "NODE PROPERTIES")),
)
"""Sections and what their headers say, looked for in this order."""
WITHOUT_NAMES = ("options", "outputs")
"""Sections whose rows follow the header at once."""
RULE = "---"
COMMENTS = ("#", "!", "//")
"""What begins a line that says nothing."""
COUNTED = re.compile(r"N(Line)?(Types|Conns?|Connects|Connections|Nodes|Points|Lines|Bodies|Rods)", re.IGNORECASE)
"""What follows the number of rows in a line of its own."""
PASSED_OVER = "stands where the names and units of the columns belong and is not read"
WITH_LISTS = ("syrope", "failure", "control", "outputs")
"""Sections in which a comma joins what belongs together."""


@dataclass(frozen=True)
class Row:
    """A line of the file, cut into fields; what follows a # or ! is left out."""

    line: int
    fields: tuple[str, ...]


@dataclass
class Section:
    """One section: which, where its header stands, the names over its columns, its rows."""

    kind: str
    line: int
    names: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)


def section_of(line: str) -> str | None:
    """Which section a line begins; "" where it only ends one, None where it does neither."""
    if RULE not in line or line.lstrip().startswith(COMMENTS):
        return None
    words = " ".join(line.upper().replace("-", " ").split())
    for kind, phrases in PHRASES:
        if any(re.search(rf"\b{phrase}", words) for phrase in phrases):
            return kind
    return ""


def is_deck(text: str) -> bool:
    """Whether a text is a MoorDyn file: it has the header of its line types, or of two other of its sections."""
    found = {section_of(line) for line in text.splitlines()} - {None, ""}
    return "line types" in found or len(found) > 1


def sections(text: str, notes: Notes) -> tuple[str, dict[str, Section]]:
    """The title of a file, and its sections by kind; a section that comes again goes on."""
    title: list[str] = []
    found: dict[str, Section] = {}
    section: Section | None = None
    unread = begun = 0
    for at, line in enumerate(text.splitlines(), 1):
        kind = section_of(line)
        if kind is not None:
            section = found.setdefault(kind, Section(kind, at)) if kind else None
            unread, begun = 0 if kind in WITHOUT_NAMES else 2, at
            continue
        if line.lstrip().startswith(COMMENTS):
            continue
        fields = fields_of(line, section is not None and section.kind not in WITH_LISTS)
        if not fields:
            continue
        if section is None:
            if not found and "ECHO" not in (word.upper() for word in fields):
                title.append(" ".join(line.partition("#")[0].split()))
            continue
        if unread and len(fields) > 1 and fields[0].isdigit() and COUNTED.fullmatch(fields[1]):
            continue
        numbers = sum(number(word) is not None for word in fields)
        if unread and not (numbers >= 4 and at - begun > 2):
            unread -= 1
            if numbers >= 4:
                notes.doubtful(section.kind, f"{PASSED_OVER}: {' '.join(fields)}", at)
            elif not section.names:
                section.names = tuple(word.upper() for word in fields)
            continue
        unread = 0
        section.rows.append(Row(at, fields))
    return " ".join(title)[:200], found


def fields_of(line: str, apart: bool) -> tuple[str, ...]:
    """The fields of a line. A comma beside a blank, or in a line without blanks, keeps them `apart`; one inside a field
    stays, so that 0,5 is no number rather than two."""
    words = re.split("[#!]", line, maxsplit=1)[0].split()
    if not apart:
        return tuple(words)
    if len(words) == 1:
        words = words[0].split(",")
    return tuple(word for word in (word.strip(",").strip("'\"") for word in words) if word)
