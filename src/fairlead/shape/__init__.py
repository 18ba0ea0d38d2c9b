"""Catenary and first geometry of a whole system. Knows no formulation."""

from fairlead.shape.catenary import hang
from fairlead.shape.chain import Hang
from fairlead.shape.layout import Geometry, Pose, first_geometry
from fairlead.shape.plane import Plane
from fairlead.shape.rings import Slider

__all__ = ["Geometry", "Hang", "Plane", "Pose", "Slider", "first_geometry", "hang"]
