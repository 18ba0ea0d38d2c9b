"""A system compiled to bars: the contract's face of the kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairlead.algebra.records import Schema
from fairlead.algebra.turns import rotations
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places, places_along
from fairlead.loads.body_record import landing_extras
from fairlead.model import System
from fairlead.model.needs import FEATURES, needs
from fairlead.results.observation import Extra
from fairlead.rigging.first_velocity import FirstVelocities
from fairlead.rigging.floater_rows import floater_columns
from fairlead.rigging.observation_shape import allotted_arcs, angle_extras, observation_shape, winch_extras
from fairlead.rigging.releases import release_note, released
from fairlead.rigging.rope_limits import require_ropes
from fairlead.rigging.rope_rows import remember_ropes
from fairlead.rigging.slack import Snaps
from fairlead.rigging.states import (
    Bound, StateRules, flags, past_bounds, places_of, unit_fields, winch_bounds,
)  # fmt: skip
from fairlead.rigging.string_note import (
    FIRST_STEPS_CAUSE, FIRST_STEPS_CURE, JUNCTION_WORDS, string_note, string_report,
)  # fmt: skip
from fairlead.sea.water import STRUCTURE
from fairlead.shape.layout import Geometry

from .build import build, takes_second_order
from .coefficients import EXPLICIT_EULER, PLAIN, SEMI_IMPLICIT
from .equations import rhs, settle
from .first_state import laid, still
from .phases import PHASES
from .run import (
    pinned_steps, rotary_steps, run, run_joined, run_pack, run_pack_afloat, run_rigged, run_rotary, run_watched_rigged,
    run_watched_rotary, watched_steps, watched_steps_afloat,
)  # fmt: skip
from .schema import SCHEMA
from .step import HUB_RANGE, RANGE, SINGULAR, SPEED_LIMIT, STRAIN
from .whirling import whirling_note

if TYPE_CHECKING:
    from fairlead.formulations.first_state import LaidCable, Still

    from .linearised import LinearisedBars


class CompiledBars(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "bars"
    schema: ClassVar[Schema] = SCHEMA
    supports: ClassVar[frozenset[str]] = frozenset(FEATURES) - {"joints", "rods", "vortices", "hydro"}
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit", "explicit_euler")
    kinds: ClassVar[dict[str, int]] = {
        "semi_implicit": SEMI_IMPLICIT, "explicit_euler": EXPLICIT_EULER, "rk2": PLAIN, "rk4": PLAIN,
    }  # fmt: skip
    statuses: ClassVar[tuple[int, ...]] = (RANGE, SINGULAR, HUB_RANGE, STRAIN)
    exports: ClassVar[bool] = True
    end_forces = "coming"
    rhs = staticmethod(rhs)
    settle = staticmethod(settle)

    def __init__(self, system: System, geometry: Geometry) -> None:
        if not system.cables:
            raise UnsupportedSystem(
                "cables: the formulation 'bars' needs a cable; use formulation: lumped, which carries floaters alone"
            )
        require_ropes(system, "semi_implicit")
        if system.simulation.bars.tuning != "rule" and "ropes" in needs(system):
            raise UnsupportedSystem("simulation.bars.tuning: ropes need the tuning rule")
        built = build(system, geometry)
        t = built.tables
        if t.ropes:
            from .ropes import rest_memory

            joints = enumerate(zip(t.cable.first, t.cable.count, strict=True))
            parts = [slice(first + c, first + c + count + 1) for c, (first, count) in joints]
            remember_ropes(t, system, np.linalg.norm(t.multipliers.force, axis=1), parts, rest_memory)
        afloat, forces = floater_columns(built.floaters, tuple(system.ptos))
        extras = (*winch_extras(system), *_ring_extras(system), *angle_extras(system), *landing_extras(system), *afloat)
        shape = observation_shape(system, allotted_arcs(t.cable, t.bar.length), extras, forces)
        rotary = (t.cable.rotary + t.cable.start_clamp + t.cable.end_clamp).any()
        wound = t.sliders > 0 or t.winches > 0 or t.ropes > 0
        rigged = wound or t.floaters > 0
        entry = (
            run_rigged if rigged or (rotary and t.loosens) else run_rotary if rotary else run_joined if t.hubs else run
        )
        self._hold(system, t, built.inputs, shape, entry)
        self.steps = None if rigged else rotary_steps if rotary else pinned_steps
        self.phases = None if rigged or rotary else PHASES
        self.pack = None if wound or rotary else run_pack_afloat if t.floaters > 0 else run_pack
        self.watched = None if wound or rotary else watched_steps_afloat if t.floaters > 0 else watched_steps
        if (wound or rotary) and self._is_default and released(system) is None:
            self.lone = run_watched_rotary if entry is run_rotary else run_watched_rigged
        self._hub_names = built.hubs
        if not self._is_default:
            self._require_semi_implicit()
        if self.kind == PLAIN:
            self._require_plain()
        if t.floaters and self.kind == PLAIN:
            raise UnsupportedSystem(
                f"bodies.{built.floaters[0]}: '{self.scheme}' of 'bars' cannot step floaters; use integrator: "
                "semi_implicit, or formulation: lumped"
            )

    def no_pack(self) -> str | None:
        theta = 1.0 if self.is_second_order else self.system.simulation.bars.theta
        if self.pack is None:
            return "packs carry no ropes, bending or torsional stiffness, clamps, winches and rings"
        if not self._is_default:
            return "packs take steps of the default integrator and tuning alone"
        if (name := released(self.system)) is not None:
            return f"cables.{name}: packs let no ends go"
        return f"simulation.bars.theta: {theta:g}; packs take theta: 1" if theta < 1 else None

    @property
    def is_second_order(self) -> bool:
        """Whether it takes the second-order step."""
        return self.kind == SEMI_IMPLICIT and takes_second_order(self.system)

    @property
    def _is_default(self) -> bool:
        """Whether integrator and tuning are the default ones."""
        return self.kind == SEMI_IMPLICIT and self.system.simulation.bars.tuning == "rule"

    def no_watch(self) -> str | None:
        why = self.no_pack()
        return None if why is None else f"a GPU carries what packs do; {why}"

    def structure(self, constants: np.ndarray) -> np.ndarray:
        t = self.schema.tables(self.ints, constants, self._y0, self.work)
        of_bars = (t.bar.drag_law, t.bar.lump_first, t.bar.lump_count, t.joint.one_way)
        of_floaters = (t.hull.phase_follows, t.hull.rate)
        settings = (t.settings.alpha, t.settings.epsilon, t.settings.theta, t.settings.wave_reach)
        return np.concatenate([constants[list(STRUCTURE)], *of_bars, *of_floaters, np.ravel(settings)])

    def _require_semi_implicit(self) -> None:
        """Rings and winches are stepped by the default scheme alone."""
        needed = [
            *(f"cables.{n}.winch: a winch" for n, cable in self.system.cables.items() if cable.winch is not None),
            *(f"points.{n}: a ring that slides" for n, point in self.system.points.items() if point.kind == "sliding"),
        ]
        if needed:
            raise UnsupportedSystem(
                f"{needed[0]} needs the integrator semi_implicit and the tuning rule; use integrator: auto and bars: "
                "{tuning: rule}"
            )

    def _require_plain(self) -> None:
        """Runge–Kutta with plain springs needs inertia wherever a free point is more than a ball joint of cables."""
        if self.system.simulation.bars.tuning != "rule":
            return
        ends = [end for cable in self.system.cables.values() for end in (cable.start, cable.end)]
        clamped = {end.point for end in ends if end.joint == "clamp"}
        for name in self._hub_names:
            if name in self.system.bodies:
                continue
            point = self.system.points[name]
            assert point.kind == "free" or point.kind == "passive" or point.kind == "hybrid"
            if name in clamped and (point.inertia == 0 or point.mass == 0):
                lack = "cables are clamped to a free point without mass and inertia"
                cure = "give it a mass and an inertia, join them by ball joints"
            elif point.mass == 0 and (point.volume > 0 or point.drag_area > 0 or point.added_mass > 0):
                lack, cure = "the water acts on a free point without mass", "give it a mass"
            else:
                continue
            raise UnsupportedSystem(
                f"points.{name}: {lack}, which '{self.scheme}' cannot step; {cure}, or use integrator: semi_implicit"
            )

    def state_rules(self) -> StateRules:
        t, cables = self.tables(self._y0), tuple(self.system.cables)
        bounds = [*flags(places_of(t, "attached", "joined"), "a flag of 'attached'"), *past_bounds(t)]
        counts, fields = {}, ("count", "latest", "first_length", "paid_out")
        for k, (c, *four) in enumerate(
            zip(t.winch.cable.tolist(), *(places_of(t, "winch_state", field) for field in fields), strict=True)
        ):
            counts[c] = four[0], k
            bounds += winch_bounds(cables[c], int(t.winch.allotted_count[k]), *four)
        of_rings = [("on_bar", "is on"), ("left", "was on before")]
        seats = [
            (place, c, f"the element of cable '{cables[c]}' that a ring {what}")
            for field, what in of_rings
            for place, c in zip(places_of(t, "ring_state", field), t.slider.host.tolist(), strict=True)
        ]
        for on_bar, c, what in seats:
            if c not in counts:
                first = int(t.cable.first[c])
                bounds.append(Bound(on_bar, what, first, first + int(t.cable.count[c]) - 1))
                continue
            count, k = counts[c]
            first, most = int(t.winch.allotted_first[k]), int(t.winch.allotted_count[k])
            if t.winch.at_end[k]:
                bounds.append(Bound(on_bar, what, first, first - 1, count=count, high_slope=1.0))
            else:
                bounds.append(Bound(on_bar, what, first + most, first + most - 1, count=count, low_slope=-1.0))
        return StateRules(
            tuple(bounds),
            (
                *unit_fields(t, "bar_state", "turn", "the quaternion of bar", or_zero=t.winches > 0),
                *unit_fields(t, "hub_state", "turn", "the quaternion of junction"),
            ),
        )

    def unmade(self, y: np.ndarray) -> np.ndarray:
        if not self.is_second_order:
            return y
        y = y.copy()
        self.tables(y).ledger.steps = 0.0
        return y

    def under_way(self, y: np.ndarray) -> np.ndarray:
        y = y.copy()
        if self.starts_at_rest:
            return y
        first = FirstVelocities(self.system)
        t = self.tables(y)
        for c, name in enumerate(self.system.cables):
            bars = slice(t.cable.first[c], t.cable.first[c] + t.cable.count[c])
            back, lengths = -1 if t.cable.reversed[c] else 1, t.bar.length[bars]
            nodes = first.at_nodes(name, lengths[::back])[::back]
            turns = rotations(t.bar_state.turn[bars])
            swing = np.cross(turns[:, :, 2], np.diff(nodes, axis=0) / lengths[:, None])
            t.bar_state.velocity[bars] = 0.5 * (nodes[1:] + nodes[:-1])
            t.bar_state.spin[bars] = np.einsum("nji,nj->ni", turns, swing)
        t.hub_state.velocity = [first.of(name) for name in self._hub_names]
        t.controls.velocity = [command.at_start()[1] for command in first.commands.values()]
        return y

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedBars:
        from .linearised import LinearisedBars

        rings = [name for name, point in self.system.points.items() if point.kind == "sliding"]
        if rings:
            raise UnsupportedSystem(
                f"points.{rings[0]}: statics does not find where a ring comes to rest; use start: catenary "
                "and let it settle in a run"
            )
        return LinearisedBars(self, float(t), self.initial_inputs() if u is None else u)

    def laid(self, geometry: Geometry) -> tuple[LaidCable, ...] | None:
        return laid(self, geometry)

    def still(self) -> Still:
        return still(self)

    def body_name(self, body: int) -> str:
        """What people call a body: bars are counted through all cables, then the free points."""
        t = self.tables(self._y0)
        if body >= t.bars:
            name = self._hub_names[body - t.bars]
            return f"{'body' if name in self.system.bodies else 'point'} '{name}'"
        cable = int(np.searchsorted(t.cable.allotted_first, body, side="right")) - 1
        element, names = body - int(t.cable.first[cable]), self.places(RANGE)[cable]
        if not 0 <= element < len(names):
            return f"line on the winch of cable '{self.shape.cables[cable]}'"
        return names[element]

    def places(self, status: int) -> Places:
        t = self.tables(self._y0)
        if status in (HUB_RANGE, SINGULAR):
            return tuple((self.body_name(t.bars + k),) for k in range(t.hubs))
        return places_along(self.shape.cables, t.cable.count, "element", t.cable.reversed)

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        cure = f"use a smaller step than {self.system.simulation.step:g} s"
        if status == SINGULAR:
            return *JUNCTION_WORDS, cure
        cause = "the step is too large for the stiffest motion"
        settings = self.system.simulation
        if settings.bars.tuning != "rule":
            cause = f"the published tuning needs a step below 1/alpha = {1 / settings.bars.alpha:g} s"
            cure = "use a smaller step, or bars: {tuning: rule}"
        elif self.scheme == "explicit_euler":
            cause = "explicit Euler gains energy where there is little drag"
            cure = "use integrator: semi_implicit, or a much smaller step"
        elif self.scheme == "rk4":
            cause = "the step is above the stability bound of the axial springs"
            cure = f"use a step below {self.plain_step_bound():.3g} s, or integrator: semi_implicit"
        elif time <= self.first_steps:
            cause, cure = FIRST_STEPS_CAUSE, cure + FIRST_STEPS_CURE
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        if status == STRAIN:
            what = "a tension that would stretch the element to twice its length, or not a number"
        return what, cause, cure

    def start_notes(self, h: float) -> tuple[str, ...]:
        settings = self.system.simulation
        bars = settings.bars
        notes = []
        if bars.tuning != "rule":
            if h * bars.alpha >= 1.0:
                notes.append(
                    f"simulation.step: {h:g} s is not below 1/alpha = {1 / bars.alpha:g} s, the bound of the "
                    f"published tuning '{bars.tuning}'; use a smaller step or bars: {{tuning: rule}}"
                )
            if any(kind.is_damped for kind in self.system.types.values()):
                notes.append(
                    f"simulation.bars.tuning: '{bars.tuning}' has a damping of its own (alpha); damping_time has no "
                    "effect under it; use tuning: rule to have it"
                )
        elif self.kind == PLAIN and self.scheme == "rk4" and h > self.plain_step_bound():
            notes.append(
                f"simulation.step: {h:g} s is above {self.plain_step_bound():.3g} s, the stability bound of rk4 on the "
                "joints' springs; use a smaller step or integrator: semi_implicit"
            )
        if self.kind == SEMI_IMPLICIT and (note := whirling_note(self.system, h)) is not None:
            notes.append(note)
        if bars.theta < 1 and bars.geometric_stiffness in ("off", "undamped"):
            notes.append(
                f"simulation.bars.theta: {bars.theta:g} feeds swinging motions unless geometric_stiffness is damped; "
                "use geometric_stiffness: auto"
            )
        explicit = self.kind == EXPLICIT_EULER
        if explicit or (self.kind == SEMI_IMPLICIT and bars.geometric_stiffness == "off"):
            bound = self.string_step_bound()
            if h > bound:
                cure = "integrator: semi_implicit" if explicit else "geometric_stiffness: auto"
                notes.append(
                    f"simulation.step: {h:g} s is above {bound:.3g} s, the bound 2/omega of the string stiffness under "
                    f"the first tension; use a smaller step or {cure}"
                )
        return (*notes, *release_note(self.system))

    def snaps(self, y: np.ndarray) -> Snaps | None:
        t, theta = self.tables(y), 0.5 if self.is_second_order else self.system.simulation.bars.theta
        cure = "use bars: {theta: 0.55} or" if theta > 0.6 else "use"
        found = Snaps(self.shape.cables, t.slack_since.time, t.snap.rise, t.snap.most, theta, cure)
        return found if self.kind != PLAIN else None

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        t = self.tables(y)
        notes: list[str] = []
        if self.kind != PLAIN:
            alone = zip(self.shape.cables, t.slack_since.time, t.cable.first, t.cable.count, strict=True)
            notes += [
                f"cables.{name}: is one element and was slack: ends that pass close to each other swing its bar round "
                "with them, which takes their energy at any step; use elements: 2, or formulation: lumped"
                for c, (name, since, first, count) in enumerate(alone)
                if since >= 0 and count == 1 and t.joint.one_way[first + c] > 0
            ]
        if self.system.simulation.bars.geometric_stiffness == "auto" and not self.is_second_order:
            notes += string_note(h, float(t.ledger.steps_damped), float(t.ledger.steps))
        return tuple(notes)

    def report(self, y: np.ndarray) -> dict[str, str]:
        ledger = self.tables(y).ledger
        if self.kind != SEMI_IMPLICIT:
            return {"geometric_stiffness": "off"}
        if self.is_second_order:
            return {"geometric_stiffness": "second order"}
        form = self.system.simulation.bars.geometric_stiffness
        return string_report(form, float(ledger.steps_damped), float(ledger.steps))

    def plain_step_bound(self) -> float:
        """Largest stable step of Runge–Kutta 4 on the joints' springs [s]: 2.8/ω of the stiffest bar.

        ω² = 4k/m along the bar and, at its ends' lever, 4k(L/2)²/J across it; 4k/J for bending and torsion.
        """
        t = self.tables(self._y0)
        fastest = 0.0
        for c, (first, count) in enumerate(zip(t.cable.first, t.cable.count, strict=True)):
            of = slice(first, first + count)
            joints = t.joint.stiffness[first + c : first + count + c + 1]
            axial, bending, torsion = np.maximum(joints[1:], joints[:-1]).T
            lever = t.bar.length[of] ** 2 / 4 / t.bar.inertia[of]
            for k, inverse_inertia in (
                (axial, np.maximum(1 / t.bar.mass[of], lever)),
                (bending, 1 / t.bar.inertia[of]),
                (torsion, 1 / t.bar.spin_inertia[of]),
            ):
                fastest = max(fastest, float(np.max(4 * k * inverse_inertia)))
        return 2.8 / math.sqrt(fastest)

    def string_step_bound(self) -> float:
        """2/ω_g [s], ω_g² = 12T/(mL): the step beyond which explicit string stiffness is unstable at first tension."""
        t = self.tables(self._y0)
        bound = math.inf
        for c, (first, count) in enumerate(zip(t.cable.first, t.cable.count, strict=True)):
            of = slice(first, first + count)
            tension = np.linalg.norm(t.multipliers.force[first + c : first + c + count], axis=1)
            rate = np.sqrt(tension * t.bar.length[of] / (t.bar.inertia[of] + t.bar.inertia_added[of]))
            bound = min(bound, 2.0 / float(rate.max())) if rate.max() > 0 else bound
        return bound


def _ring_extras(system: System) -> tuple[Extra, ...]:
    """Where every ring is on its host, and how hard it presses on it."""
    found = []
    for name, point in system.points.items():
        if point.kind == "sliding":
            found.append(Extra(f"{name}.along", "m", f"unstretched cable between the start of its host and '{name}'"))
            found.append(Extra(f"{name}.press", "N", f"force of '{name}' across its host"))
    return tuple(found)
