"""What can go wrong in a co-simulation."""

from __future__ import annotations


class CosimError(ValueError):
    """The co-simulation cannot be set up; the text says where, why and what to do."""


class CosimStopped(RuntimeError):
    """A part refused to go on; what was computed until then is kept."""
