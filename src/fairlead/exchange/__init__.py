"""Files of other programs: results as tables for spreadsheets, MATLAB, ParaView and readers of MoorDyn's output;
models as MoorDyn and MoorPy write them."""

from .choice import Choice
from .errors import ExportError
from .export import FORMATS, export
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
