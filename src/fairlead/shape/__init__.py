"""Catenary and first geometry of a whole system. Knows no formulation."""

from fairlead.shape.catenary import hang
from fairlead.shape.chain import Hang
from fairlead.shape.layout import Geometry, first_geometry
from fairlead.shape.plane import Plane

__all__ = ["Geometry", "Hang", "Plane", "first_geometry", "hang"]
