"""Whether step and samples resolve what the file makes happen: waves, motions, loads that bounce, axial waves.

Each period is a closed form; a step above its share of one is a warning with the step to use. How many steps a period
needs follows from what the schemes do to an oscillation ω: those of first order damp it by ωh/2 of critical, so that
100 steps a period take 5 % off the first peak of a load that is jerked, while 40 steps are enough for a motion that
the cable follows; those of second order need 25.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairlead.model.bodies import FreeBody
from fairlead.model.cable_types import CableType
from fairlead.model.cables import Cable
from fairlead.model.problems import Problem, path_text

if TYPE_CHECKING:
    from fairlead.model.system import System

STEPS_OF_A_MOTION = 40
STEPS_OF_A_BOUNCE = 100
STEPS_WITHOUT_DAMPING = 25
"""Steps that a period needs: of what is imposed; of what rings, by schemes that damp it and by those that do not."""
TAUT = 0.99
"""Distance of the ends over the length from which on a cable pulls by its stretch rather than by its sag."""
SHORTEST_OF_A_SEA = 0.5
"""Period, over the peak period of an irregular sea, of the shortest waves that count."""
LOWEST_OF_A_LIST = 0.1
"""Amplitude, over that of the highest wave of a list, of the lowest ones that count."""
NEAR = 5.0
"""Motions slower than so many periods of a bounce or an axial wave do not excite it: what they miss is 4 % or less."""
FEWEST_OF_A_PERIOD = 4
"""Samples of a period with fewer of which curves, means and spectra of a result mislead."""
FELT = 0.05
"""Part of gravity that a jerk must add to the pull of a load to be felt."""


def axial_compliance(system: System, cable: Cable) -> float:
    """Σ L/EA of a cable [m/N]."""
    return math.fsum(part.total_length / system.types[part.type].ea for part in cable.stretches)


def cable_mass(system: System, cable: Cable) -> float:
    """Mass of a cable [kg]."""
    return math.fsum(part.total_length * system.types[part.type].mass_per_metre for part in cable.stretches)


def axial_period(system: System, cable: Cable) -> float:
    """Slowest axial vibration of a cable held at both ends [s]: 2L/c, c = √(EA/m).

    Of one in sections 2√(Σ mL · Σ L/EA), which is never shorter than it has.
    """
    return 2.0 * math.sqrt(cable_mass(system, cable) * axial_compliance(system, cable))


def bounce_period(system: System, name: str) -> float | None:
    """Period [s] in which a free point or body bounces on the taut cables it hangs on: 2π√((M + Σ mL/3)/Σ 1/ΣL/EA).

    M counts its added mass where it starts under water. None where it has no mass or no taut cable.
    """
    owner = system.points.get(name) or system.bodies.get(name)
    own = float(getattr(owner, "mass", 0.0))
    if owner is None or not owner.is_free or not own:
        return None
    ends = [cable for cable in system.cables.values() if name in _owners(system, cable)]
    taut = [cable for cable in ends if _taut(system, cable, alone=len(ends) == 1)]
    if not taut:
        return None
    mass = own + math.fsum(cable_mass(system, cable) for cable in taut) / 3.0
    position = getattr(owner, "position", None)
    if system.environment.water_density > 0 and position is not None and position[2] < 0:
        mass += min(owner.added_mass) if isinstance(owner, FreeBody) else float(getattr(owner, "added_mass", 0.0))
    stiffness = math.fsum(1.0 / axial_compliance(system, cable) for cable in taut)
    return 2.0 * math.pi * math.sqrt(mass / stiffness)


def _owners(system: System, cable: Cable) -> tuple[str, str]:
    return system.place(cable.start.point).owner_name, system.place(cable.end.point).owner_name


def _taut(system: System, cable: Cable, alone: bool) -> bool:
    """Whether a cable pulls by its stretch: its ends are as far apart as it is long, or its load hangs by it alone."""
    start, end = system.place(cable.start.point).position, system.place(cable.end.point).position
    if start is None or end is None:
        return alone and (start is not None or end is not None)
    return math.dist(start, end) >= TAUT * cable.total_length


def motion_periods(system: System) -> Iterator[tuple[str, float]]:
    """Where something moves in periods, and the shortest of them that counts [s]."""
    for place, train in system.environment.trains:
        yield path_text(("environment", *place)), shortest_wave(train)
    for name, kind in system.types.items():
        if (period := shedding_period(system, kind)) < math.inf:
            yield f"types.{name}.vortices", period
    for group in ("points", "bodies"):
        for name, owner in getattr(system, group).items():
            motion = getattr(owner, "motion", None)
            if motion is not None and motion.sines:
                yield f"{group}.{name}.motion", min(sine.period for sine in motion.sines)


def shedding_period(system: System, kind: CableType) -> float:
    """Shortest period in which vortices push a cable of this type in the current of the file, or under tow in it [s].

    Waves and motions to and fro are left out: their flow turns round before it sheds for long.
    """
    environment, still = system.environment, (0.0, 0.0, 0.0)
    flows = [velocity for _, velocity in environment.current_table] or [still]
    owners = (*system.points.values(), *system.bodies.values())
    led = (owner for owner in owners if not owner.is_free or owner.kind == "hybrid")
    tows = [still, *(getattr(owner, "velocity", None) or still for owner in led)]
    fastest = max(math.dist(flow, tow) for flow in flows for tow in tows)
    if environment.current_field is not None:
        fastest += environment.current_field.fastest
    if kind.vortices is None or not kind.vortices.lift or not fastest:
        return math.inf
    return kind.drag_diameter / (fastest * (kind.vortices.frequency + kind.vortices.band))


def shortest_wave(train: Any) -> float:
    """Period of the shortest waves of a train that count [s]."""
    if train.kind == "components":
        least = LOWEST_OF_A_LIST * max(abs(row[0]) for row in train.table)
        return float(min(row[1] for row in train.table if abs(row[0]) >= least))
    return float(train.main_period if train.kind == "regular" else SHORTEST_OF_A_SEA * train.main_period)


def jerk_speed(system: System) -> float:
    """Largest speed [m/s] with which a motion begins at once, which sets loads on their wires ringing."""
    owners = (*system.points.values(), *system.bodies.values())
    motions = [motion for owner in owners if (motion := getattr(owner, "motion", None)) is not None]
    return max(
        (
            2.0 * math.pi / sine.period * math.hypot(*sine.amplitude) * abs(math.cos(math.radians(sine.phase_deg)))
            for motion in motions
            for sine in motion.sines
            if sine.ramp == 0
        ),
        default=0.0,
    )


def rings(system: System, period: float) -> bool:
    """Whether what the file moves sets a load of this bounce period [s] ringing: by its own period, or by a jerk.

    A jerk of speed v adds v ω to g in the pull of a load that bounces with ω; one laid on unstretched cables drops.
    """
    if system.simulation.start == "unstretched":
        return True
    fastest = min((found for _, found in motion_periods(system)), default=math.inf)
    return fastest < NEAR * period or jerk_speed(system) * 2.0 * math.pi / period > FELT * system.environment.gravity


def step_checks(system: System) -> Iterator[Problem]:
    """Steps too long for what the file makes happen."""
    yield from _too_long_for_motions(system)
    yield from _too_long_for_bounces(system)
    yield from _too_long_for_axial_waves(system)
    yield from _too_few_samples(system)


def _too_long_for_motions(system: System) -> Iterator[Problem]:
    step = system.simulation.step
    for path, period in motion_periods(system):
        most = period / STEPS_OF_A_MOTION
        if step > most * (1 + 1e-9):
            message = f"{step:g} s is long for {path}: its period of {period:.3g} s takes {period / step:.2g} steps"
            yield _problem(system, f"{message} < {STEPS_OF_A_MOTION}", most)


def _too_few_samples(system: System) -> Iterator[Problem]:
    """Samples so far apart that curves and statistics of the result do not show what the file makes happen."""
    every = system.simulation.output_every
    path, period = min(motion_periods(system), key=lambda found: found[1], default=("", math.inf))
    if every is not None and every > period / FEWEST_OF_A_PERIOD * (1 + 1e-9):
        message = (
            f"{every:g} s is long for {path}: its period of {period:.3g} s has {period / every:.2g} samples < "
            f"{FEWEST_OF_A_PERIOD}; extremes are of every step, but curves, means and spectra are of samples"
        )
        hint = f"use an output_every of {_down(period / 20):g} s, or leave it out"
        yield system.problem("simulation.output_every", message, hint)


def _too_long_for_bounces(system: System) -> Iterator[Problem]:
    if system.simulation.formulation == "chain":
        return  # it does not stretch
    step, steps = system.simulation.step, _steps_of_a_ring(system)
    hulls = system.hydro.hulls if system.hydro is not None else ()
    periods = {name: bounce_period(system, name) for name in (*system.points, *system.bodies) if name not in hulls}
    short = {name: found for name, found in periods.items() if found is not None and rings(system, found)}
    if short:
        name = min(short, key=short.__getitem__)
        if step > short[name] / steps * (1 + 1e-9):
            message = (
                f"{step:g} s is long for '{name}' bouncing on its cables: the period of {short[name]:.3g} s takes "
                f"{short[name] / step:.2g} steps < {steps}, and peaks of tension come out low"
            )
            yield _problem(system, message, short[name] / steps)


def _too_long_for_axial_waves(system: System) -> Iterator[Problem]:
    if system.simulation.formulation in ("chain", "links"):
        return  # rigid links have none
    fastest = min((found for _, found in motion_periods(system)), default=math.inf)
    step = system.simulation.step
    periods = {name: axial_period(system, cable) for name, cable in system.cables.items()}
    near = {name: period for name, period in periods.items() if fastest < NEAR * period}
    if near:
        name = min(near, key=near.__getitem__)
        if step > near[name] / STEPS_WITHOUT_DAMPING * (1 + 1e-9):
            message = (
                f"{step:g} s is long for waves of tension in '{name}', which motions of {fastest:.3g} s excite: their "
                f"period of {near[name]:.3g} s takes {near[name] / step:.2g} steps < {STEPS_WITHOUT_DAMPING}"
            )
            yield _problem(system, message, near[name] / STEPS_WITHOUT_DAMPING)


def _steps_of_a_ring(system: System) -> int:
    """Steps that a free vibration needs with the scheme of the formulation."""
    settings = system.simulation
    kept = settings.formulation in ("links", "spline", "reduced") or (
        settings.formulation == "multibody" and settings.multibody.theta < 0.75
    )
    return STEPS_WITHOUT_DAMPING if kept else STEPS_OF_A_BOUNCE


def _problem(system: System, message: str, most: float) -> Problem:
    return system.problem("simulation.step", message, f"use a step of at most {_down(most):g} s")


def _down(value: float) -> float:
    """Rounded down to two digits."""
    digits = 1 - math.floor(math.log10(value))
    scale = 10.0**digits
    return math.floor(value * scale * (1 + 1e-9)) / scale
