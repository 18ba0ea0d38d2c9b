"""Each example shows its own number: what a closed form or an independent computation says it should."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import xarray as xr
from verification.closed_forms.sea import critical_angle
from verification.sinking_cables_reference import NODES, POSITIONS, TIMES

import fairlead as fl
from fairlead import statics
from fairlead.hydro.hydrostatics import hydrostatics
from fairlead.hydro.setup import hull_in_body
from fairlead.studies.verification.checks.multibody_crane_vessel import lies
from fairlead.studies.verification.checks.shipped_examples import clamped_umbilical

from .files import NAMES, example

NUMBERS: dict[str, Callable[[], None]] = {}


def number_of(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Marks the function that knows an example's number."""

    def keep(check: Callable[[], None]) -> Callable[[], None]:
        NUMBERS[name] = check
        return check

    return keep


@pytest.mark.parametrize("name", NAMES)
def test_the_example_shows_its_number(name):
    assert name in NUMBERS, f"examples/{name}.yaml has no number yet: add one here"
    NUMBERS[name]()


def wet_weight(system: fl.System, type_name: str) -> float:
    """Weight in water per metre, N/m."""
    kind, sea = system.types[type_name], system.environment
    return (kind.mass_per_metre - sea.water_density * kind.area) * sea.gravity


@number_of("hanging_mooring")
def mooring_tension_at_the_fairlead() -> None:
    """Along a catenary with its foot on the bottom, T = H + w h; the run starts from statics, without friction."""
    system = fl.load(example("hanging_mooring"))
    out = fl.Simulation(system).outputs()
    pull, anchor = np.linalg.norm(out["chain.force_end"]), abs(out["chain.force_start"][0])
    kind = system.types["chain"]
    bed = -system.environment.seabed.depth + 0.5 * kind.diameter
    height = system.points["fairlead"].position[2] - bed
    assert pull == pytest.approx(anchor + wet_weight(system, "chain") * height, rel=1e-3)


@number_of("towed_cable")
def towed_cable_at_its_critical_angle() -> None:
    """w cos φ = ½ ρ d C_n V² sin² φ all along; the tow point carries weight and drag along the cable."""
    system = fl.load(example("towed_cable"))
    kind = system.types["armoured"]
    known = critical_angle(wet_weight(system, "armoured"), kind.diameter, 1025.0, 2.0, 1.2, 0.01)
    last = fl.simulate(system).isel(time=-1)
    chord = np.diff(last["position"].sel(cable="tow").values, axis=0)
    angles = np.arctan2(-chord[:, 2], -chord[:, 0])
    assert np.degrees(angles) == pytest.approx(math.degrees(known.angle), rel=2e-3)
    assert round(math.degrees(known.angle), 1) == 19.3, "the number in the file's comments"
    pull = np.linalg.norm(last["force_end"].sel(cable="tow", end="start").values)
    assert pull == pytest.approx(known.tension_per_length * 250.0, rel=2e-3)


@number_of("clamped_umbilical")
def umbilical_moment_at_the_hang_off() -> None:
    """That of a long tensioned beam, as `fairlead verify` has it."""
    (record,) = clamped_umbilical()
    assert record.passed, record


@number_of("hinged_raft")
def raft_bends_at_its_hinge_under_the_weight_of_its_chains() -> None:
    """Half the raft is a rigid beam on k = ρ g D: a pull P down at its outer end sinks its middle by P/kL and leans it
    by 12 M/kL³, M the moment of P and, against it, of the pull outwards below the hinge's height."""
    system = fl.load(example("hinged_raft"))
    rest, body = fl.statics(system).outputs, system.bodies["fore"]
    assert isinstance(body, fl.FreeBody)
    width, length = body.shape.cylinder.diameter, body.shape.cylinder.height
    foundation = system.environment.water_density * system.environment.gravity * width
    pull = sum(np.asarray(rest[f"{name}.force_end"]) for name in ("north_west_leg", "south_west_leg"))
    excess = body.mass - 0.125 * math.pi * width**2 * length * system.environment.water_density
    down = -pull[2] + excess * system.environment.gravity
    assert rest["fore.position"][2] == pytest.approx(-down / (foundation * length), rel=0.01)
    lean = 0.5 * math.pi - rest["fore.pitch"]
    moment = -pull[2] * 0.5 * length + pull[0] * (1.0 + length * math.sin(lean))
    assert lean == pytest.approx(12.0 * moment / (foundation * length**3), rel=0.02)
    assert rest["hinge.angle"] == pytest.approx(2.0 * lean, rel=1e-3)


@number_of("buoy_release")
def buoy_rises_at_its_steady_speed() -> None:
    """Buoyancy less all weight in water = drag of buoy, instrument and the wire drawn up lengthwise."""
    system = fl.load(example("buoy_release"))
    rho, g = system.environment.water_density, system.environment.gravity
    buoy, kind = system.points["buoy"], system.types["wire"]
    instrument = system.cables["riser"].attachments[0]
    wire = sum(cable.total_length for cable in system.cables.values())
    lift = (
        g * (rho * (buoy.volume + instrument.volume) - buoy.mass - instrument.mass) - wet_weight(system, "wire") * wire
    )
    area = buoy.drag_area + instrument.drag_area + math.pi * kind.diameter * kind.drag.axial * wire
    speed = math.sqrt(lift / (0.5 * rho * area))
    result = fl.simulate(system, duration=115)
    assert float(result["point_velocity"].sel(point="buoy", axis="z", time=115)) == pytest.approx(speed, rel=5e-3)
    assert float(result["force_end"].sel(cable="west_leg", end="start", time=115, axis="z")) == 0.0


@number_of("sinking_cables")
def sinking_cables_after_100_s() -> None:
    """Positions by an independent implementation of the same equations."""
    result = fl.simulate(fl.load(example("sinking_cables")), duration=100)
    at = list(TIMES).index(100.0)
    nodes = result["position"].sel(cable="left", time=100).values[list(NODES)]
    assert np.abs(nodes - POSITIONS[at]).max() < 0.03


@number_of("sinking_cables_paper_tuning")
def sinking_cables_with_the_tuning_of_the_paper_after_100_s() -> None:
    """Positions and the force at A by an independent implementation of the paper's tuning, common beta."""
    result = fl.simulate(fl.load(example("sinking_cables_paper_tuning")), duration=100)
    known = [[14.07, -329.91, -87.89], [17.40, -209.18, -168.97], [24.34, -70.85, -123.39], [33.99, 0.0, -53.63]]
    nodes = result["position"].sel(cable="left", time=100).values[list(NODES)]
    assert np.abs(nodes - known).max() < 0.03
    force = result["force_end"].sel(cable="left", end="start", time=100).values
    assert force == pytest.approx([259.2, -167.8, -59.7], abs=1.0)


@number_of("tether_15_nodes")
def tether_of_the_paper_settles() -> None:
    """Mean relative error of the links as the file tells it: 1.1 % at first, 1.3 % after 0.5 s, 0.1 % and 0.001 %."""
    result = fl.simulate(fl.load(example("tether_15_nodes")))
    error = 100.0 * result["link_length_error"].sel(time=[0.0, 0.5, 10.0, 30.0], method="nearest").values
    assert error == pytest.approx([1.1, 1.3, 0.11, 0.0007], rel=0.05)
    assert result["energy_mechanical_paper"].values == pytest.approx(2.0 * result["energy_kinetic"].values, abs=1e-12)


@number_of("rov_tether")
def every_formulation_finds_the_same_tether() -> None:
    """Nodes of 40 elements within 0.2 % of the length of those by bars, the largest pull of 20 within 0.5 %."""
    from fairlead.studies import compare

    system, methods = fl.load(example("rov_tether")), ["bars", "lumped", "links", "tether"]
    found = compare(system, methods)
    assert found.sizes["formulation"] == 4
    pulls = found["force_end_max"].values
    assert pulls == pytest.approx(np.full(4, pulls[0]), rel=5e-3)
    fine = compare(system.with_values({"cables.tether.elements": 40}), methods)
    assert float(fine["shape_difference"].max()) < 0.002 * 25.0


@number_of("steel_cable_in_air")
def steel_cable_swings_in_air() -> None:
    """Elevations after 1 s by an independent solution of the published equations; twist is gone after half a second."""
    result = fl.simulate(fl.load(example("steel_cable_in_air")), duration=1.0)
    found = [float(result[f"elevation_{link}"][-1]) for link in (1, 2, 3)]
    assert found == pytest.approx([-0.0503450, -0.0872046, -0.0979280], abs=2e-4)
    assert abs(float(result["twist_1"][0])) == pytest.approx(0.1)
    assert np.abs(result["twist_1"].values[500:]).max() < 1e-6


@number_of("steel_cable_in_water")
def steel_cable_swings_in_water() -> None:
    """Elevations after 1 s by an independent solution; the twist is that in air."""
    result = fl.simulate(fl.load(example("steel_cable_in_water")), duration=1.0)
    found = [float(result[f"elevation_{link}"][-1]) for link in (1, 2, 3)]
    assert found == pytest.approx([-0.0101226, -0.0129468, -0.0059660], abs=2e-4)


@number_of("seismic_front_end")
def lead_in_tension() -> None:
    """In the range of the independent implementation, once the first shape has settled."""
    out = fl.Simulation(example("seismic_front_end"), step=0.25, output_every=1.0).step(150.0)
    for side in ("port", "starboard"):
        assert 13.2e3 < np.linalg.norm(out[f"{side}_lead_in_1.force_start"]) < 15.0e3


@number_of("spline_example_1")
def slack_cable_after_5_s() -> None:
    """The middle by an independent solution with 64 elements."""
    result = fl.simulate(fl.load(example("spline_example_1")), duration=5)
    middle = result["position"].sel(cable="cable", time=5, node=16).values
    assert middle == pytest.approx([15.0529, 15.0529, -2.6632], abs=4e-3)


@number_of("spline_example_2")
def turned_cable_after_5_s() -> None:
    """The middle by an independent solution with 64 elements."""
    result = fl.simulate(fl.load(example("spline_example_2")), duration=5)
    middle = result["position"].sel(cable="cable", time=5, node=16).values
    assert middle == pytest.approx([16.0305, 14.5310, 0.6539], abs=4e-3)


@number_of("chain_of_links")
def sums_of_singular_values_of_a_chain() -> None:
    """Those the paper prints, for x and for z."""
    motion = fl.simulate(fl.load(example("chain_of_links")))["position"].sel(cable="chain").values
    own = motion - np.linspace(0, 1, 21)[:, None] * motion[:, -1:]
    own -= own.mean(axis=0)
    sums = [np.linalg.svd(own[:, :, axis], compute_uv=False).sum() for axis in (0, 2)]
    assert sums == pytest.approx([12.723, 47.029], abs=0.02)


@number_of("double_pendulum")
def double_pendulum_keeps_its_energy_and_its_plane() -> None:
    """What is lost is 1 % of the swing's energy at most, over 20 s; nothing leaves the plane y = 0."""
    result = fl.simulate(example("double_pendulum"))
    energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
    assert np.abs(energy - energy[0]).max() < 0.01 * result["energy_kinetic"].values.max()
    assert np.abs(result["position"].sel(cable="wire", axis="y").values[:, :2]).max() < 1e-9


@number_of("paper_cable_swinging")
def third_element_of_table_1() -> None:
    """Table 1 of the paper, half of the end mass lumped: length of the third element at t = 1, 5 and 10 s."""
    nodes = fl.simulate(example("paper_cable_swinging"))["position"].sel(cable="wire").values
    found = np.linalg.norm(nodes[10::10, 3] - nodes[10::10, 2], axis=-1)
    assert found[[0, 4, 9]] == pytest.approx([3.46711, 3.36401, 3.40277], abs=2e-5)


@number_of("paper_cable_hanging")
def lengths_of_table_2() -> None:
    """Table 2 of the paper."""
    nodes = fl.simulate(example("paper_cable_hanging")).isel(time=-1)["position"].sel(cable="wire").values
    assert np.linalg.norm(np.diff(nodes, axis=0), axis=1) == pytest.approx([0.50073, 0.50058, 0.50044], abs=1e-5)


@number_of("passive_buoy")
def buoy_is_held_against_its_lift_and_its_drag() -> None:
    """The rope's force on the buoy is −(½ρ C_d A U², 0, ρgV − mg), whatever the rope does below."""
    system = fl.load(example("passive_buoy"))
    out = fl.Simulation(system).step(120.0)
    sphere, rho = system.points["buoy"], system.environment.water_density
    lift = 9.81 * (rho * np.pi / 6 * 1.5**3 - sphere.mass)
    drag = 0.5 * rho * 0.5 * np.pi / 4 * 1.5**2 * 0.8**2
    assert out["rope.force_end"] == pytest.approx([-drag, 0.0, -lift], abs=0.005 * lift)
    assert out["buoy.position"][0] > 1.5


@number_of("hybrid_boat")
def boat_stays_behind_by_what_its_drive_holds() -> None:
    """k (x_c − x) = pull of the hose and drag of the boat, horizontally."""
    system = fl.load(example("hybrid_boat"))
    out = fl.Simulation(system).step(240.0)
    boat = system.points["boat"]
    wet = 0.5 - out["boat.position"][2] / 1.5  # of its height
    drag = 0.5 * system.environment.water_density * wet * boat.drag_area * 0.6**2
    behind = boat.stiffness * (np.array([40.0, 40.0]) - out["boat.position"][:2])
    assert behind == pytest.approx(-out["hose.force_end"][:2] - [drag, 0.0], abs=0.01 * np.linalg.norm(behind))
    assert np.linalg.norm(behind) < boat.force_max


@number_of("rescaling_winch")
def winch_carries_the_wire_that_is_out() -> None:
    """T = (m − ρV) g + w L at 110 m of wire less 2 m in air, and ten elements of equal length as at the start."""
    system = fl.load(example("rescaling_winch"))
    out = fl.Simulation(system).step(100.0)
    water, kind = system.environment.water_density, system.types["wire"]
    weight = 9.81 * (900 - 0.12 * water + 110 * kind.mass_per_metre - 108 * water * kind.area)
    assert -out["wire.force_start"][2] == pytest.approx(weight, rel=2e-3)
    spacing = np.linalg.norm(np.diff(out["wire.position"], axis=0), axis=1)
    assert spacing == pytest.approx(np.full(10, 11.0), rel=2e-3)


@number_of("lowering_payload")
def the_wire_carries_what_hangs_in_the_air() -> None:
    """Weight of the manifold and of 20 m of wire, before the winch turns; `fairlead verify lowering` knows the rest."""
    system = fl.load(example("lowering_payload"))
    result = fl.simulate(system, duration=5.0)
    pull = np.linalg.norm(result["force_end"].sel(cable="wire", end="start").values, axis=1)
    weight = (system.bodies["manifold"].mass + 20.0 * system.types["wire"].mass_per_metre) * system.environment.gravity
    assert pull.mean() == pytest.approx(weight, rel=2e-3)


@number_of("crane_vessel")
def crane_vessel_lies_as_its_weights_say() -> None:
    """Heel and height at which weights and buoyancies balance, solved in a plane by themselves."""
    system = fl.load(example("crane_vessel"))
    height, heel = lies(system)
    out = fl.Simulation(system).outputs()
    assert out["hull.roll"] == pytest.approx(heel, abs=1e-6)
    assert out["hull.position"][2] == pytest.approx(height, abs=1e-5)


@number_of("moored_buoy_in_waves")
def moored_buoy_floats() -> None:
    """At rest the water carries the buoy and what hangs of its chains.

    The first pulls are those of the middle of the first step, when waves have begun: 1e-5 of them with 0.02 s.
    """
    system = fl.load(example("moored_buoy_in_waves"))
    out, buoy, sea = fl.Simulation(system, step=0.002).outputs(), system.points["buoy"], system.environment
    wet = 0.5 - out["buoy.position"][2] / np.cbrt(6 * buoy.volume / np.pi)
    pull = sum(-out[f"{leg}_leg.force_end"][2] for leg in ("north", "south_west", "south_east"))
    lift = wet * sea.water_density * buoy.volume
    assert sea.gravity * (lift - buoy.mass) == pytest.approx(pull, rel=1e-6)
    assert 0.3 < wet < 0.6


def displaced_mass(name: str, body: str) -> tuple[fl.System, float]:
    """The example, and the mass of water a hull of it displaces at the start, by its panels, kg."""
    system = fl.load(example(name))
    assert system.hydro is not None
    place = np.array(system.bodies[body].position)
    hull = hull_in_body(system.hydro.hulls[body], body, float(place[2]), example(name).parent)
    panels, _ = hull.placed(place, np.eye(3))
    return system, system.environment.water_density * hydrostatics(panels).volume


@number_of("ceto")
@number_of("ceto_small_wave")
def buoy_is_as_heavy_as_its_water() -> None:
    """4/3 π R³ of water at 7 m depth: it hovers, held by its spring alone."""
    for name in ("ceto", "ceto_small_wave"):
        system, water = displaced_mass(name, "buoy")
        assert system.bodies["buoy"].mass == pytest.approx(1025 * 4 / 3 * np.pi * 3.5**3, rel=1e-6)
        assert water == pytest.approx(system.bodies["buoy"].mass, rel=0.01)


@number_of("floater_alone")
@number_of("floater_cable_payload")
def floater_displaces_its_own_mass() -> None:
    """ρ π R² times a draft of 0.5 m is 64.4 kg; the crane, cable and payload of 10 kg are held by the locked heave."""
    for name in ("floater_alone", "floater_cable_payload"):
        _, water = displaced_mass(name, "floater")
        assert water == pytest.approx(1025 * np.pi * 0.2**2 * 0.5, rel=0.01)
    assert fl.load(example("floater_alone")).bodies["floater"].mass == pytest.approx(74.4)
    system = fl.load(example("floater_cable_payload"))
    hung = system.points["payload"].mass + system.types["wire"].mass_per_metre * system.cables["wire"].total_length
    assert system.bodies["floater"].mass + hung == pytest.approx(72.4)


@number_of("lowering_beside_floater")
def barge_floats_level_with_its_payload_in_air() -> None:
    """12 m · 6 m · 1.5 m of water carry barge, payload and rope, and their weights balance about its middle."""
    system, water = displaced_mass("lowering_beside_floater", "barge")
    barge, payload = system.bodies["barge"], system.bodies["payload"]
    rope = system.types["rope"].mass_per_metre * system.cables["rope"].total_length
    assert water == pytest.approx(1025 * 12 * 6 * 1.5, rel=1e-6)
    assert barge.mass + payload.mass + rope == pytest.approx(water, rel=1e-5)
    moment = barge.mass * barge.position[0] + (payload.mass + rope) * payload.position[0]
    assert abs(moment) < 1e-3 * water


@number_of("moored_floater")
def buoy_floats_under_the_pull_of_its_chains() -> None:
    """π 2.5² · 3 m of water carry the buoy and the chains that hang from it, 5.6 kg/m less their buoyancy."""
    system, water = displaced_mass("moored_floater", "buoy")
    assert water == pytest.approx(1025 * np.pi * 2.5**2 * 3, rel=1e-6)
    rest = statics.solve(system)
    pull = -sum(rest.outputs[f"{name}.force_start"][2] for name in system.cables)
    assert system.bodies["buoy"].mass + pull / 9.81 == pytest.approx(water, rel=1e-4)
    hanging = rest.summary()["cables"]["south"]["grounded"][0]["from"]
    weight = (5.6 - 1025 * np.pi / 4 * 0.029**2) * 9.81
    assert pull == pytest.approx(3 * weight * hanging, rel=0.02)


def at_rest(name: str) -> xr.Dataset:
    """The first sample of an example: it starts in equilibrium, before its waves and motions have grown."""
    return fl.simulate(example(name), duration=0.05, output_every=0.05).isel(time=0)


@number_of("three_line_mooring")
def chain_and_wire_carry_their_weight() -> None:
    """Along a line in a weak current dT = w dz in each of its sections, from the touchdown to the buoy; within 1 %."""
    first = at_rest("three_line_mooring")
    system = fl.load(example("three_line_mooring"))
    for line in system.cables:
        assert_tension_follows_height(system, first.sel(cable=line), 30, 0.01)


@number_of("lazy_wave")
def lazy_wave_tension_follows_height() -> None:
    """dT = w dz also over the buoyant section, where w < 0: the tension is least in the bottom of the sag."""
    first = at_rest("lazy_wave")
    system = fl.load(example("lazy_wave"))
    assert wet_weight(system, "buoyant") < 0.0 < wet_weight(system, "riser")
    assert_tension_follows_height(system, first.sel(cable="riser"), 46, 0.02)
    run = fl.simulate(system)
    late = run["time"].values > 30.0
    line = run.sel(cable="riser").isel(time=late)
    heights = line["position"].sel(axis="z").values
    arch = 22 + int(np.argmax(heights[0, 22:]))
    assert np.ptp(heights[:, arch]) == pytest.approx(np.ptp(heights[:, 0]) / 6, rel=0.05)
    lies = np.linalg.norm(line["contact_force"].values, axis=-1) > 0.0
    first_lying = np.argmax(lies, axis=1)
    assert np.ptp(first_lying) <= 1
    assert np.abs(np.abs(line["bending_moment"].values).max(axis=0).argmax() - arch) <= 1, "the sharpest bend"


def assert_tension_follows_height(system: fl.System, line: xr.Dataset, elements: int, bound: float) -> None:
    """Tension between any two nodes of a cable differs by the weight in water times the height, section by section."""
    z, tension = line["position"].values[: elements + 1, 2], line["tension_effective"].values[: elements + 1]
    kinds = [segment.type_name for segment in system.cables[str(line["cable"].values)].segments(system)]
    gain = np.cumsum([wet_weight(system, kind) * dz for kind, dz in zip(kinds, np.diff(z), strict=True)])
    hanging = np.linalg.norm(line["contact_force"].values[: elements + 1], axis=1) == 0.0
    hanging[[0, -1]] = False  # the ends, where the cable is held
    nodes = np.flatnonzero(hanging)
    off = (tension[nodes] - tension[nodes[0]]) - (gain[nodes - 1] - gain[nodes[0] - 1])
    assert np.abs(off).max() < bound * np.nanmax(tension)


@number_of("fish_farm")
def anchors_of_the_farm_hold_what_the_water_pushes() -> None:
    """Half rho C_D A U² of every buoy, as far as its load presses it under, and of every rope across the current."""
    first, system = at_rest("fish_farm"), fl.load(example("fish_farm"))
    rho, gravity = 1025.0, system.environment.gravity

    def current(z):
        return -0.5 - 0.3 * z / 50.0

    force = 0.0
    for name, cable in system.cables.items():
        here = first.sel(cable=name)
        ends = here["position"].values[: len(cable.segments(system)) + 1]
        for segment, along, z in zip(
            cable.segments(system), np.diff(ends, axis=0), 0.5 * (ends[1:, 2] + ends[:-1, 2]), strict=True
        ):
            kind = system.types[segment.type_name]
            length = np.linalg.norm(along)
            flow = np.array([0.0, current(min(z, 0.0)), 0.0])
            across = flow - along * (flow @ along) / length**2
            force += 0.5 * rho * kind.drag.normal * kind.diameter * length * np.linalg.norm(across) * across[1]
    for name, point in system.points.items():
        if point.kind == "free":
            hung = [(c, e) for c, cable in system.cables.items() for e in ("start", "end")
                    if getattr(cable, e).point == name]  # fmt: skip
            pull = sum(float(first["force_end"].sel(cable=c, end=e).values[2]) for c, e in hung)
            under = (point.mass * gravity - pull) / (rho * gravity * point.volume)
            force -= 0.5 * rho * point.drag_area * under * 0.5**2
    held = sum(float(first["force_end"].sel(cable=c, end="start").values[1]) for c in system.cables if "line" in c)
    assert held == pytest.approx(force, rel=0.03)
    pulls = {side: [np.linalg.norm(first["force_end"].sel(cable=f"line_{side}_{i}", end="start")) for i in (1, 2, 3, 4)]
             for side in ("west", "east", "north", "south")}  # fmt: skip
    assert all(11e3 < pull < 13e3 for pull in pulls["west"])
    assert all(4.9e3 < pull < 5.5e3 for pull in pulls["east"])
    assert max(pulls["north"] + pulls["south"]) < min(pulls["west"])


@number_of("polyester_mooring")
def rope_hangs_on_its_original_curve() -> None:
    """At rest the strain of every element of new rope is that of its tension on the original curve."""
    first = at_rest("polyester_mooring")
    strains, tensions = np.array(fl.load(example("polyester_mooring")).types["polyester"].axial.curve).T
    places, pulls = np.asarray(first.position[0]), np.asarray(first.tension_effective[0])
    rope = slice(6, 26)
    strain = np.linalg.norm(np.diff(places, axis=0), axis=1)[rope] / 20.0 - 1.0
    assert 0.5 * (pulls[1:] + pulls[:-1])[rope] == pytest.approx(np.interp(strain, strains, tensions), rel=2e-3)
    assert 0.02 < strain.min() < strain.max() < 0.03
