"""Small systems at rest, one for each thing statics must carry."""

import math

from fairlead.model import System

AIR = {"water_density": 0.0}


def system(**parts):
    parts.setdefault("simulation", {"duration": 10.0, "step": 0.01})
    return System.model_validate(parts)


def fixed(*position):
    return {"kind": "fixed", "position": list(position)}


def free(*position, **body):
    return {"kind": "free", "position": list(position), **body}


def cable(kind, length, elements, start, end, **more):
    return {"type": kind, "length": length, "elements": elements, "start": start, "end": end, **more}


def wire(**more):
    return {"diameter": 0.03, "density": 2500.0, "axial_stiffness": 1e7, **more}


def current(*velocity):
    return {"current": [{"z": 0.0, "velocity": list(velocity)}]}


def stiff_catenary():
    """EA so large that the shape is all: 1.8e8 N for 20 bars of 5 m in air."""
    return system(
        environment=AIR,
        types={"wire": wire(axial_stiffness=1.8e8)},
        points={"A": fixed(0, 0, 0), "B": fixed(60, 30, 10)},
        cables={"line": cable("wire", 100.0, 20, "A", "B")},
    )


def taut_line():
    """Stretched by a hundredth, so that the pull is much more than the weight."""
    return system(
        types={"wire": wire(axial_stiffness=1e6)},
        points={"A": fixed(0, 0, -10), "B": fixed(101, 0, -10)},
        cables={"line": cable("wire", 100.0, 20, "A", "B", allow_stretch=True)},
    )


def mooring(friction=0.0, slope=(0.0, 0.0), elements=50, stiffness=5e8):
    """A chain that lies on the seabed for about half its length."""
    bed = {"depth": 100.0, "slope": list(slope), "friction": friction}
    return system(
        environment={"seabed": bed, **current(0.3, 0.5, 0.0)},
        types={"chain": wire(diameter=0.1, density=7800.0, axial_stiffness=stiffness)},
        points={"anchor": fixed(0, 0, -99.95), "fairlead": fixed(250, 0, 0)},
        cables={"line": cable("chain", 300.0, elements, "anchor", "fairlead")},
    )


def slack_on_the_bed():
    """More line than room between two points on the bed."""
    return system(
        environment={"seabed": {"depth": 50.0}},
        types={"wire": wire()},
        points={"A": fixed(0, 0, -49.985), "B": fixed(60, 0, -49.985)},
        cables={"line": cable("wire", 80.0, 40, "A", "B")},
    )


def stiff_loop_of_pipes():
    """Clamped ends that point elsewhere than the cable would like to, in a current across."""
    return system(
        environment={"seabed": {"depth": 60.0}, **current(0.2, 0.8, 0.0)},
        types={"pipe": wire(diameter=0.1, density=1600.0, bending_stiffness=1e4, torsional_stiffness=1e4)},
        points={"A": fixed(0, 0, -10), "B": fixed(40, 0, -60)},
        cables={
            "pipe": cable(
                "pipe",
                80.0,
                30,
                {"point": "A", "joint": "clamp", "direction": [0.3, 0, -1]},
                {"point": "B", "joint": "clamp", "direction": [0, 0, -1]},
            )
        },
    )


def ring_net(corners=4, flow=(0.4, 0.1, 0.0)):
    """A ring of cables between free points with weights, hung from fixed ones: loops that share their points."""
    turn = [2 * math.pi * i / corners for i in range(corners)]
    points = {f"P{i}": fixed(10 * math.cos(a), 10 * math.sin(a), -1) for i, a in enumerate(turn)}
    points |= {f"Q{i}": free(8 * math.cos(a), 8 * math.sin(a), -8, mass=5.0) for i, a in enumerate(turn)}
    cables = {f"leg{i}": cable("wire", 9.0, 5, f"P{i}", f"Q{i}") for i in range(corners)}
    cables |= {f"ring{i}": cable("wire", 12.5, 5, f"Q{i}", f"Q{(i + 1) % corners}") for i in range(corners)}
    return system(environment=current(*flow), types={"wire": wire()}, points=points, cables=cables)


def weight_and_float():
    """A clump weight and a float on one line, with a knot of three cables clamped together beside it."""
    return system(
        environment={"seabed": {"depth": 80.0}, **current(0.3, 0.5, 0.0)},
        types={"wire": wire(), "rod": wire(bending_stiffness=500.0, torsional_stiffness=400.0)},
        points={
            "A": fixed(0, 0, -79.9),
            "B": fixed(120, 0, -5),
            "knot": free(120, 10, -20, mass=5.0, inertia=1.0),
            "tail": {"kind": "free", "mass": 1.0},
        },
        cables={
            "line": cable(
                "wire",
                180.0,
                40,
                "A",
                "B",
                attachments=[
                    {"at": 60.0, "mass": 300.0, "volume": 0.04},
                    {"at": 120.0, "mass": 20.0, "volume": 0.3, "drag_area": 0.5},
                ],
            ),
            "drop": cable("rod", 20.0, 8, "B", {"point": "knot", "joint": "clamp"}),
            "tail": cable("rod", 10.0, 5, {"point": "knot", "joint": "clamp"}, "tail"),
        },
    )


def buoyant_arch():
    """A cable lighter than water between two points on the bed, held up by nothing but itself."""
    return system(
        environment={"seabed": {"depth": 100.0}, **current(0.0, 0.3, 0.0)},
        types={"hose": wire(diameter=0.1, density=700.0)},
        points={"A": fixed(0, 0, -99), "B": fixed(60, 0, -99)},
        cables={"line": cable("hose", 120.0, 30, "A", "B")},
    )


def moored_buoy():
    """A buoy on its line in a current; it starts right above its anchor."""
    return system(
        environment={"seabed": {"depth": 50.0}, **current(1.0, 0.0, 0.0)},
        types={"wire": wire()},
        points={"anchor": fixed(0, 0, -49.9), "buoy": free(0, 0, 0, mass=100.0, volume=1.0, drag_area=1.0)},
        cables={"line": cable("wire", 60.0, 20, "anchor", "buoy")},
    )


def sinking_pair():
    """Two cables whose joint is first at the surface and comes to rest on the bed 200 m below, in a sheared current."""
    profile = [{"z": 0.0, "velocity": [0.5, 0, 0]}, {"z": -200.0, "velocity": [0, 0, 0]}]
    stiff = {"youngs_modulus": 120e9, "bending_stiffness": 1.8246e6, "torsional_stiffness": 1.8246e6}
    return system(
        environment={"current": profile, "seabed": {"depth": 200.022, "stiffness": 45454.545}},
        types={"wire": {"diameter": 0.044, "density": 1100.0, **stiff}},
        points={"A": fixed(0, -375, 0), "B": fixed(0, 375, 0), "M": free(0, 0, 0)},
        cables={"left": cable("wire", 500.0, 25, "A", "M"), "right": cable("wire", 500.0, 25, "M", "B")},
    )


def standing_chain():
    """A chain first laid straight up from its support: in balance, and not for long."""
    return system(
        environment=AIR,
        types={"wire": wire(drag="none")},
        points={"A": fixed(0, 0, 0), "tip": free(0, 0, 10)},
        cables={"line": cable("wire", 10.0, 20, "A", "tip")},
    )


def single_bar():
    return system(
        environment=AIR,
        types={"wire": wire()},
        points={"A": fixed(0, 0, 0), "tip": free(6, 0, -8, mass=3.0)},
        cables={"line": cable("wire", 10.0, 1, "A", "tip")},
    )


def moving_end():
    """An end whose motion starts 5 m north and 3 m west of its position."""
    table = [[0.0, 5.0, 3.0, 0.0], [10.0, 0.0, 0.0, 0.0]]
    return system(
        types={"wire": wire()},
        points={"A": fixed(0, 0, -40), "B": {"kind": "controlled", "position": [60, 0, 0], "motion": {"table": table}}},
        cables={"line": cable("wire", 100.0, 30, "A", "B")},
    )


EVERYDAY = {
    f.__name__: f
    for f in (
        stiff_catenary,
        taut_line,
        mooring,
        slack_on_the_bed,
        stiff_loop_of_pipes,
        ring_net,
        weight_and_float,
        buoyant_arch,
        moored_buoy,
        sinking_pair,
        standing_chain,
        single_bar,
    )
}
