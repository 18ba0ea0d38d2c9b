"""One MoorDyn file in the spellings that people and Fortran programs use: each is the same system."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from fairlead.exchange.moordyn.numerals import number
from fairlead.exchange.moordyn.opening import from_text, read_moordyn
from fairlead.model import ModelError

from .decks import OLD, RODS, SPREAD


def rows(text: str, change: Callable[[str], str]) -> str:
    """The text with its rows of four fields and more that begin with a digit or a type changed."""
    wanted = re.compile(r"(\d+|chain|rope|main|pipe|light|stub)\s+\S+\s+\S+\s+\S+\s+\S+")
    return "\n".join(change(line) if wanted.match(line) else line for line in text.splitlines())


def headings(text: str, more: str) -> str:
    """The text with lines put between each header and the names of its columns."""
    return re.sub(r"(?m)^(---.*(?:TYPES|DICTIONARY|BODIES|POINTS|LINES|RODS|PROPERTIES).*)$", rf"\1\n{more}", text)


def _nouns(row: re.Match[str]) -> str:
    """The ends of a line as Point1 and Con2."""
    return f"{row[1]} Point{row[2]} " + (f"Con{row[4]}" if row[4] else "")


SPELLINGS: dict[str, Callable[[str], str]] = {
    "tabs": lambda text: text.replace(" ", "\t"),
    "commas as Fortran reads them": lambda text: rows(text, lambda row: ", ".join(row.partition("#")[0].split())),
    "commas without blanks": lambda text: rows(text, lambda row: ",".join(row.partition("#")[0].split())),
    "words in quotes": lambda text: rows(
        text, lambda row: re.sub(r"\b(chain|rope|main|pipe|Fixed|Free)\b", r"'\1'", row)
    ),
    "numbers of Fortran": lambda text: re.sub(r"(\d)e([+-]?\d)", r"\1D+0\2", text),
    "exponents without a letter": lambda text: re.sub(
        r"(\d)(\.\d*)?e([+-]?)(\d)", lambda w: f"{w[1]}{w[2] or '.'}{w[3] or '+'}0{w[4]}", text
    ),
    "comments of Fortran": lambda text: rows(text, lambda row: f"{row.partition('#')[0]} ! one of 3, 4, 5 and 6"),
    "comments between": lambda text: headings(text, "# here follow\n! the columns\n// of old"),
    "counts of Fortran's first version": lambda text: re.sub(
        r"(?m)^(---.*(?:TYPES|DICTIONARY|BODIES|POINTS|LINES|RODS|PROPERTIES).*)$", r"\1\n3   NLines  - how many", text
    ),
    "counts in small letters": lambda text: headings(text, "3 nlines"),
    "counts of connections": lambda text: headings(text, "3 NConns"),
    "empty lines": lambda text: headings(text, "\n   \n"),
    "ends of lines": lambda text: text.replace("\n", "\r\n"),
    "capitals": lambda text: re.sub(
        r"\b(Fixed|Free|Vessel|Coupled|Connect|Fix|WtrDpth|kb|kbot)\b", lambda w: w[0].upper(), text
    ),
    "keys with a colon": lambda text: re.sub(r"\b(WtrDpth|kbot|kb|cbot|WtrDnsty)\b", r"\1:", text),
    "keys first": lambda text: re.sub(r"(?m)^(\S+) +(WtrDpth|kbot|kb|cbot|WtrDnsty)\b", r"\2 = \1", text),
    "keys first without blanks": lambda text: re.sub(
        r"(\S+) +(WtrDpth|kbot|kb|cbot|WtrDnsty|dtOut|FrictionCoefficient)\b", r"\2=\1", text
    ),
    "keys first with a blank": lambda text: re.sub(
        r"(\S+) +(WtrDpth|kbot|kb|FrictionCoefficient|dtOut)\b", r"\2 =\1", text
    ),
    "points by their noun": lambda text: re.sub(
        r"(?m)^(\d (?:chain|rope|pipe)|\d main +\d+ +\d) +(\d) +(?=(\d|R\d[AB]) )(\d?)", _nouns, text
    ),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("text", [SPREAD, OLD, RODS], ids=["spread", "old", "rods"])
def test_spellings_of_a_file_are_one_system(spelling, text):
    plain, spelled = from_text(text, "deck.txt").system, SPELLINGS[spelling](text)
    assert spelled != text
    assert from_text(spelled, "deck.txt").system == plain


@pytest.mark.parametrize("text", [SPREAD, OLD, RODS], ids=["spread", "old", "rods"])
@pytest.mark.parametrize("heading", ["\n", "! names\n! units\n"], ids=["no units", "both a comment"])
def test_the_two_lines_after_a_header_may_say_nothing(text, heading):
    """MoorDyn passes over two lines, whatever they are; rows that follow are rows."""
    kept, lines = [], text.splitlines(keepends=True)
    header = re.compile(r"---.*(TYPES|DICTIONARY|BODIES|POINTS|LINES|RODS|PROPERTIES)")
    for i, line in enumerate(lines):
        if i > 1 and header.match(lines[i - 2]):
            kept.append(heading)
            if heading.startswith("!"):
                kept.pop(-2)
            continue
        kept.append(line)
    assert from_text("".join(kept), "deck.txt").system == from_text(text, "deck.txt").system


def test_rows_in_the_place_of_names_and_units_are_told_where_they_lack():
    """MoorDyn passes over them; here they are what the file has no line for."""
    text = "\n".join(line for line in OLD.splitlines() if not line.startswith("(-)"))
    with pytest.raises(ModelError) as caught:
        from_text(text, "deck.txt")
    row = next(i for i, line in enumerate(text.splitlines(), 1) if line.startswith("main"))
    assert any(
        problem.line == row and "a row of LINE TYPES stands where the names and units" in problem.message
        for problem in caught.value.problems
    )


def test_a_mark_of_the_order_of_bytes_is_no_word(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_bytes(b"\xef\xbb\xbf" + SPREAD.encode())
    assert read_moordyn(path).system.cables.keys() == from_text(SPREAD, "deck.txt").system.cables.keys()


def test_a_comma_for_a_point_is_no_number_rather_than_two():
    with pytest.raises(ModelError, match=r"deck\.txt:6: Diam of line type chain is '0,09'"):
        from_text(SPREAD.replace("chain 0.09 ", "chain 0,09 "), "deck.txt")


def test_bodies_by_a_letter():
    found = from_text(SPREAD.replace("2 Body1 ", "2 B1 "), "deck.txt")
    assert found.system == from_text(SPREAD, "deck.txt").system


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig", "utf-16"])
def test_the_title_is_read_however_the_file_was_saved(tmp_path, encoding):
    file = tmp_path / "lines.txt"
    file.write_bytes(SPREAD.replace("Two chains", "Två kättingar").encode(encoding))
    assert read_moordyn(file).system.title.startswith("Två kättingar")


@pytest.mark.parametrize("text", ["5-3", "3.27+", "1.0E", "1,5", "1.2.3", "0x10", "nan", "1e999"])
def test_what_is_no_number_to_fortran_either_is_none(text):
    assert number(text) is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("384e6", "3.3+", "deck.txt:6: EA of line type chain is '3.3+', which is no number"),
        ("-0.8   0 ", "-0.8   1e+", "deck.txt:6: EI of line type chain is '1e+', which is no number"),
        ("100   WtrDpth", "1e2.5 WtrDpth", "deck.txt:31: option WtrDpth is '1e2.5', which is no number"),
    ],
)
def test_a_broken_number_is_no_file(old, new, told):
    with pytest.raises(ModelError) as caught:
        from_text(SPREAD.replace(old, new, 1), "deck.txt")
    assert str(caught.value).splitlines()[0] == told


LOADED = SPREAD.replace("1 Coupled 0 0 -10 10 20 0 0 0 0 0 0 0", "1 Free 0 0 -10 0 90 0 4e4 0 1e6 20 1 1").replace(
    "---------------------- SOLVER",
    "--- EXTERNAL LOADS ---\nID Object Fext Blin Bquad CSys\n(#) (-) (N) (Ns/m) (Ns2/m2) (-)\n1 Body1 PUSH\n--- SOLVER",
)


@pytest.mark.parametrize(
    ("row", "force", "linear", "quadratic"),
    [
        ("10|0|0  5|5|5  0|0|0  G", (10, 0, 0), (5, 5, 5, 0, 0, 0), (0,) * 6),
        ("10|0|0  0  1|2|3  L", (0, 0, -10), (0,) * 6, (1, 2, 3, 0, 0, 0)),
        ("0|0|7", (0, 0, 7), None, None),
    ],
)
def test_external_loads_push_and_damp_a_body(row, force, linear, quadratic):
    found = from_text(LOADED.replace("PUSH", row), "deck.txt").system
    (load,) = found.loads
    assert load.force == pytest.approx(force, abs=1e-9)
    damping = found.bodies["body1"].damping
    assert (None if damping is None else damping.linear) == linear
    assert (None if damping is None else damping.quadratic) == quadratic


def test_a_line_is_clamped_as_its_rod_stands_on_a_turned_body():
    """A rod along x of a body that is pitched by 90 degrees stands upright: so does the line at its end."""
    deck = RODS.replace("3 stub Fixed 0 0 -5 0 0 -8", "3 stub Body1 0 0 0 3 0 0").replace(
        "--- ROD TYPES",
        "--- BODIES ---\nID Att X Y Z r p y M CG I V CdA Ca\n(-)\n1 Coupled 0 0 -5 0 90 0 0 0 0 0 0 0\n--- ROD TYPES",
    )
    found = from_text(deck, "deck.txt").system
    (cable,) = found.cables.values()
    assert cable.end.joint == "clamp"
    assert cable.end.direction == pytest.approx((0, 0, 3), abs=1e-9)  # from start to end: up to the body


def test_line_types_that_end_after_ea_are_those_of_moorpy():
    """Its files are decks to the eye; the heading has as few columns as the rows."""
    deck = SPREAD.replace("Name  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx", "TypeName Diam Mass/m EA")
    deck = deck.replace("-0.8   0   1.6 1.0 0.1 0.0", "").replace("2.0e5  0   1.2 1.0 0.2 0.1   # softer", "")
    found = from_text(deck, "deck.txt")
    chain = found.system.types["chain"]
    assert (chain.ea, chain.drag.normal) == (384e6, 0.0)
    assert "ends after EA, as MoorPy's may" in " ".join(note.why for note in found.notes)
