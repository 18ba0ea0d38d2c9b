"""Studies of many runs: formulations side by side, what the program is checked against, and how fast it is."""

from fairlead.studies.compare import compare

__all__ = ["compare"]
