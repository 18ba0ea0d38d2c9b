"""Broken files of MoorDyn: whatever is cut, swapped or garbled, the answer is a sentence with its line."""

from __future__ import annotations

import random

import pytest

from fairlead.exchange.moordyn.opening import from_text
from fairlead.model import ModelError

from .decks import OLD, RODS, SPREAD

COUNT = 200
WORDS = ("", "abc", "1e999", "nan", "-5", "0", "R9A", "Body7", "1|2", "--", "9" * 400, "1.5", "SYROPE:", "é", "pinned3")


def mutated(number: int) -> str:
    """The text with that number: one of the files with a cut, a swap, a missing section or wrong words in it."""
    chance = random.Random(number)
    lines = chance.choice((SPREAD, OLD, RODS)).splitlines()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        words = lines[at].split()
        match number % 5:
            case 0:
                del lines[at]
            case 1:
                lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
            case 2 if len(words) > 1:
                a, b = chance.sample(range(len(words)), 2)
                words[a], words[b] = words[b], words[a]
                lines[at] = " ".join(words)
            case 3:
                heads = [i for i, line in enumerate(lines) if "---" in line]
                if len(heads) > 1:
                    first = chance.randrange(len(heads) - 1)
                    del lines[heads[first] : heads[first + 1]]
            case _ if words:
                words[chance.randrange(len(words))] = chance.choice(WORDS)
                lines[at] = " ".join(words)
    return "\n".join(lines)


@pytest.fixture(scope="module")
def outcomes() -> list[ModelError | None]:
    """What came of each mutant: an error for users, or None for one that still is a system."""
    found: list[ModelError | None] = []
    for number in range(COUNT):
        try:
            from_text(mutated(number), "deck.txt")
            found.append(None)
        except ModelError as error:
            found.append(error)
    return found


def test_every_problem_is_a_sentence_about_the_file(outcomes):
    broken = [error for error in outcomes if error is not None]
    assert 40 < len(broken) < COUNT  # neither are all refused nor all let through
    for error in broken:
        for problem in error.problems:
            text = str(problem)
            assert text.startswith("deck.txt")
            assert "\n" not in text
            assert len(text) < 400


def test_problems_of_a_row_have_its_line(outcomes):
    """Only what is nowhere has none: a section, the depth, all lines."""
    nowhere = ("has no section", "has no line", "holds none of MoorDyn's sections", "the water is")
    for number, error in enumerate(outcomes):
        for problem in error.problems if error is not None else ():
            if not any(words in problem.message for words in nowhere):
                assert problem.line, (number, str(problem))
                assert problem.line <= len(mutated(number).splitlines())
