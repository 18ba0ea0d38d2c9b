"""Studies of many runs: formulations side by side, finer steps and elements, what the program is checked against, and
how fast it is."""

from fairlead.studies.compare import compare
from fairlead.studies.converge import converge

__all__ = ["compare", "converge"]
