"""Physical checks that need only the model: what is allowed but looks wrong.

Each warning names the quantity, the threshold and the cure. None of them stops a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise

from fairlead.algebra.clamps import SHORT, clamp_element, clamp_factor
from fairlead.model.anchors import current_above_water, misplaced_points
from fairlead.model.bodies import FreeBody, PrescribedBody
from fairlead.model.cable_types import CableType
from fairlead.model.cables import Cable
from fairlead.model.environment import MEASURED
from fairlead.model.floating import never_righted
from fairlead.model.geometry import Hanging, hanging
from fairlead.model.large_bodies import large_bodies
from fairlead.model.lift_checks import floating_payloads
from fairlead.model.motion import BodyMotion, Motion, first_period
from fairlead.model.points import ControlledPoint, HybridPoint, PassivePoint
from fairlead.model.problems import Problem, path_text
from fairlead.model.settings import SimulationSettings
from fairlead.model.step_checks import step_checks
from fairlead.model.system import System
from fairlead.model.winches import Winch
from fairlead.words import apart, force, number, percentage

STEEL = 2.5e11  # Pa, a little above the modulus of solid steel
LEAD = 11_500.0  # kg/m3
ROD_FACTOR = 2.0  # bending stiffness allowed, as a multiple of the solid rod's
LARGE_RESULT = 2e9  # bytes
FAST_WINCH = 10.0  # m/s
FAST_WATER = 5.0  # m/s
MANY_WAVES = 1000  # regular waves of one train
STORM = 70.0  # m/s
BESIDE_NODE = 0.02  # of an element: how far from a node something attached may be without a word
HEAVY = 0.1  # of the cable's weight: what counts as heavy then


def warnings(system: System) -> tuple[Problem, ...]:
    """All physical warnings about a system, in the order of the file where it came from one; and what it is without."""
    checks = (
        _missing, _environment, _steep_waves, _fast_water, _many_waves, _wind, current_above_water, _types, _cables,
        _points, misplaced_points, _bodies, large_bodies, floating_payloads, never_righted, _loads, _groups,
        _result_size, step_checks,
    )  # fmt: skip
    found = [problem for check in checks for problem in check(system)]
    return tuple(sorted(found, key=lambda problem: (problem.line or 0, problem.column or 0)))


def _missing(system: System) -> Iterable[Problem]:
    return system.source.missing if system.source is not None else ()


def _environment(system: System) -> Iterator[Problem]:
    sea = system.environment
    if sea.water_density and not 900 <= sea.water_density <= 1200:
        message = f"{sea.water_density:g} kg/m^3 is outside 900 to 1200 kg/m^3"
        yield system.problem("environment.water_density", message, "sea water has about 1025, air counts as 0")
    if sea.gravity and not 9.7 <= sea.gravity <= 9.9:
        message = f"{sea.gravity:g} m/s^2 is outside 9.7 to 9.9 m/s^2"
        yield system.problem("environment.gravity", message, "use 9.81 on this planet")
    by_reynolds = any(kind.drag == "reynolds" for kind in system.types.values())
    if sea.water_density and by_reynolds and not 5e-7 <= sea.viscosity <= 5e-6:
        message = f"{sea.viscosity:g} m^2/s is outside 5e-7 to 5e-6 m^2/s"
        hint = "give the kinematic viscosity (dynamic viscosity over density), about 1.35e-6 in sea water"
        yield system.problem("environment.viscosity", message, hint)


def _steep_waves(system: System) -> Iterator[Problem]:
    """Measured waves and lists of waves that are too steep to be: linear theory carries them all the same."""
    sea = system.environment
    if sea.waves is None or not sea.water_density or not sea.gravity:
        return
    for place, train, height, limit in sea.breaking_trains():
        if train.kind in MEASURED:
            message = (
                f"waves of {number(height, 3)} m and {number(train.main_period, 3)} s are steeper than waves can be, "
                f"which break above {number(limit, 3)} m; the water near the surface moves too fast here"
            )
            hint = "check amplitudes and periods, or leave out short waves ('shortest_period' of a record)"
            yield system.problem(path_text(("environment", *place)), message, hint)


def _fast_water(system: System) -> Iterator[Problem]:
    sea = system.environment
    speeds = {f"environment.current[{k}]": math.hypot(*sample.vector) for k, sample in enumerate(sea.current)}
    if sea.current_field is not None:
        speeds["environment.current_field"] = sea.current_field.fastest
    for path, speed in speeds.items():
        if speed > FAST_WATER:
            message = f"the water flows at {speed:g} m/s > {FAST_WATER:g} m/s"
            yield system.problem(path, message, "check the unit; 1 knot is 0.514 m/s")


def _many_waves(system: System) -> Iterator[Problem]:
    """Every node sums all of them in every step."""
    for place, train in system.environment.trains:
        if train.kind == "record":
            count, hint = len(train.series[0]), "make 'shortest_period' longer, or the record shorter"
        elif train.kind == "components":
            count, hint = len(train.table), "leave out the lowest"
        else:
            continue  # their number is bounded
        if count > MANY_WAVES:
            message = f"is a sum of {number(count)} regular waves > {number(MANY_WAVES)}, and a run is slow"
            yield system.problem(path_text(("environment", *place)), message, hint)


def _wind(system: System) -> Iterator[Problem]:
    wind = system.environment.wind
    met = {name: body for name, body in system.bodies.items() if isinstance(body, FreeBody) and body.wind is not None}
    if wind is None:
        for name in met:
            hint = "add it, or remove this"
            yield system.problem(f"bodies.{name}.wind", "meets no wind: there is no 'environment.wind'", hint)
        return
    speed = math.hypot(*wind.vector) * max((factor for _, factor in wind.gusts), default=1.0)
    if speed > STORM:
        hint = "check the unit; 1 knot is 0.514 m/s"
        yield system.problem("environment.wind", f"blows with up to {number(speed, 3)} m/s > {STORM:g} m/s", hint)
    if not any(_meets_wind(body) for body in system.bodies.values()):
        hint = "give a body 'wind: {area: ...}'"
        yield system.problem("environment.wind", "pushes nothing: no body says how the wind meets it", hint)


def _meets_wind(body: object) -> bool:
    """Whether the wind pushes a body: by its area or coefficients, or by a rotor with a thrust that follows it."""
    thrust = getattr(body, "thrust", None)
    return getattr(body, "wind", None) is not None or (thrust is not None and thrust.table is not None)


def _types(system: System) -> Iterator[Problem]:
    for name, kind in system.types.items():
        path = f"types.{name}"
        yield from _stiffness(system, path, kind)
        water = system.environment.water_density
        if kind.mean_density < water and not kind.floating:
            its, that = apart(kind.mean_density, water)
            message = f"is lighter than water and rises: {its} kg/m^3 < {that} kg/m^3"
            yield system.problem(path, message, "check diameter and mass, or say 'floating: true' where it is meant")
        if kind.floating and kind.mean_density >= water > 0.0:
            its, that = apart(kind.mean_density, water)
            message = f"is said to float, and sinks: {its} kg/m^3 >= {that} kg/m^3"
            yield system.problem(f"{path}.floating", message, "check diameter and mass, or leave 'floating' out")
        if kind.mean_density > LEAD:
            message = f"is heavier than lead: {number(kind.mean_density)} kg/m^3 > {number(LEAD)} kg/m^3"
            yield system.problem(path, message, "check diameter (m) and mass (kg/m)")


def _stiffness(system: System, path: str, kind: CableType) -> Iterator[Problem]:
    modulus = kind.ea / kind.area
    if modulus > STEEL:
        key = "youngs_modulus" if kind.youngs_modulus is not None else "axial_stiffness"
        message = (
            f"EA = {force(kind.ea)} makes it stiffer than solid steel: EA/area {number(modulus / 1e9, 3)} GPa > "
            f"{number(STEEL / 1e9, 3)} GPa"
        )
        yield system.problem(f"{path}.{key}", message, "check its unit, and the diameter")
    rod = kind.ea * kind.diameter**2 / 16
    for key, value, symbol in (
        ("bending_stiffness", kind.ei, "EI"),
        ("torsional_stiffness", kind.gj, "GJ"),
    ):
        if value > ROD_FACTOR * rod:
            limit = ROD_FACTOR * rod
            compared = f"{symbol} = {number(value)} N*m^2 > {number(limit)} N*m^2"
            message = f"{compared}, twice the EI of a solid rod of this EA"
            yield system.problem(f"{path}.{key}", message, f"use {number(rod, 3)} N*m^2 = EA * diameter^2 / 16 or less")


def _cables(system: System) -> Iterator[Problem]:
    for name, cable in system.cables.items():
        path = f"cables.{name}"
        if cable.start.point == cable.end.point:
            message = f"starts and ends at the same place, '{cable.end.point}': it hangs there as a loop"
            yield system.problem(f"{path}.end", message, "check 'start' and 'end'")
        lengths = [segment.length for segment in cable.segments()]
        yield from _unequal_elements(system, path, lengths)
        yield from _between_nodes(system, name, cable, lengths)
        kinds = [system.types[type_name] for type_name in cable.type_names]
        weights = [abs(kind.weight_in_water(system.environment)) for kind in kinds]
        strain = max(weights) * cable.total_length / min(kind.ea for kind in kinds)
        if strain > 0.05:
            message = f"stretches by {percentage(strain)} > 5 % when hung by one end in water"
            yield system.problem(path, message, "check EA, E and the diameter of its type")
        if cable.winch is not None:
            yield from _winch(system, f"{path}.winch", cable.winch)
        hang = hanging(system, cable)
        if hang is None:
            continue
        apart = max(hang.chord, _farthest(system, cable))
        if 0 < apart < cable.total_length / 2:
            twice = f"{cable.total_length:.6g} m > twice the {apart:.6g} m between its ends"
            message = f"is very slack at the start: {twice}"
            yield system.problem(path, message, "shorten it or move its ends, unless it is meant to hang in a bight")
        if cable.element_count > 1:
            yield from _curvature(system, path, hang, max(lengths), cable.total_length)
            for end_name, end, first in (("start", cable.start, lengths[0]), ("end", cable.end, lengths[-1])):
                kind = kinds[0] if end_name == "start" else kinds[-1]
                if end.joint == "clamp" and kind.ei > 0:
                    tension = hang.tension(end_name)
                    yield from _clamp(system, f"{path}.{end_name}", tension, kind.ei, first, cable.total_length)


def _between_nodes(system: System, name: str, cable: Cable, lengths: list[float]) -> Iterator[Problem]:
    """Heavy clumps and floats in the middle of an element, which cannot kink under them."""
    sea = system.environment
    kinds = {kind: system.types[kind].weight_in_water(sea) for kind in cable.type_names}
    line = sum(abs(kinds[segment.type_name]) * segment.length for segment in cable.segments())
    nodes = [0.0, *accumulate(lengths)]
    for index, item in enumerate(cable.attachments):
        away = min(abs(item.at - node) for node in nodes)
        weight = sea.gravity * abs(item.mass - sea.water_density * item.volume)
        if away > BESIDE_NODE * max(lengths) and weight > HEAVY * line:
            message = (
                f"lies {number(away, 3)} m from the nearest node, and weighs {force(weight)} of the cable's "
                f"{force(line)} in water: the element under it cannot kink there"
            )
            yield system.problem(f"cables.{name}.attachments[{index}].at", message,
                                 "use more elements, or put a node there by 'element_lengths'")  # fmt: skip


def _farthest(system: System, cable: Cable) -> float:
    """The farthest that tables of motion take the ends of a cable apart, m; 0 where there are none."""
    places = []
    for end in (cable.start, cable.end):
        owner = system.points.get(end.point)
        table = owner.motion.table if isinstance(owner, ControlledPoint) and owner.motion is not None else None
        position = system.place(end.point).position
        if position is None:
            return 0.0
        places.append([tuple(map(sum, zip(position, row[1:], strict=True))) for row in table or ((0.0,) * 4,)])
    return max(math.dist(a, b) for a in places[0] for b in places[1])


def _winch(system: System, path: str, winch: Winch) -> Iterator[Problem]:
    fastest = max((abs(row[1]) for row in winch.table or ()), default=abs(winch.rate or 0.0))
    if fastest > FAST_WINCH:
        key = "table" if winch.table is not None else "rate"
        message = f"runs at up to {number(fastest, 3)} m/s > {FAST_WINCH:g} m/s"
        yield system.problem(f"{path}.{key}", message, "check the unit; 1 m/s is 60 m/min")


def _curvature(system: System, path: str, hang: Hanging, element: float, length: float) -> Iterator[Problem]:
    if hang.radius is not None and element > hang.radius / 4:
        cure = "give its type a bending_stiffness, or move its ends apart: it folds sharply"
        folds = hang.radius <= length / 1000
        if folds and length - hang.chord < 2 * element:
            return  # it hangs plumb, and what is slack of it makes no bight of its own
        if not folds:
            cure = f"use elements: {math.ceil(4 * length / hang.radius)} or more"
        compared = f"{number(element, 3)} m > {number(hang.radius / 4, 3)} m, a quarter of the radius"
        message = f"elements are long for its curvature: {compared}"
        yield system.problem(path, message, cure)


def _clamp(
    system: System, path: str, tension: float | None, ei: float, element: float, length: float
) -> Iterator[Problem]:
    if not tension or tension < 0:
        return
    reach = clamp_element(ei, tension)
    if element > reach * (1 + 1e-9):
        low = percentage(1.0 - 1.0 / clamp_factor(ei, tension, element))
        compared = f"element {number(element, 3)} m > {number(reach, 3)} m = {SHORT:g} sqrt(EI / tension)"
        message = f"the bend at the clamp is not resolved: {compared}; its bending moment comes out {low} low"
        hint = (
            f"use elements of {reach:.2g} m near it, or {math.ceil(length / reach):,} along the cable, or "
            "'joint: ball' if its bending moment does not matter"
        )
        yield system.problem(path, message, hint)


def _unequal_elements(system: System, path: str, lengths: list[float]) -> Iterator[Problem]:
    ratios = [max(a, b) / min(a, b) for a, b in pairwise(lengths)]
    worst = max(range(len(ratios)), key=ratios.__getitem__, default=None)
    if worst is not None and ratios[worst] > 5:
        one, other = number(lengths[worst], 3), number(lengths[worst + 1], 3)
        pair = f"{one} m beside {other} m, ratio {number(ratios[worst], 3)} > 5"
        message = f"elements {worst + 1} and {worst + 2} are very unequal: {pair}"
        yield system.problem(path, message, "let element lengths change in smaller steps")


def _points(system: System) -> Iterator[Problem]:
    bed = system.environment.seabed
    thickest = max((kind.contact_diameter for kind in system.types.values()), default=0.0)
    for name, point in system.points.items():
        if bed is not None and point.position is not None:
            below = bed.level(*point.position[:2]) - point.position[2]
            if below > 5 * thickest:
                message = f"is {number(below, 3)} m below the seabed > 5 cable diameters ({number(5 * thickest, 3)} m)"
                x, y = point.position[:2]
                hint = f"raise it, make the water deeper, or put it on the bed: position: [{x:g}, {y:g}, bed]"
                yield system.problem(f"points.{name}.position", message, hint)
        if isinstance(point, (ControlledPoint, HybridPoint)) and point.motion is not None:
            cutoff = math.inf
            if isinstance(point, ControlledPoint) and point.follow == "filtered":
                cutoff = point.cutoff
            yield from _motion(system, f"points.{name}", point.motion, cutoff)
        if isinstance(point, (PassivePoint, HybridPoint)) and point.mass > LEAD * point.volume:
            message = f"is heavier than lead: {number(point.mass / point.volume)} kg/m^3 > {number(LEAD)} kg/m^3"
            yield system.problem(f"points.{name}", message, "check its mass (kg) and the size of its shape (m)")


def _bodies(system: System) -> Iterator[Problem]:
    bed = system.environment.seabed
    for name, body in system.bodies.items():
        if bed is not None and (below := bed.level(*body.position[:2]) - body.position[2]) > 0:
            message = f"has its origin {number(below, 3)} m below the seabed"
            yield system.problem(f"bodies.{name}.position", message, "raise it, or make the water deeper")
        if isinstance(body, PrescribedBody) and body.motion is not None:
            cutoff = body.cutoff if body.follow == "filtered" else math.inf
            yield from _motion(system, f"bodies.{name}", body.motion, cutoff)
        if isinstance(body, FreeBody) and body.mass > LEAD * body.displaced > 0:
            message = f"is heavier than lead: {number(body.mass / body.displaced)} kg/m^3 > {number(LEAD)} kg/m^3"
            yield system.problem(f"bodies.{name}", message, "check its mass (kg) and volume (m^3)")


FIRST_OF_A_RECORD = 0.2
"""Part of the largest speed in a table with which it starts, beyond which it begins with a jerk."""
SLOW = 0.1
"""Speed [m/s] below which such a jerk is not worth a word."""


def _motion(system: System, path: str, motion: Motion | BodyMotion, cutoff: float) -> Iterator[Problem]:
    speed = 0.0
    if motion.table is not None:
        pairs = pairwise(motion.table)
        speeds = [math.dist(a[1:4], b[1:4]) / (b[0] - a[0]) for a, b in pairs]
        speed, period = max(speeds, default=0.0), first_period(motion.table)
        if motion.ramp == 0.0 and period > 0.0 and speeds[0] > max(SLOW, FIRST_OF_A_RECORD * speed):
            message = f"is a record that moves at {number(speeds[0], 2)} m/s from its first row on, with a jerk"
            yield system.problem(f"{path}.motion.table", message, f"add 'ramp: {number(2.0 * period, 2)}' beside it")
    for wave in motion.sines:
        frequency = 2 * math.pi / wave.period
        speed += frequency * math.hypot(*wave.amplitude)
        if frequency > cutoff / 2:
            passed = 1 / math.hypot(1, (frequency / cutoff) ** 2)
            compared = f"{number(frequency, 3)} rad/s > {number(cutoff / 2, 3)} rad/s, half the cutoff"
            message = f"the filter lets only {passed:.0%} of the motion through: {compared}"
            yield system.problem(f"{path}.motion", message, f"use follow: exact, or a cutoff of {2 * frequency:.3g}")
    if speed > 20:
        message = f"moves at up to {number(speed, 3)} m/s > 20 m/s"
        yield system.problem(f"{path}.motion", message, "check offsets and times")


def _loads(system: System) -> Iterator[Problem]:
    ends = [end for cable in system.cables.values() for end in (cable.start, cable.end)]
    clamped = {end.point for end in ends if end.joint == "clamp"}
    for index, load in enumerate(system.loads):
        place = system.place(load.point)
        if not any(load.force) and not any(load.torque):
            yield system.problem(f"loads[{index}]", "has neither force nor torque", "give one, or remove the load")
        elif not place.is_free:
            message = f"acts on '{load.point}', which is {place.owner.kind} and does not give way"
            yield system.problem(f"loads[{index}]", message, "let it act on a free point")
        elif any(load.torque) and load.point not in clamped and not place.on_body:
            message = f"a torque on '{load.point}' turns no cable: none is clamped there"
            yield system.problem(f"loads[{index}].torque", message, "join a cable by 'joint: clamp'")


def adrift(system: System, afloat: Iterable[str] = ()) -> list[list[str]]:
    """Cables that nothing holds, those joined to each other together; bodies afloat hold what is joined to them."""
    group = {name: name for name in (*system.points, *system.bodies)}

    def root(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    def end(cable: Cable, side: str) -> str:
        return system.place((cable.start if side == "start" else cable.end).point).owner_name

    for cable in system.cables.values():
        group[root(end(cable, "start"))] = root(end(cable, "end"))
    for name, point in system.points.items():
        if point.kind == "sliding":
            group[root(name)] = root(end(system.cables[point.cable], "start"))
    for joint in system.joints.values():
        group[root(joint.child.partition(".")[0])] = root(joint.parent.partition(".")[0])
    # A hybrid point is driven toward a place of its own, so it holds what is joined to it.
    owners = [*system.points.items(), *system.bodies.items()]
    held = {root(name) for name, owner in owners if not owner.is_free or owner.kind == "hybrid"}
    held |= {root(name) for name in (*afloat, *(system.hydro.hulls if system.hydro is not None else ()))}
    loose: dict[str, list[str]] = {}
    for name, cable in system.cables.items():
        if (part := root(end(cable, "start"))) not in held:
            loose.setdefault(part, []).append(name)
    return list(loose.values())


def _groups(system: System) -> Iterator[Problem]:
    """Parts of the system that nothing holds."""
    afloat = [
        name for name, body in system.bodies.items()
        if body.kind == "floating" or (isinstance(body, FreeBody) and body.floating)
    ]  # fmt: skip
    for names in adrift(system, afloat):
        others = "" if len(names) == 1 else f" (with {len(names) - 1} more cables joined to it)"
        message = f"drifts freely{others}: no fixed or controlled point holds it"
        hint = "join it to one, unless it is meant to drift or sink; a body that floats by itself says 'floating: true'"
        yield system.problem(f"cables.{names[0]}", message, hint)


def _result_size(system: System) -> Iterator[Problem]:
    settings: SimulationSettings = system.simulation
    chosen = system.outputs.cables if system.outputs.cables is not None else tuple(system.cables)
    nodes = sum(system.cables[name].element_count + 1 for name in chosen)
    size = 16 * 8 * nodes * settings.duration / settings.output_every
    if size > LARGE_RESULT:
        needed = settings.output_every * size / LARGE_RESULT
        message = f"the result takes about {number(size / 1e9, 2)} GB > {number(LARGE_RESULT / 1e9, 2)} GB"
        hint = f"use an output_every of {needed:.2g} s or more, or fewer cables in outputs.cables"
        yield system.problem("simulation.output_every", message, hint)
