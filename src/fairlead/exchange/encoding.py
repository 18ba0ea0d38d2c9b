"""The text of a file of another program, however it was saved."""

from __future__ import annotations

import codecs
import os

from fairlead.model.loader import read_bytes


def text_of(path: str | os.PathLike[str]) -> str:
    """UTF-8, or what Windows saves: UTF-16 where the first bytes say so, else Latin letters of a byte each."""
    data = read_bytes(path)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
