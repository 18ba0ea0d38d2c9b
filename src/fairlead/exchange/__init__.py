"""Files of other programs: results as tables for spreadsheets, as arrays for MATLAB, as lines for ParaView."""

from .choice import Choice
from .errors import ExportError
from .export import FORMATS, export

__all__ = ["FORMATS", "Choice", "ExportError", "export"]
