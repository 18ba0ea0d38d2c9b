"""Floaters by their hydrodynamic coefficients: files, checks, radiation by poles, responses in the frequency domain."""

from __future__ import annotations

from .coefficients import DOFS, CoefficientError, Coefficients
from .drift import Drift, read_drift
from .fit import fit_radiation
from .radiation import RadiationFit
from .reading import read

__all__ = ["DOFS", "CoefficientError", "Coefficients", "Drift", "RadiationFit", "fit_radiation", "read", "read_drift"]
