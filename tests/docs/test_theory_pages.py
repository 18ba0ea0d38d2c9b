"""Every theory page says at its top what it assumes, solves, is good and not good for, and what checks it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.studies import verification

PAGES = sorted((Path(__file__).resolve().parents[2] / "docs" / "theory").glob("*.md"))
ROWS = ["assumptions", "equations", "good for", "not for", "checked by"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_theory_page_reads_from_the_top(page):
    text = page.read_text(encoding="utf-8")
    first, *_ = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert first == "At a glance"
    section = text.split("## At a glance\n", 1)[1].split("\n## ", 1)[0]
    rows = dict(re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", section, re.MULTILINE))
    assert list(rows) == ROWS
    assert all(len(words) > 20 for words in rows.values())
    (command,) = re.findall(r"`fairlead verify ([\w ]+)`: \[Validation\]\(\.\./validation\.md\)", rows["checked by"])
    named = command.split()
    assert len(named) == len(set(named)) > 0
    assert set(named) <= set(verification.names()), "checks that `fairlead verify` knows"
