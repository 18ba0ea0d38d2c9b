"""A report of a result: one page to attach to a message."""

from ..lifts import Lift, lifts
from .checks import Check, Limits, checks
from .pdf import print_pdf
from .report import report_page

__all__ = ["Check", "Lift", "Limits", "checks", "lifts", "print_pdf", "report_page"]
