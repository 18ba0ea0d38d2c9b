"""Settings that belong to one formulation each, one file a formulation."""

from fairlead.model.methods.bars import BarsSettings
from fairlead.model.methods.links import LinksSettings
from fairlead.model.methods.lumped import LumpedSettings
from fairlead.model.methods.multibody import MultibodySettings
from fairlead.model.methods.reduced import ReducedSettings
from fairlead.model.methods.spline import SplineSettings, Twist, TwistHarmonic
from fairlead.model.methods.tether import TetherSettings

__all__ = [
    "BarsSettings",
    "LinksSettings",
    "LumpedSettings",
    "MultibodySettings",
    "ReducedSettings",
    "SplineSettings",
    "TetherSettings",
    "Twist",
    "TwistHarmonic",
]
