"""The lowering of a payload in waves, and its recovery, by three formulations: tension of the wire, time of landing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import pi

import numpy as np

from fairlead.model import FreeBody, System
from fairlead.results.energy import energy_balance
from fairlead.simulate import simulate
from fairlead.studies.verification.checks.shipped_examples import example
from fairlead.studies.verification.record import Record

FORMULATIONS = ("multibody", "lumped", "bars")
RATE, BEGIN, END = 0.5, 5.0, 10.0  # m/s, and from when to when the winch gets up to it, s
STAY = 20.0  # s between stopping and hauling in
WEIGHTS = "weight of wire and payload in air and water, less the drag of steady lowering"
REACH = "wire out, with its stretch, as long as the way from the crane tip to the seabed"


@dataclass(frozen=True)
class Course:
    """Mean tension at the winch while the payload goes down and comes up (N), its landing (s, m/s), energy's error."""

    down: float
    up: float
    landing: float
    speed: float
    energy: float


def lowered(depth: float) -> System:
    """`lowering_payload`, over a seabed at another depth: as much wire is paid out, and 10 m more."""
    system = example("lowering_payload")
    bed = system.environment.seabed
    assert bed is not None
    if depth == bed.depth:
        return system
    slow = (depth + 10.0) / RATE
    stop = BEGIN + slow
    table = (
        (0.0, 0.0), (BEGIN, 0.0), (END, RATE), (stop, RATE), (stop + 5, 0.0), (stop + 5 + STAY, 0.0),
        (stop + 10 + STAY, -RATE), (stop + 5 + STAY + slow, -RATE), (stop + 10 + STAY + slow, 0.0),
    )  # fmt: skip
    cable = system.cables["wire"]
    assert cable.winch is not None
    winch = cable.winch.model_copy(update={"table": table})
    return system.model_copy(
        update={
            "environment": system.environment.model_copy(update={"seabed": bed.model_copy(update={"depth": depth})}),
            "cables": {"wire": cable.model_copy(update={"winch": winch})},
            "simulation": system.simulation.model_copy(update={"duration": stop + 15 + STAY + slow}),
        }
    )


def spans(depth: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Times (s) between which the payload goes down, and comes up, clear of the surface and of the bed."""
    slow = (depth + 10.0) / RATE
    stop = BEGIN + slow
    margin = 0.2 * slow
    return (END + margin + 10.0, stop - margin), (stop + 10 + STAY + margin, stop + STAY + slow - margin - 10.0)


@cache
def course(formulation: str, depth: float = 190.0) -> Course:
    """What a run gives."""
    result = simulate(lowered(depth), formulation=formulation)
    times = result["time"].values
    pull = np.linalg.norm(result["force_end"].sel(cable="wire", end="start").values, axis=1)
    down, up = (float(pull[(times >= a) & (times <= b)].mean()) for a, b in spans(depth))
    last = result.isel(time=-1)
    return Course(
        down,
        up,
        float(last["manifold.landing_time"]),
        float(last["manifold.landing_speed"]),
        float(energy_balance(result).error),
    )


def expected(depth: float = 190.0) -> Course:
    """The same of a load lowered in still water, by hand."""
    system = lowered(depth)
    load, kind, sea = system.bodies["manifold"], system.types["wire"], system.environment
    assert isinstance(load, FreeBody)
    tip, hook = system.place("ship.crane_tip").offset[2], load.attachments["hook"][2]
    dry, wet = kind.mass_per_metre * sea.gravity, kind.weight_in_water(sea)
    weight = (load.mass - sea.water_density * load.volume) * sea.gravity
    drag = 0.5 * sea.water_density * load.drag_area[2] * RATE**2

    def out(t: float) -> float:
        """Wire off the drum while it goes down, m."""
        return float(system.cables["wire"].total_length + 0.5 * RATE * (END - BEGIN) + RATE * (t - END))

    def along(length: float) -> float:
        """Drag on the wire that goes down along itself, N."""
        coefficient = kind.drag.axial if not isinstance(kind.drag, str) else 0.0
        return 0.5 * sea.water_density * pi * kind.diameter * coefficient * RATE**2 * length

    (a, b), (c, d) = spans(depth)
    turned = BEGIN + (depth + 10.0) / RATE + 5 + 0.5 * STAY  # hauling in mirrors paying out about this time
    under = [out(t) - tip for t in (0.5 * (a + b), 2 * turned - 0.5 * (c + d))]
    still = [weight + tip * dry + wet * length for length in under]
    reach = tip - hook + depth - 0.5 * load.height
    pull = weight - drag + 0.5 * (tip * dry + wet * (reach - tip))
    stretched = reach / (1.0 + pull / kind.ea)
    landing = END + (stretched - out(END)) / RATE
    return Course(still[0] - drag - along(under[0]), still[1] + drag + along(under[1]), landing, RATE, 0.0)


def check() -> Iterator[Record]:
    """Against weights and lengths, and against one another."""
    exact, first = expected(), course(FORMULATIONS[0])
    for name in FORMULATIONS:
        one = course(name)
        yield Record.relative(f"lowering_payload, {name}, mean tension going down", WEIGHTS, one.down, exact.down, 1e-2)
        yield Record.relative(f"lowering_payload, {name}, mean tension coming up", WEIGHTS, one.up, exact.up, 1e-2)
        yield Record.relative(f"lowering_payload, {name}, time of landing", REACH, one.landing, exact.landing, 1e-2)
        yield Record.absolute(
            f"lowering_payload, {name}, error of the energy balance", "first law", one.energy, 0.0, 1e-2
        )
        if one is not first:
            source = f"formulation {FORMULATIONS[0]}"
            for what, value, reference in (
                ("mean tension going down", one.down, first.down),
                ("mean tension coming up", one.up, first.up),
                ("time of landing", one.landing, first.landing),
            ):
                yield Record.relative(
                    f"lowering_payload, {name} beside {FORMULATIONS[0]}, {what}", source, value, reference, 1e-2
                )
