"""The text of a file of another program, however it was saved."""

from __future__ import annotations

import os

from fairlead.model.damage import Undecodable, decoded
from fairlead.model.loader import read_bytes
from fairlead.model.problems import ModelError, Problem


def text_of(path: str | os.PathLike[str]) -> str:
    """UTF-8, or what Windows saves; `ModelError` where it is no text."""
    try:
        return decoded(read_bytes(path))
    except Undecodable as error:
        message, _, hint = str(error).partition("; ")
        raise ModelError([Problem("", message, hint, str(path), error.line)]) from None
