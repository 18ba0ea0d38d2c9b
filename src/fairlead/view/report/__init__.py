"""A report of a result: one page to attach to a message."""

from ..lifts import Lift, lifts
from .checks import Check, Limits, checks
from .pdf import print_pdf
from .report import key_numbers, report_page, report_style

__all__ = ["Check", "Lift", "Limits", "checks", "key_numbers", "lifts", "print_pdf", "report_page", "report_style"]
