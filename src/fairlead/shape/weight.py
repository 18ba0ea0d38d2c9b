"""What the elements and attachments of a cable weigh, in air and in water."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.algebra.recorded import blank, larger, numbers
from fairlead.model import Cable, System

Floats = NDArray[np.float64]
NEUTRAL = 1e-9  # weight in water that counts as none, relative to the weight in air


@dataclass(frozen=True)
class CableWeight:
    """A cable's elements as arrays.

    lengths, diameters: (n,) [m]; dry, wet: (n,) weight of each element in air and in water [N]; node_dry, node_wet:
    (n+1,) of the attachments [N]; axial_stiffness: EA (n,) [N], infinite for rigid links; contact_radius: the
    largest of the cable [m]; unstretched: whether it is laid with elements of their unstretched length.
    """

    lengths: Floats
    diameters: Floats
    dry: Floats
    wet: Floats
    node_dry: Floats
    node_wet: Floats
    axial_stiffness: Floats
    contact_radius: float
    unstretched: bool = False

    @classmethod
    def of(cls, system: System, cable: Cable) -> "CableWeight":
        """The arrays of one cable of the model. Attachments are shared between the two nodes beside them by the lever
        rule, so that their force and its moment stay where the file has them."""
        water, gravity = system.environment.water_density, system.environment.gravity
        segments = cable.segments(system)
        types = [system.types[segment.type_name] for segment in segments]
        lengths = numbers([segment.length for segment in segments])
        area = numbers([kind.area for kind in types])
        dry = numbers([kind.mass_per_metre for kind in types]) * gravity * lengths
        places = np.concatenate(([0.0], np.cumsum(lengths)))
        node_dry, node_wet = blank(len(places)), blank(len(places))
        for attachment in cable.attachments:
            element = min(int(np.searchsorted(places, attachment.at, side="right")) - 1, len(lengths) - 1)
            share = min((attachment.at - places[element]) / lengths[element], 1.0)
            for node, part in ((element, 1.0 - share), (element + 1, share)):
                node_dry[node] += part * attachment.mass * gravity
                node_wet[node] += part * _in_water(attachment.mass, attachment.volume, water) * gravity
        wet = dry - water * gravity * area * lengths
        return cls(
            lengths=lengths,
            diameters=numbers([kind.diameter for kind in types]),
            dry=dry,
            wet=np.where(np.abs(wet) > NEUTRAL * dry, wet, 0.0),
            node_dry=node_dry,
            node_wet=node_wet,
            axial_stiffness=numbers([kind.ea if system.simulation.stretches else np.inf for kind in types]),
            contact_radius=0.5 * max(kind.contact_diameter for kind in types),
            unstretched=system.simulation.start == "unstretched" or _let_go(system, cable),
        )

    @property
    def stiffness_laid(self) -> Floats:
        """EA (n,) [N] with which the cable is laid: infinite where it is laid unstretched."""
        return np.full_like(self.axial_stiffness, np.inf) if self.unstretched else self.axial_stiffness

    @property
    def length(self) -> float:
        """Unstretched length [m]."""
        return float(self.lengths.sum())

    @property
    def floats(self) -> bool:
        """Whether every element floats and nothing on the cable sinks."""
        return bool((self.wet < 0.0).all() and (self.node_wet <= 0.0).all())

    @property
    def sinks(self) -> bool:
        """Whether nothing of the cable floats."""
        return bool((self.wet >= 0.0).all() and (self.node_wet >= 0.0).all())

    @property
    def floating_level(self) -> float:
        """Height of the axis above the surface when the cable floats on it [m]: as deep as its weight needs."""
        submerged = self.dry.sum() / (self.dry - self.wet).sum()
        return float(self.diameters.mean() * (0.5 - submerged))

    def at(self, nodes: Floats) -> tuple[Floats, Floats]:
        """Weights (n,) of the elements and (n+1,) of the attachments [N] of the cable with these `nodes` (n+1, 3).

        An element that crosses the surface is under water by the part clamp(1/2 - z/sqrt(rise^2 + d^2), 0, 1).
        """
        z = nodes[:, 2]
        middle, height = 0.5 * (z[1:] + z[:-1]), np.hypot(np.diff(z), self.diameters)
        submerged = np.clip(0.5 - middle / height, 0.0, 1.0)
        under = z <= 0.0
        return self.dry + submerged * (self.wet - self.dry), np.where(under, self.node_wet, self.node_dry)


def point_weight(system: System, name: str) -> tuple[float, float]:
    """Weight of the body at a point that moves freely, in air and in water [N]; zero at other points."""
    point = system.points[name]
    if point.kind == "fixed" or point.kind == "anchor" or point.kind == "controlled":
        return 0.0, 0.0
    gravity = system.environment.gravity
    wet = _in_water(point.mass, point.volume, system.environment.water_density) * gravity
    return wet if getattr(point, "always_wet", False) else point.mass * gravity, wet


def _in_water(mass: float, volume: float, water: float) -> float:
    displaced = water * volume
    return mass - displaced if abs(mass - displaced) > NEUTRAL * larger(mass, displaced) else 0.0


def _let_go(system: System, cable: Cable) -> bool:
    """Whether an end of a cable lies where the file puts it and nothing holds it there: it is let go without pull."""
    ends = [end.point.partition(".")[0] for each in system.cables.values() for end in (each.start, each.end)]
    held = {place.partition(".")[0] for joint in system.joints.values() for place in (joint.parent, joint.child)}
    held |= set(system.hydro.hulls) if system.hydro is not None else set()
    for end in (cable.start, cable.end):
        name = end.point.partition(".")[0]
        owner = system.points.get(name) or system.bodies[name]
        free = owner.is_free and owner.kind != "floating"
        if free and owner.position is not None and ends.count(name) == 1 and name not in held:
            return True
    return False
