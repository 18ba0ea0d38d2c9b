"""Mistakes and warnings in a model: where they are, what is wrong and what would be right."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticCustomError

Location = tuple[str | int, ...]

_PLAIN = re.compile(r"[\w-]{1,64}")


@dataclass(frozen=True)
class Problem:
    """One mistake or warning, as the user sees it.

    `path` is the place inside the model (`cables.left.length`, `loads[0].force`), empty for the whole of it;
    `file`, `line` and `column` (counted from 1) are known when the model came from a file.
    """

    path: str
    message: str
    hint: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        place = [":".join(where)] if where else []
        if self.path:
            place.append(self.path)
        text = f"{self.message}; {self.hint}" if self.hint else self.message
        return ": ".join([*place, text])


class ModelError(Exception):
    """A model that cannot be used. `problems` holds every mistake found, and `str()` lists them one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


@dataclass(frozen=True)
class Mistake:
    """A problem before it is given a place in a file: `location` is the way down from the part being checked."""

    location: Location
    message: str
    hint: str = ""
    about_key: bool = False

    def below(self, *prefix: str | int) -> Mistake:
        """The same mistake seen from further up."""
        return Mistake(prefix + self.location, self.message, self.hint, self.about_key)

    def as_error(self) -> PydanticCustomError:
        """The form in which it travels through pydantic."""
        context: dict[str, Any] = {"message": self.message, "hint": self.hint, "about_key": self.about_key}
        return PydanticCustomError("mistake", "{message}", context)


def wrong(message: str, hint: str = "") -> PydanticCustomError:
    """The error a validator raises about the value in its hands."""
    return Mistake((), message, hint).as_error()


def path_text(location: Sequence[str | int]) -> str:
    """`("loads", 0, "force")` as `loads[0].force`; odd keys are quoted and shortened."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + (part if _PLAIN.fullmatch(part) else shown(part))
    return text


def shown(value: object, limit: int = 40) -> str:
    """A value as it may be quoted in a message: one line, never long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(value if len(value) <= limit else value[: limit - 3] + "...")  # escapes what steers a terminal
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**15 else "a very large whole number"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return f"an object of type {type(value).__name__}"


def listed(names: Iterable[str], joiner: str = "or", most: int = 12) -> str:
    """`a, b or c`, cut short when there are very many."""
    items = list(names)
    if len(items) > most:
        return ", ".join(items[:most]) + ", ..."
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + f" {joiner} " + items[-1]


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name most like `name`, if any is alike enough to be what was meant."""
    if not isinstance(name, str) or not 0 < len(name) <= 64:
        return None
    plain = {known_name.casefold().replace("-", "_"): known_name for known_name in known}
    found = difflib.get_close_matches(name.casefold().replace("-", "_"), plain, n=1, cutoff=0.6)
    return plain[found[0]] if found else None


def suggestion(name: object, known: Iterable[str], none: str = "") -> str:
    """A hint that names the nearest known name, or all of them when none is near."""
    names = list(known)
    near = nearest(name, names)
    if near is not None:
        return f"did you mean '{near}'?"
    return f"known here: {listed(names, 'and')}" if names else none
