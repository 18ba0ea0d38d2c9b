"""A floater's water: hulls whose waves and loads are solved for, not taken from coefficients."""

import math
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake, suggestion
from fairlead.model.solids import Box, Cylinder, Sphere
from fairlead.model.values import Flag, Metres, Name, Position, Quantity, Row, Text, Whole

if TYPE_CHECKING:
    from fairlead.model.system import System

Freedom = Literal["surge", "sway", "heave", "roll", "pitch", "yaw"]
FREEDOMS: tuple[Freedom, ...] = ("surge", "sway", "heave", "roll", "pitch", "yaw")

_Size = Annotated[float, Quantity("m", above=0)]
_Stiffness = Annotated[float, Quantity("N/m", at_least=0)]
_Damping = Annotated[float, Quantity("N*s/m", at_least=0)]
_LINEAR_DOFS = ("surge", "sway", "heave")


class MeshFile(Part):
    """A closed mesh of triangles and quads from a file: .stl, .obj, Nemoh's .dat, or whatever `meshio` reads."""

    file: Text = Field(description="path of the file, from the folder of the system's file")
    scale: Annotated[float, Quantity(above=0)] = Field(
        default=1.0, description="what its numbers are multiplied by to become metres"
    )
    inverted: Flag = Field(default=False, description="whether its normals point into the body, not out of it")


class HullShape(Part):
    """The outside of a floating or submerged body: one of a sphere, a cylinder, a box, a profile and a mesh."""

    sphere: Sphere | None = Field(default=None, description="a sphere")
    cylinder: Cylinder | None = Field(default=None, description="an upright cylinder through the surface")
    box: Box | None = Field(default=None, description="a box through the surface")
    profile: tuple[Annotated[tuple[Metres, Metres], Row("r z")], ...] | None = Field(
        default=None,
        description="a body of revolution about z through the surface: rows [r, z] from the rim of its flat bottom up "
        "to the deck",
    )
    mesh: MeshFile | None = Field(default=None, description="a closed mesh, cut at the water")
    centre: Position = Field(
        default=(0.0, 0.0, 0.0), description="middle of the shape, or origin of the mesh, in the frame of the body"
    )
    panel_size: _Size | None = Field(
        default=None, description="size of its panels; about 28 round a sphere and 24 round a cylinder when left out"
    )
    locked: tuple[Freedom, ...] = Field(
        default=(), description="degrees of freedom that are held: surge, sway, heave, roll, pitch, yaw"
    )
    through_surface: Flag | None = Field(
        default=None,
        description="whether it may go through the surface from air into the deep: by Morison's law and slamming on "
        "its way, solved for once it is under; where it starts in air when left out (a mesh has to say so)",
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "sphere", "cylinder", "box", "profile", "mesh")

    def relations(self) -> Iterator[Mistake]:
        if self.mesh is not None and self.panel_size is not None:
            yield Mistake(("panel_size",), "a mesh has its own panels", "remove it", True)
        for index, name in enumerate(self.locked):
            if name in self.locked[:index]:
                yield Mistake(("locked", index), f"'{name}' is named twice", "remove one of them")
        if self.profile is not None:
            if len(self.profile) < 2:
                yield Mistake(("profile",), "needs two rows [r, z] or more", "add rows from the bottom up to the deck")
            for index, (low, high) in enumerate(zip(self.profile, self.profile[1:], strict=False)):
                if not high[1] > low[1]:
                    message = f"z must rise from row to row: {high[1]:g} m is not above {low[1]:g} m"
                    yield Mistake(("profile", index + 1), message, "order the rows from the bottom up")
            for index, row in enumerate(self.profile):
                if not row[0] > 0.0:
                    yield Mistake(("profile", index), f"r must be above 0 m, not {row[0]:g} m", "give its radius")


class Spring(Part):
    """A spring and damper on a hull's body: a mooring, a power take-off. Along one direction, or to an anchor."""

    body: Name = Field(description="the body it acts on")
    dof: Literal["surge", "sway", "heave"] | None = Field(
        default=None, description="direction it acts along, from where the body starts"
    )
    anchor: Position | None = Field(default=None, description="fixed place it leads to [x, y, z], instead of `dof`")
    at: Position = Field(default=(0.0, 0.0, 0.0), description="where it is joined to the body, in the body's frame")
    length: _Size | None = Field(
        default=None, description="unstretched length of one with an anchor; as at the start when left out"
    )
    stiffness: _Stiffness = Field(default=0.0, description="force per stretch")
    damping: _Damping = Field(default=0.0, description="force per rate of stretch: takes power out")

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "dof", "anchor")

    def relations(self) -> Iterator[Mistake]:
        if self.length is not None and self.dof is not None:
            yield Mistake(("length",), "has no meaning beside 'dof'", "remove it", True)
        if self.stiffness == 0.0 and self.damping == 0.0:
            yield Mistake((), "has neither stiffness nor damping", "add 'stiffness' or 'damping'", True)


class SurfaceMeshSettings(Part):
    """The mesh of the free surface: a disc about the hulls, its outer part absorbing waves."""

    radius: _Size | None = Field(default=None, description="radius of the disc; 2 wavelengths when left out")
    damping_from: _Size | None = Field(
        default=None,
        description="distance from the middle beyond which waves are absorbed; half the radius when left out",
    )
    damping: Annotated[float, Quantity("1/s", at_least=0)] | None = Field(
        default=None, description="strength of the absorption at the edge; the frequency of the wave when left out"
    )
    columns: Annotated[int, Whole(8, 400)] | None = Field(
        default=None,
        description="panels round the middle of a surface that no hull goes through, a multiple of 8; 32 when left out",
    )
    inner: _Size | None = Field(
        default=None, description="size of panels over or next to a hull; from the hull when left out"
    )
    outer: _Size | None = Field(
        default=None, description="size of panels far off; a tenth of the wavelength when left out"
    )
    centre: Annotated[tuple[Metres, Metres], Row("x y")] | None = Field(
        default=None, description="middle of the disc [x, y]; that of the hulls when left out"
    )

    def relations(self) -> Iterator[Mistake]:
        if self.radius is not None and self.damping_from is not None and self.damping_from >= self.radius:
            message = f"{self.damping_from:g} m is not inside the disc of {self.radius:g} m"
            yield Mistake(("damping_from",), message, "use half the radius")


class Hydro(Part):
    """The water about floating and submerged hulls, by boundary elements, coupled to the `multibody` formulation."""

    mode: Literal["weak_scatterer", "linear"] = Field(
        default="weak_scatterer",
        description="`weak_scatterer`: the hull where it is, the surface on the incident wave; `linear`: both at rest",
    )
    theory: Literal["auto", "airy", "stokes2", "stokes5", "fenton"] = Field(
        default="auto",
        description="theory of regular waves; `auto` is `fenton` in mode `weak_scatterer` and `airy` in mode `linear`",
    )
    hulls: dict[Name, HullShape] = Field(description="hulls by the names of the free bodies they belong to")
    springs: tuple[Spring, ...] = Field(default=(), description="springs and dampers on the hulls' bodies")
    surface: SurfaceMeshSettings = Field(default=SurfaceMeshSettings.unsaid(), description="mesh of the free surface")
    symmetry: Flag | None = Field(
        default=None, description="whether only the half y >= 0 is meshed; where the case allows it when left out"
    )
    matrices: Literal["refresh", "iterate", "freeze"] = Field(
        default="refresh",
        description="influence coefficients: `refresh`, anew and factorised at every stage; `iterate`, anew but "
        "factorised once a step; `freeze`, once a step, 3 to 4 times faster",
    )
    filter: Annotated[float, Quantity(at_least=0, at_most=1)] | None = Field(
        default=None, description="share of sawteeth taken off the free surface each step; 0.2, and 0 in mode `linear`"
    )
    at_rest: Literal["float", "hold"] = Field(
        default="float",
        description="what `start: statics` does with the hulls: `float`, they come to rest with all that hangs on "
        "them, but for what is locked; `hold`, they are held where they start",
    )
    substeps: Annotated[int, Whole(1, 10_000)] | None = Field(
        default=None,
        description="steps of cables and bodies in each step of the water; as stiff cables ask for when left out",
    )

    def relations(self) -> Iterator[Mistake]:
        if not self.hulls:
            yield Mistake(("hulls",), "there is no hull", "add one: body: {sphere: {diameter: 7 m}}", True)


def passes_surface(hull: HullShape, body: Any) -> bool:
    """Whether a hull goes through the surface during a run: as it says, or since all of it starts in air."""
    if hull.through_surface is not None:
        return hull.through_surface
    if hull.centre is None or body.position is None:
        return False
    if hull.sphere is not None:
        diameter = hull.sphere.diameter
        return diameter is not None and bool(body.place(hull.centre)[2] - 0.5 * diameter >= 0.0)
    sides = _sides(hull)
    if sides is None:
        return False
    corners = product(*((c + low, c + high) for c, (low, high) in zip(hull.centre, sides, strict=True)))
    return bool(min(body.place(corner)[2] for corner in corners) >= 0.0)


def _sides(hull: HullShape) -> tuple[tuple[float, float], ...] | None:
    """The box about a hull that is neither a sphere nor a mesh: low and high along x, y, z, from its centre, m."""
    if hull.box is not None and None not in (hull.box.length, hull.box.width, hull.box.height):
        half = tuple(0.5 * side for side in (hull.box.length, hull.box.width, hull.box.height))
    elif hull.cylinder is not None and None not in (hull.cylinder.diameter, hull.cylinder.height):
        half = (0.5 * hull.cylinder.diameter, 0.5 * hull.cylinder.diameter, 0.5 * hull.cylinder.height)
    elif hull.profile and all(row is not None and len(row) == 2 and None not in row for row in hull.profile):
        r = max(row[0] for row in hull.profile)
        return (-r, r), (-r, r), (hull.profile[0][1], hull.profile[-1][1])
    else:
        return None
    return tuple((-side, side) for side in half)


def hydro_checks(system: "System") -> Iterator[Mistake]:
    """Mistakes between the hulls and the rest of the system."""
    hydro = system.hydro
    if hydro is None or hydro.hulls is None:
        return
    settings, environment = system.simulation, system.environment
    if settings is not None and settings.formulation not in (None, "multibody") and system.joints:
        message = f"hulls with joints cannot carry cables of the formulation '{settings.formulation}'"
        yield Mistake(("hydro",), message, "use 'simulation: {formulation: multibody}'", True)
    if environment is not None and environment.water_density == 0:
        yield Mistake(
            ("hydro",), "there is no water: environment.water_density is 0", "give the water its density", True
        )
    if environment is not None and environment.gravity == 0:
        yield Mistake(("hydro",), "there are no waves without gravity", "give environment.gravity", True)
    seabed = environment.seabed if environment is not None else None
    for key in ("slope", "bathymetry"):
        uneven = getattr(seabed, key, None)
        if uneven is not None and (key == "bathymetry" or any(uneven)):
            yield Mistake(("environment", "seabed", key), "hulls need a level seabed", f"remove the {key}", True)
    for key in ("current", "current_field"):
        if environment is not None and getattr(environment, key):
            yield Mistake(("environment", key), "hulls know no current yet", "remove it", True)
    for name, hull in hydro.hulls.items():
        if system.bodies is None or hull is None:
            continue
        if name not in system.bodies:
            hint = suggestion(name, system.bodies, "describe it under 'bodies'")
            yield Mistake(("hydro", "hulls", name), f"there is no body '{name}'", hint, True)
            continue
        if getattr(system.bodies[name], "wind", None) is not None:
            cure = "remove it; a load of the file may stand for it"
            yield Mistake(("bodies", name, "wind"), "hulls whose water is solved for know no wind yet", cure, True)
        yield from _hull(system, name, hull)
    for index, spring in enumerate(hydro.springs or ()):
        if spring.body is not None and system.bodies is not None and spring.body not in hydro.hulls:
            hint = suggestion(spring.body, hydro.hulls)
            yield Mistake(("hydro", "springs", index, "body"), f"'{spring.body}' has no hull", hint)


def _hull(system: "System", name: str, hull: HullShape) -> Iterator[Mistake]:
    """Mistakes about one hull and its body."""
    body = system.bodies[name]
    if body is None:
        return
    where = ("bodies", name)
    if body.kind != "free":
        yield Mistake((*where, "kind"), "a hull belongs to a free body", "use 'kind: free'")
        return
    for key in ("shape", "metacentric_height", "waterplane"):
        if getattr(body, key) is not None:
            yield Mistake((*where, key), "the hull under 'hydro' is its outside already", "remove it", True)
    passing = passes_surface(hull, body)
    if passing:
        yield from _passing(system, name, hull)
    for key in ("volume", "drag_area", "drag_moment", "added_mass", "added_inertia"):
        value = getattr(body, key)
        if value is not None and key in body.model_fields_set and any(value if isinstance(value, tuple) else (value,)):
            message = f"the hull under 'hydro' has its buoyancy and added mass already; '{key}' would count twice"
            if key.startswith("drag") or (passing and key.startswith("added")):
                continue
            yield Mistake((*where, key), message, "remove it", True)
    if hull.locked and any(joint.child is not None and joint.child.partition(".")[0] == name
                           for joint in (system.joints or {}).values()):  # fmt: skip
        message = "a body that hangs by a joint is held by it already"
        yield Mistake(("hydro", "hulls", name, "locked"), message, "remove it, or the joint", True)
    environment = system.environment
    if environment is None or environment.seabed is None or environment.seabed.depth is None or body.position is None:
        return
    lowest = _lowest(hull)
    if lowest is not None and body.position[2] + lowest <= -environment.seabed.depth:
        message = (
            f"the hull reaches z = {body.position[2] + lowest:.4g} m, into the seabed at "
            f"z = {-environment.seabed.depth:.4g} m"
        )
        yield Mistake((*where, "position"), message, "raise the body, or make the water deeper")


def _passing(system: "System", name: str, hull: HullShape) -> Iterator[Mistake]:
    """Mistakes about a hull that goes through the surface."""
    where, settings = ("hydro", "hulls", name), system.simulation
    if hull.locked:
        message = "a hull that goes through the surface cannot be held"
        yield Mistake((*where, "locked"), message, "remove it: what it hangs on holds it", True)
    if system.hydro is not None and system.hydro.mode == "linear":
        message = f"'{name}' starts in air or goes through the surface, which linear mode keeps at rest"
        yield Mistake(("hydro", "mode"), message, "use 'mode: weak_scatterer'", True)
    if settings is not None and settings.formulation not in (None, "multibody") and system.cables:
        message = f"'{name}' goes through the surface, which needs hulls and cables in one tree"
        yield Mistake(("hydro", "hulls", name), message, "use 'simulation: {formulation: multibody}'", True)


def _lowest(hull: HullShape) -> float | None:
    """Lowest point of a hull in its body's frame, m; None where a file tells, or where it is not understood."""
    heights = (
        hull.sphere.diameter if hull.sphere is not None else None,
        hull.cylinder.height if hull.cylinder is not None else None,
        hull.box.height if hull.box is not None else None,
    )
    known = [height for height in heights if height is not None]
    if hull.centre is None:
        return None
    if known:
        return hull.centre[2] - 0.5 * known[0]
    rows = [row[1] for row in hull.profile or () if row is not None and len(row) == 2]
    return hull.centre[2] + min(rows) if rows else None


def default_panel_size(hull: HullShape) -> float:
    """Size of panels that resolves a hull well enough for motions within a few per cent, m."""
    if hull.sphere is not None:
        return math.pi * hull.sphere.diameter / 28.0
    if hull.cylinder is not None:
        return math.pi * hull.cylinder.diameter / 24.0
    if hull.box is not None:
        return min(hull.box.length, hull.box.width) / 6.0
    assert hull.profile is not None
    return 2.0 * math.pi * max(row[0] for row in hull.profile) / 24.0
