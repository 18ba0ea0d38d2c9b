"""Floaters by their hydrodynamic coefficients: files, checks, radiation by poles, responses in the frequency domain."""

from __future__ import annotations

from .coefficients import DOFS, CoefficientError, Coefficients
from .fit import fit_radiation
from .radiation import RadiationFit
from .reading import read

__all__ = ["DOFS", "CoefficientError", "Coefficients", "RadiationFit", "fit_radiation", "read"]
