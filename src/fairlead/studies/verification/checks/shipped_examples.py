"""The examples that ship with the program, each against a closed form or an independent computation of its own case."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.model import CableType, ControlledPoint, FreePoint, System, load
from fairlead.simulate import Simulation
from fairlead.studies.compare import compare
from fairlead.studies.shipped import examples
from fairlead.studies.verification.record import Record

TOW_SPEED = 2.0  # m/s, in towed_cable.yaml the current with its sign turned
COMPARED = ("bars", "lumped", "links", "tether")
PAPER_TUNING_AT_A = np.array([259.2, -167.8, -59.7])  # N, after 100 s, the same source
PAPER_TUNING = np.array(
    [[14.07, -329.91, -87.89], [17.40, -209.18, -168.97], [24.34, -70.85, -123.39], [33.99, 0.0, -53.63]]
)
"""Nodes 10, 25, 40 and 50 of the left cable after 100 s, m; independent implementation of the paper's tuning."""


def example(name: str) -> System:
    """A case that ships with the program."""
    return load(examples() / f"{name}.yaml")


def wet_weight(system: System, type_name: str) -> float:
    """Weight in water per metre, N/m."""
    kind, sea = system.types[type_name], system.environment
    return float((kind.mass_per_metre - sea.water_density * kind.area) * sea.gravity)


def drag_of(kind: CableType) -> tuple[float, float]:
    """Coefficients of drag across and along, which these files give as numbers."""
    drag = kind.drag
    if isinstance(drag, str):
        raise TypeError("the closed forms here want drag coefficients that are numbers")
    return float(drag.normal), float(drag.axial)


def hanging_mooring() -> Iterator[Record]:
    """Along a catenary with its foot on the bottom T = H + w h: the run starts from statics, without friction."""
    system = example("hanging_mooring")
    out = Simulation(system).outputs()
    pull, anchor = float(np.linalg.norm(out["chain.force_end"])), abs(float(np.asarray(out["chain.force_start"])[0]))
    fairlead_point, seabed = system.points["fairlead"], system.environment.seabed
    assert isinstance(fairlead_point, ControlledPoint)
    assert seabed is not None
    height = fairlead_point.position[2] + seabed.depth - 0.5 * system.types["chain"].diameter
    exact = anchor + wet_weight(system, "chain") * height
    source = "catenary with its foot on the bottom, T = H + w h"
    yield Record.relative("hanging_mooring, pull at the fairlead at rest, N", source, pull, exact, 1e-3)


def towed_cable() -> Iterator[Record]:
    """A straight line at the angle where w cos(phi) = 1/2 rho d Cn V^2 sin(phi)^2; the tow point carries the rest."""
    system = example("towed_cable")
    kind, rho = system.types["armoured"], system.environment.water_density
    weight, (across, along) = wet_weight(system, "armoured"), drag_of(system.types["armoured"])
    head = 0.5 * rho * kind.diameter * TOW_SPEED**2
    ratio = head * across / weight
    angle = math.acos((math.sqrt(1.0 + 4.0 * ratio**2) - 1.0) / (2.0 * ratio))
    growth = weight * math.sin(angle) + math.pi * head * along * math.cos(angle) ** 2
    last = Simulation(system).run().isel(time=-1)
    chord = np.diff(last["position"].sel(cable="tow").values, axis=0)
    angles = np.degrees(np.arctan2(-chord[:, 2], -chord[:, 0]))
    worst = float(angles[np.abs(angles - math.degrees(angle)).argmax()])
    pull = float(np.linalg.norm(last["force_end"].sel(cable="tow", end="start").values))
    source = "critical angle of a towed cable, w cos = 1/2 rho d Cn V^2 sin^2; tension w sin + axial drag a metre"
    exact = math.degrees(angle)
    yield Record.relative("towed_cable, angle of the element farthest off, deg", source, worst, exact, 2e-3)
    yield Record.relative("towed_cable, pull at the tow point, N", source, pull, growth * 250.0, 2e-3)


def clamped_umbilical() -> Iterator[Record]:
    """A long tensioned beam held at the angle D to its free direction: M = 2 sqrt(EI T) sin(D/2).

    That is EI k^2/2 = T (1 - cos D) for the curvature k at the clamp. The bend fades as exp(-s/sqrt(EI/T)), here with
    sqrt(EI/T) = 1.2 m. The free direction at the clamp is read where it has gone, from 6 to 12 m, and carried back.
    """
    system = example("clamped_umbilical")
    simulation = Simulation(system)
    out, arc = simulation.outputs(), np.array(simulation.compiled.shape.arc_length[0])
    chords = np.diff(out["umbilical.position"], axis=0)
    directions = chords / np.linalg.norm(chords, axis=1)[:, None]
    middles = 0.5 * (arc[1:] + arc[:-1])
    away = (middles > 6.0) & (middles < 12.0)
    free = np.polyfit(middles[away], directions[away], 1)[-1]
    held = np.array(system.cables["umbilical"].start.direction)
    delta = math.acos(float(free @ held) / float(np.linalg.norm(held) * np.linalg.norm(free)))
    tension = float(np.linalg.norm(out["umbilical.force_start"]))
    exact = 2.0 * math.sqrt(system.types["umbilical"].ei * tension) * math.sin(delta / 2.0)
    source = "long tensioned beam at a clamp, M = 2 sqrt(EI T) sin(D/2)"
    found = float(np.asarray(out["umbilical.bending_moment"])[0])
    yield Record.relative("clamped_umbilical, moment at the hang-off, N m", source, found, exact, 0.025)


def buoy_release() -> Iterator[Record]:
    """Buoyancy less all weight in water = drag of buoy, instrument and the wire drawn up lengthwise."""
    system = example("buoy_release")
    rho, g = system.environment.water_density, system.environment.gravity
    buoy, kind = system.points["buoy"], system.types["wire"]
    assert isinstance(buoy, FreePoint)
    instrument = system.cables["riser"].attachments[0]
    wire = sum(cable.total_length for cable in system.cables.values())
    wet = rho * (buoy.volume + instrument.volume) - buoy.mass - instrument.mass
    lift = g * wet - wet_weight(system, "wire") * wire
    area = buoy.drag_area + instrument.drag_area + math.pi * kind.diameter * drag_of(kind)[1] * wire
    exact = math.sqrt(lift / (0.5 * rho * area))
    found = float(np.asarray(Simulation(system).step(115.0)["buoy.velocity"])[2])
    source = "buoyancy less weight = drag"
    yield Record.relative("buoy_release, speed of the rise, m/s", source, found, exact, 5e-3)


def sinking_cables_paper_tuning() -> Iterator[Record]:
    """Positions and the force at A after 100 s."""
    out = Simulation(example("sinking_cables_paper_tuning")).step(100.0)
    away = float(np.abs(np.asarray(out["left.position"])[[10, 25, 40, 50]] - PAPER_TUNING).max())
    source = "independent implementation of the tuning of Skjong, Reite and Aarsæther, common beta"
    name = "sinking_cables_paper_tuning"
    yield Record.absolute(f"{name}, farthest coordinate after 100 s, m", source, away, 0.0, 0.03)
    pull = float(np.linalg.norm(out["left.force_start"]))
    exact = float(np.linalg.norm(PAPER_TUNING_AT_A))
    yield Record.relative(f"{name}, force on A after 100 s, N", source, pull, exact, 5e-3)


def rov_tether() -> Iterator[Record]:
    """Four formulations, one tether: nodes within 0.2 % of its length of those by bars, the pull within 0.5 %."""
    found = compare(example("rov_tether"), COMPARED)
    pulls = dict(zip(found["formulation"].values, found["force_end_max"].values, strict=True))
    apart = found["shape_difference"].max("time")
    for name in COMPARED[1:]:
        source = "formulation bars"
        pull, exact = float(pulls[name]), float(pulls["bars"])
        yield Record.relative(f"rov_tether, largest pull by {name}, N", source, pull, exact, 5e-3)
        away = float(apart.sel(formulation=name))
        yield Record.absolute(f"rov_tether, farthest node by {name}, m", source, away, 0.0, 0.002 * 25.0)


def double_pendulum() -> Iterator[Record]:
    """What is lost is 1 % of the swing's energy at most, over 20 s; nothing leaves the plane y = 0."""
    result = Simulation(example("double_pendulum")).run()
    energy = np.sum([result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic")], axis=0)
    lost = float(np.abs(energy - energy[0]).max() / result["energy_kinetic"].values.max())
    aside = float(np.abs(result["position"].sel(cable="wire", axis="y").values[:, :2]).max())
    name = "double_pendulum"
    yield Record.absolute(f"{name}, energy lost in 20 s, of the largest kinetic", "conservation", lost, 0.0, 0.01)
    yield Record.absolute(f"{name}, distance from its plane, m", "symmetry", aside, 0.0, 1e-9)


EXAMPLES = (
    hanging_mooring,
    towed_cable,
    clamped_umbilical,
    buoy_release,
    sinking_cables_paper_tuning,
    rov_tether,
    double_pendulum,
)


def check() -> Iterator[Record]:
    """One or a few numbers of each."""
    for numbers in EXAMPLES:
        yield from numbers()
