"""Reading a system from a file or from text."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from fairlead.model.part import Part, mistakes_of
from fairlead.model.problems import Mistake, ModelError, Problem, nearest, path_text
from fairlead.model.reader import MOST_CHARACTERS, read
from fairlead.model.source import Source, place_problem
from fairlead.model.system import System

_File = TypeVar("_File", bound=Part)


def load(path: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> System:
    """Reads a system from a YAML or JSON file. Raises `ModelError` with every mistake in it, each with its line.

    `set` changes values by their paths, as `System.with_values` does: `load("line.yaml", set={"simulation.step": 1})`.
    """
    return load_text(read_text(path), str(path)).with_values(set or {})


def load_text(text: str, name: str = "<text>") -> System:
    """Reads a system from YAML or JSON text; `name` stands for the file in messages."""
    data, source, problems = parsed(text, name, "types, points, cables and simulation")
    try:
        context = {"source": source, "complete": not problems}
        system = System.model_validate(data, context=context)
    except ModelError as error:
        problems += error.problems
    if problems:
        raise ModelError(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))
    return system


def parsed(text: str, name: str, parts: str) -> tuple[Any, Source, list[Problem]]:
    """What YAML or JSON text says, where each value stands in it, and the mistakes of writing; a `ModelError` where it
    says nothing. `parts` are what it should describe."""
    document = read(text)
    problems = [
        Problem(path_text(mistake.location), mistake.message, mistake.hint, name, line, column)
        for mistake, line, column in document.mistakes
    ]
    if document.root is None:
        raise ModelError(problems or [Problem("", "is empty", f"describe {parts}", name)])
    return document.data, Source(name, text, document.root), problems


def read_as(
    kind: type[_File], text: str, name: str, parts: str, as_written: Callable[[Mistake], Mistake]
) -> tuple[_File, Source]:
    """What YAML or JSON text says as a `kind` of file, and where it stands; a `ModelError` with every mistake in it.

    as_written  a mistake at its place in the file, where the file has other words than the model
    """
    data, source, problems = parsed(text, name, parts)
    found: _File | None = None
    try:
        found = kind.__pydantic_validator__.validate_python(data)
    except ValidationError as error:
        problems += [place_problem(as_written(mistake), source) for mistake in mistakes_of(error)]
    if found is None or problems:
        raise ModelError(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))
    return found, source


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, or a `ModelError` that says why there is none."""
    raw = read_bytes(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        hint = "save it as plain text in UTF-8"
        raise ModelError([Problem("", "is not UTF-8 text", hint, str(path), line, column)]) from None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """What a file holds, or a `ModelError` that says why there is nothing. A pipe or a device might never end."""
    file = Path(path)
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            os.close(descriptor)
            if stat.S_ISDIR(mode):
                raise ModelError([Problem("", "is a folder, not a model file", "", str(file))])
            raise ModelError([Problem("", "is a pipe or a device", "save its text as a file", str(file))])
        with os.fdopen(descriptor, "rb") as stream:
            return stream.read(4 * MOST_CHARACTERS + 1)  # the reader says that it is too long
    except (OSError, ValueError) as error:
        raise ModelError([_unopened(file, error)]) from None


def _unopened(file: Path, error: Exception) -> Problem:
    """Why a file could not be opened, with the nearest name in its folder."""
    if isinstance(error, FileNotFoundError):
        try:
            near = nearest(file.name, [entry.name for entry in file.parent.iterdir()])
        except OSError:
            near = None
        hint = f"did you mean '{file.parent / near}'?" if near else ""
        return Problem("", "there is no such file", hint, str(file))
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Problem("", f"cannot be opened: {reason}", "check its name and its permissions", str(file))
