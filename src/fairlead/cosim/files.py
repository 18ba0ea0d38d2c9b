"""Files of co-simulation: small YAML files read as strictly as a model is, every mistake with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from fairlead.model import ModelError, Problem
from fairlead.model.loader import read_text
from fairlead.model.part import Part, mistakes_of
from fairlead.model.problems import path_text
from fairlead.model.reader import read
from fairlead.model.source import Source, place_problem

AnyPart = TypeVar("AnyPart", bound=Part)


def read_part(path: Path, kind: type[AnyPart]) -> AnyPart:
    """What a file says, as the part of that kind. Raises `ModelError` with every mistake in it."""
    text = read_text(path)
    document = read(text)
    source = Source(str(path), text, document.root)
    problems = [
        Problem(path_text(mistake.location), mistake.message, mistake.hint, str(path), line, column)
        for mistake, line, column in document.mistakes
    ]
    if document.root is None:
        raise ModelError(problems or [Problem("", "is empty", "", str(path))])
    try:
        part = super(Part, kind).model_validate(document.data)
    except ValidationError as error:
        problems += [place_problem(mistake, source) for mistake in mistakes_of(error)]
    if problems:
        raise ModelError(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))
    return part


def top_level_keys(path: Path) -> frozenset[str]:
    """Keys at the top of a YAML file; empty where it is no mapping."""
    data: Any = read(read_text(path)).data
    return frozenset(map(str, data)) if isinstance(data, dict) else frozenset()
