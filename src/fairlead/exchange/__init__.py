"""Files of other programs: results as tables for spreadsheets, MATLAB, ParaView and readers of MoorDyn's output;
models as MoorDyn and MoorPy write them.

Names are fetched when they are first used: a run of a file of ours reads none of another program.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .choice import Choice
    from .errors import ExportError
    from .exporting import FORMATS, export
    from .moordyn import Imported, read_moordyn, write_moordyn
    from .moorpy import read_moorpy
    from .opening import Reading, open_model

__all__ = [
    "FORMATS",
    "Choice",
    "ExportError",
    "Imported",
    "Reading",
    "export",
    "open_model",
    "read_moordyn",
    "read_moorpy",
    "write_moordyn",
]
_PLACES = {
    "FORMATS": "exporting", "Choice": "choice", "ExportError": "errors", "Imported": "moordyn", "export": "exporting",
    "Reading": "opening", "open_model": "opening", "read_moordyn": "moordyn", "read_moorpy": "moorpy",
    "write_moordyn": "moordyn",
}  # fmt: skip
"""The module of each name."""


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f".{_PLACES[name]}", __name__), name)
    return found
