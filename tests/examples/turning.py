"""A whole system turned about the vertical, and the turned results of its run turned back."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, get_args

import numpy as np
import xarray as xr

import fairlead as fl
from fairlead.model.part import Part

Turn = Callable[[Any, float], Any]
"""What becomes of a value when the system is turned by an angle [deg]."""


class CannotBeTurned(ValueError):
    """A key that is bound to the axes of the file."""


def _vector(value: Any, angle: float) -> Any:
    """[x, y] or [x, y, z], where z may be `bed`."""
    if value is None:
        return None
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y, *rest = value
    return (c * x - s * y, s * x + c * y, *rest)


def _rows(value: Any, angle: float) -> Any:
    """Rows [t, x, y, ...]."""
    return None if value is None else tuple((row[0], *_vector(row[1:], angle)) for row in value)


def _heading(value: Any, angle: float) -> Any:
    return None if value is None else value + angle


def _yaw(value: Any, angle: float) -> Any:
    return (*value[:2], value[2] + angle)


def _components(value: Any, angle: float) -> Any:
    return tuple((amplitude, period, heading + angle, phase) for amplitude, period, heading, phase in value)


def _first_azimuth(value: Any, angle: float) -> Any:
    """Of links: the first one is counted from y towards x, the others from the link above."""
    return None if value is None else (value[0] - angle, *value[1:])


def _same(value: Any, angle: float) -> Any:
    """In the frame of a body, or no direction of the sea."""
    return value


def _bound(value: Any, angle: float) -> Any:
    """Along the axes of the file."""
    if value:
        raise CannotBeTurned(f"{value!r} goes by the axes of the file")
    return value


def _locked(value: Any, angle: float) -> Any:
    """Degrees of freedom that are held; turned only where both horizontal ones are, or none."""
    for one, other in (("surge", "sway"), ("roll", "pitch")):
        if (one in value) != (other in value):
            raise CannotBeTurned(f"{value!r} goes by the axes of the file")
    return value


def _along(value: Any, angle: float) -> Any:
    if value in ("surge", "sway"):
        raise CannotBeTurned(f"{value!r} goes by the axes of the file")
    return value


def _places(value: Any, angle: float) -> Any:
    """Places in the plan."""
    return None if value is None else tuple(_vector(place, angle) for place in value)


def _field(value: Any, angle: float) -> Any:
    """Velocities of a field; turned only where the field is alike along x and y, which `turned` asks for."""
    return None if value is None else tuple(_vector(row, angle) for row in value)


KEYS: dict[str, Turn] = {
    **dict.fromkeys(
        (
            "FixedPoint.position", "AnchorPoint.position",
            "CurrentSample.velocity", "Wind.velocity", "RecordWaves.position", "Seabed.slope", "Harmonic.amplitude",
            "BodyHarmonic.amplitude", "Spring.anchor", "SurfaceMeshSettings.centre", "PointLoad.force",
            "PointLoad.torque", "MultibodySettings.first_axis", "Twist.reference", "End.direction",
        ),
        _vector,
    ),
    **dict.fromkeys(
        (
            "CurrentSample.direction_deg", "Wind.direction_deg", "RegularWaves.direction_deg",
            "JonswapWaves.direction_deg", "RecordWaves.direction_deg", "SpectrumWaves.direction_deg",
            "Track.course_deg",
        ),
        _heading,
    ),
    **{
        f"{kind}.{key}": _vector
        for kind in (
            "ControlledPoint", "FreePoint", "PassivePoint", "HybridPoint", "FreeBody",
            "FloatingBody", "PrescribedBody",
        )
        for key in ("position", "velocity")
    },
    **{f"{kind}.orientation_deg": _yaw for kind in ("FreeBody", "FloatingBody", "PrescribedBody")},
    "HullShape.locked": _locked,
    "Spring.dof": _along,
    "ComponentWaves.table": _components,
    "Motion.table": _rows,
    "Track.waypoints": _places,
    "BodyMotion.table": _rows,
    "CurrentField.velocity": _field,
    "LinksSettings.start_azimuth_deg": _first_azimuth,
    **dict.fromkeys(
        (
            "Bathymetry.depth", "FloatingBody.displaced", "Hydro.symmetry", "MooringMatrix.matrix",
            "MooringMatrix.preload", "LinksSettings.azimuth_stiffness",
        ),
        _bound,
    ),
    **dict.fromkeys(
        (
            # a phase, not a direction
            "RegularWaves.phase_deg", "Harmonic.phase_deg", "BodyHarmonic.phase_deg", "BodyHarmonic.rotation_phase_deg",
            "TwistHarmonic.phase_deg", "TwistHarmonic.mean_deg", "TwistHarmonic.amplitude_deg", "Twist.angle_deg",
            "Twist.table", "LinksSettings.start_elevation_deg", "LinksSettings.start_twist_deg",
            # added to roll, pitch and yaw
            "BodyHarmonic.rotation_deg",
            # in the frame of the body
            "FreeBody.centre_of_buoyancy", "FreeBody.drag_area", "FreeBody.drag_moment", "FreeBody.added_mass",
            "FreeBody.added_inertia", "FreeBody.inertia", "FreeBody.metacentric_height", "FreeBody.attachments",
            "BodyDamping.linear", "BodyDamping.quadratic", "Member.ends", "Radiation.added_mass_infinite",
            "PrescribedBody.attachments", "FloatingBody.attachments", "FloatingBody.centre_of_mass",
            "FloatingBody.centre_of_buoyancy", "FloatingBody.inertia", "CoefficientFile.reference",
            "HydrostaticStiffness.matrix", "HydrostaticStiffness.additional", "FloaterDamping.linear",
            "FloaterDamping.quadratic", "CurrentForce.area", "CurrentForce.coefficients", "WindForce.area",
            "WindForce.coefficients", "Thrust.at", "Thrust.direction_deg", "Windage.area", "Windage.centre",
            "Waterplane.second_moment", "Response.heading_deg", "PowerTakeOff.at", "PowerTakeOff.axis",
            "HullShape.centre", "Spring.at", "DenavitHartenberg.alpha_deg", "DenavitHartenberg.theta_deg", "Joint.axis",
            "ResponseRow.surge", "ResponseRow.sway", "ResponseRow.heave", "ResponseRow.roll", "ResponseRow.pitch",
            "ResponseRow.yaw",
        ),
        _same,
    ),
}  # fmt: skip
"""What becomes of each key that may hold a direction, `kind of part.key`."""


def parts(of: Any = fl.System, seen: set[type[Part]] | None = None) -> Iterator[type[Part]]:
    """Every kind of part that a file may hold."""
    known = set() if seen is None else seen
    if isinstance(of, type) and issubclass(of, Part):
        if of not in known:
            known.add(of)
            yield of
            for field in of.model_fields.values():
                yield from parts(field.annotation, known)
        return
    for inner in get_args(of):
        yield from parts(inner, known)


def may_hold_a_direction(kind: type[Part], key: str) -> bool:
    """Whether the name or the type of a key is that of a vector, an angle or a matrix of six motions."""
    field = kind.model_fields[key]
    said = f"{field.annotation!r} {field.metadata!r}"
    vectors = (
        "columns='x y",
        "columns='t x y",
        "vx",
        "dz/dx",
        "heading_deg",
        "columns='roll",
        "SixBySix",
        "unit='deg'",
    )
    nested = any(isinstance(inner, type) for inner in parts(field.annotation))
    return (not nested and any(word in said for word in vectors)) or key in ("velocity", "locked", "dof", "symmetry")


def turned(system: fl.System, angle: float) -> fl.System:
    """The system turned about the z axis by an angle [deg], from x towards y."""
    for joint in system.joints.values():
        if joint.parent in system.points:
            raise CannotBeTurned("the axis of a joint on a point")
    if system.simulation.tether.mode == "paper":
        raise CannotBeTurned("the paper's first shape, a catenary over x")
    field = system.environment.current_field
    if field is not None and (len(field.x), len(field.y)) != (1, 1):
        raise CannotBeTurned("a current on a grid")
    data = _turned_part(system, angle)
    data["inputs"] = {name: _turned_input(name, given, angle) for name, given in system.model_dump()["inputs"].items()}
    return fl.System.model_validate(data, context={"source": system.source})


def _turned_input(name: str, given: dict[str, Any], angle: float) -> dict[str, Any]:
    what = name.rpartition(".")[2]
    if what in ("position", "force", "torque", "velocity"):
        turn: Turn = _vector
    elif what == "rotation":
        turn = lambda value, angle: (*value[:2], value[2] + math.radians(angle))  # noqa: E731
    else:
        turn = _same
    if given.get("constant") is not None:
        return {"constant": turn(given["constant"], angle)}
    return {"table": [(row[0], *turn(row[1:], angle)) for row in given["table"]]}


def _turned_part(part: Part, angle: float) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key in type(part).model_fields:
        value, turn = getattr(part, key), KEYS.get(f"{type(part).__name__}.{key}")
        if key in part.model_fields_set or key == "kind":
            data[key] = _turned_value(value, angle) if turn is None else _plain(turn(value, angle))
        elif turn is not None and turn is not _bound and turn(value, angle) != value:
            data[key] = _plain(turn(value, angle))  # left out: a heading of 0, a body with its bow to the north
    return data


def _turned_value(value: Any, angle: float) -> Any:
    if isinstance(value, Part):
        return _turned_part(value, angle)
    if isinstance(value, dict):
        return {name: _turned_value(item, angle) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_turned_value(item, angle) for item in value]
    return value


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def turned_back(result: xr.Dataset, angle: float) -> dict[str, np.ndarray]:
    """What a run of the turned system recorded, as the system itself would have it."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    found = {}
    for name, variable in result.data_vars.items():
        values = variable.values
        if values.dtype.kind != "f" or str(name).endswith(("_time", "_node")):
            continue  # which of two like places or times is extreme hangs on the last digit
        if variable.dims[-1:] == ("axis",):
            values = values @ back.T
        elif str(name).endswith(".yaw"):
            values = values - math.radians(angle)
        found[str(name)] = values
    return found
