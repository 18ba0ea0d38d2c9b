"""MoorDyn's input files: read into a system of ours, written from one; and its tables of channels over time."""

from .channels import write_channels
from .opening import Imported, read_moordyn
from .sections import is_deck
from .writing import write_moordyn

__all__ = ["Imported", "is_deck", "read_moordyn", "write_channels", "write_moordyn"]
