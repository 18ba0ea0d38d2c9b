"""Floaters by their hydrodynamic coefficients: files, checks, radiation by poles, responses in the frequency domain."""

from __future__ import annotations

from .coefficients import DOFS, CoefficientError, Coefficients
from .radiation import RadiationFit

__all__ = ["DOFS", "CoefficientError", "Coefficients", "RadiationFit"]
