"""Damaged files: one place that decodes their text, and one that turns an unforeseen error of a reader into a message.

Readers check what they know can be wrong, and say so with file and line. What they do not foresee ends here. The
message then asks for a report, and carries the error and its place in the program: a fault of a reader is not hidden.
"""

from __future__ import annotations

import codecs
import contextlib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
BY_CONTENT = (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, MemoryError)
"""Errors that content can cause. Any other, such as a name that is not there, is a fault of the program alone."""
REPORT = "if the file is as its program wrote it, please report this as a fault of Fairlead"


class Undecodable(ValueError):
    """Bytes that are no text; `line` is where, counted from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def decoded(data: bytes) -> str:
    """Text of a file: UTF-8, UTF-16 where its first bytes say so, else Latin letters of a byte each."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise Undecodable(1, "the text is in UTF-32; save it as plain text in UTF-8")
    if data.startswith(WIDE):
        text = data.decode("utf-16", errors="replace")
        if "\0" in text:
            raise Undecodable(text.count("\n", 0, text.index("\0")) + 1, _NUL)
        return text
    if b"\0" in data:
        at = data.index(b"\0")
        half = data[: 2 * (len(data) // 2)]
        wide = min(half[0::2].count(0), half[1::2].count(0)) == 0 and 2 * half.count(0) > 0.8 * len(half)
        raise Undecodable(data.count(b"\n", 0, at) + 1, _WIDE if wide else _NUL)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


_NUL = "holds NUL bytes, which no text has: the file is damaged or binary; copy it again from where it came from"
_WIDE = "is in UTF-16 without its mark; save the file as plain text in UTF-8"


@contextlib.contextmanager
def unforeseen(make: Callable[[str], Exception], file: object) -> Iterator[None]:
    """Around a reader: `make` turns the message into its kind of error. Errors of that kind pass."""
    kind = type(make(""))
    try:
        yield
    except kind:
        raise
    except BY_CONTENT as error:
        text = " ".join(str(error).split())[:120]
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        raise make(
            f"{file}: cannot be read; its content is damaged or not as expected ({type(error).__name__} at {where}: "
            f"{text}); copy it again from where it came from, or write it anew; {REPORT}"
        ) from error
