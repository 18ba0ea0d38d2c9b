"""The one error of this package."""

from __future__ import annotations


class ResultError(Exception):
    """A result cannot be read, written or used: one sentence that names the file, the cause and the cure."""
