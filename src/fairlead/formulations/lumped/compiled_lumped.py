"""A system compiled to point masses: the contract's face of the kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairlead.algebra.tested_numba import is_tested
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places, places_along
from fairlead.loads.body_record import landing_extras
from fairlead.model import System
from fairlead.model.needs import needs
from fairlead.rigging.first_velocity import FirstVelocities
from fairlead.rigging.floater_rows import floater_columns
from fairlead.rigging.joint_frames import joint_extras
from fairlead.rigging.observation_shape import allotted_arcs, angle_extras, observation_shape, winch_extras
from fairlead.rigging.releases import release_note, released
from fairlead.rigging.rope_limits import require_ropes
from fairlead.rigging.rope_rows import remember_ropes
from fairlead.rigging.slack import Snaps
from fairlead.rigging.states import StateRules, flags, past_bounds, places_of, unit_fields, winch_bounds
from fairlead.rigging.string_note import (
    FIRST_STEPS_CAUSE, FIRST_STEPS_CURE, JUNCTION_WORDS, string_note, string_report, vibration_note,
)  # fmt: skip
from fairlead.sea.water import STRUCTURE
from fairlead.shape.layout import Geometry
from fairlead.words import NOTE

from .build import build
from .first_steps import forget_steps
from .equations import rhs, settle
from .hubs import SINGULAR
from .run import run, run_pack, run_rigged, run_watched, run_watched_rigged, steps_without_winches, watched_steps
from .schema import SCHEMA, is_plain
from .scheme import PLAIN, SEMI_IMPLICIT
from .step import HUB_RANGE, RANGE, SPEED_LIMIT, STRAIN
from .tensions import ALONE

if TYPE_CHECKING:
    from fairlead.formulations.jointed_rest import JointedRest

    from .linearised import LinearisedLumped


class CompiledLumped(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "lumped"
    supports: ClassVar[frozenset[str]] = frozenset(
        {
            "bending", "damping", "clamps", "branches", "loops", "free_bodies", "controlled_points", "passive_points",
            "hybrid_points", "bodies", "winch", "winch_control", "rescaling_winch", "attachments", "releases", "loads",
            "current", "waves", "wind", "seabed", "friction", "always_wet", "ropes", "floating", "ptos", "joints",
            "rods", "vortices",
        }
    )  # fmt: skip
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit",)
    kinds: ClassVar[dict[str, int]] = {"semi_implicit": SEMI_IMPLICIT, "rk2": PLAIN, "rk4": PLAIN}
    statuses: ClassVar[tuple[int, ...]] = (RANGE, SINGULAR, HUB_RANGE, STRAIN)
    exports: ClassVar[bool] = True
    end_forces = "coming"
    schema = SCHEMA
    rhs = staticmethod(rhs)
    settle = staticmethod(settle)

    def __init__(self, system: System, geometry: Geometry) -> None:
        _require_no_turns(system)
        if system.simulation.integrator not in ("auto", *self.kinds):
            raise UnsupportedSystem(
                f"simulation.integrator: the formulation 'lumped' has no '{system.simulation.integrator}'; "
                f"use {', '.join(self.kinds)} or auto"
            )
        if system.simulation.integrator in ("rk2", "rk4"):
            _require_plain(system, system.simulation.integrator)
        require_ropes(system, "semi_implicit")
        if system.simulation.lumped.strain != "engineering" and "ropes" in needs(system):
            raise UnsupportedSystem("simulation.lumped.strain: ropes have a strain of their own; use engineering")
        built = build(system, geometry)
        tables = built.tables
        if tables.pasts and system.simulation.integrator in ("rk2", "rk4"):
            raise UnsupportedSystem(
                f"bodies.{built.floaters[0]}.radiation.method: the integral over the past cannot be stepped by "
                f"'{system.simulation.integrator}'; use integrator: semi_implicit, or state_space"
            )
        if tables.ropes:
            from .at_rest import rest_memory

            elements = zip(tables.cable.first, tables.cable.count, strict=True)
            parts = [slice(first, first + count) for first, count in elements]
            remember_ropes(tables, system, tables.spring.tension.copy(), parts, rest_memory)
        afloat, forces = floater_columns(built.floaters, tuple(system.ptos))
        extras = (*winch_extras(system), *angle_extras(system), *landing_extras(system), *joint_extras(system), *afloat)
        shape = observation_shape(system, allotted_arcs(tables.cable, tables.element.length), extras, forces)
        plain = is_plain(tables)
        self._hold(system, tables, built.inputs, shape, run if plain else run_rigged)
        if self.no_watch() is None:
            self.steps, self.watched = steps_without_winches, watched_steps
            self.lone = run_watched if plain else run_watched_rigged
            self.pack = run_pack if plain and is_tested() else None
        self._hub_names = built.hubs

    def no_watch(self) -> str | None:
        return self._not_carried("a GPU")

    def no_pack(self) -> str | None:
        why = self._not_carried("a pack")
        if why is None and not is_plain(self.tables(self._y0)):
            return "a pack of 'lumped' carries no ropes, vortices, floaters, joints and rods"
        if why is None and self.pack is None:
            return "packs of 'lumped' are not compiled by this version of numba"
        return why

    def _not_carried(self, by: str) -> str | None:
        if self.tables(self._y0).winches > 0:
            return f"{by} carries no winches of 'lumped'"
        if (name := released(self.system)) is not None:
            return f"cables.{name}: {by} lets no ends go"
        if self.kind != SEMI_IMPLICIT:
            return f"{by} takes no steps of '{self.scheme}'; use integrator: semi_implicit"
        return None

    def structure(self, constants: np.ndarray) -> np.ndarray:
        element = self.schema.tables(self.ints, constants, self._y0, self.work).element
        of_elements = (element.pushed, element.drag_law, element.lump_first, element.lump_count, element.bending > 0.0)
        return np.concatenate([constants[list(STRUCTURE)], *of_elements])

    def state_rules(self) -> StateRules:
        t, cables = self.tables(self._y0), tuple(self.system.cables)
        bounds = [*flags(places_of(t, "hold", "attached"), "a flag of 'attached'"), *past_bounds(t)]
        places = (places_of(t, "drum", field) for field in ("count", "latest", "first_length", "paid_out"))
        for c, *four in zip(t.winch.cable, *places, strict=True):
            bounds += winch_bounds(cables[c], int(t.cable.allotted_count[c]), *four)
        return StateRules(tuple(bounds), unit_fields(t, "hub_state", "turn", "the quaternion of junction"))

    @property
    def is_second_order(self) -> bool:
        """Whether it takes the second-order step."""
        return self.kind == SEMI_IMPLICIT and self.system.simulation.lumped.is_second_order

    def rested(self, y: np.ndarray) -> np.ndarray:
        state = self.tables(y.copy())
        forget_steps(state)
        return state.y

    def unmade(self, y: np.ndarray) -> np.ndarray:
        y = y.copy()
        history = self.tables(y).history
        history.steps = np.minimum(history.steps, ALONE)
        return y

    def under_way(self, y: np.ndarray) -> np.ndarray:
        y = y.copy()
        if self.starts_at_rest:
            return y
        first = FirstVelocities(self.system)
        tables = self.tables(y)
        cable, length = tables.cable, tables.element.length
        rows = zip(self.system.cables, cable.first, cable.count, cable.reversed, strict=True)
        for c, (name, start, count, reverse) in enumerate(rows):
            back = -1 if reverse else 1
            nodes = first.at_nodes(name, length[start : start + count][::back])
            tables.node.velocity[start + c : start + c + count + 1] = nodes[::back]
        tables.hub_state.fill({"velocity": first.of(name)} for name in self._hub_names)
        tables.controls.fill({"velocity": command.at_start()[1]} for command in first.commands.values())
        return y

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedLumped | JointedRest:
        from .linearised import LinearisedLumped

        still = LinearisedLumped(self, float(t), self.initial_inputs() if u is None else u)
        if not self.tables(self._y0).bonds:
            return still
        from fairlead.formulations.jointed_rest import JointedRest

        return JointedRest(still, still.placed(self.initial_state()))

    def hub_name(self, hub: int) -> str:
        """What people call a hub."""
        name = self._hub_names[hub]
        return f"{'point' if name in self.system.points else 'body'} '{name}'"

    def places(self, status: int) -> Places:
        if status in (HUB_RANGE, SINGULAR):
            return tuple((self.hub_name(k),) for k in range(len(self._hub_names)))
        cables = self.tables(self._y0).cable
        return places_along(self.shape.cables, cables.count, "node", cables.reversed, first=0)

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        step = self.system.simulation.step
        cure = f"use a smaller step than {step:g} s"
        if status == SINGULAR:
            return *JUNCTION_WORDS, cure
        cause = "the step is too large for the stiffest motion"
        if self.kind == PLAIN:
            cause = "the step is above the stability bound of the springs"
            cure = f"use a step below {self.step_bound():.3g} s, or integrator: semi_implicit"
        elif time <= self.first_steps:
            cause, cure = FIRST_STEPS_CAUSE, cure + FIRST_STEPS_CURE
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        if status == STRAIN:
            what = "a tension that would stretch the element to four times its length, or not a number"
        return what, cause, cure

    def start_notes(self, h: float) -> tuple[str, ...]:
        notes = []
        if self.scheme == "rk4":
            bound = self.step_bound()
            mark, side, cure = ("", "above", "; use a smaller step or integrator: semi_implicit")
            if h <= bound:
                mark, side, cure = NOTE, "below", ""
            what = f"{side} {bound:.3g} s, the stability bound of rk4 on the springs{cure}"
            notes.append(f"{mark}simulation.step: {h:g} s is {what}")
        return (*notes, *release_note(self.system))

    def snaps(self, y: np.ndarray) -> Snaps | None:
        slack, theta = self.tables(y).slack, 0.5 if self.is_second_order else self.system.simulation.lumped.theta
        cure = "use lumped: {theta: 0.5} or" if theta > 0.6 else "use"
        found = Snaps(self.shape.cables, slack.since, slack.rise, slack.most, theta, cure)
        return found if self.kind == SEMI_IMPLICIT else None

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        ledger = self.tables(y).ledger
        if self.is_second_order:
            return self._unresolved(y, h)
        if self.system.simulation.lumped.geometric_stiffness != "auto":
            return ()
        return string_note(h, ledger.element_steps_damped, ledger.element_steps)

    def _unresolved(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        """A note where a step of h resolves no vibration across some taut elements of this state."""
        tables = self.tables(y)
        element, out = tables.element, np.zeros(tables.elements, dtype=bool)
        for first, count in zip(tables.cable.first, tables.cable.count, strict=True):
            out[first : first + count] = True
        stiff = h * h * np.maximum(0.0, tables.spring.tension) / np.maximum(element.length, 1e-12)
        return vibration_note(h, bool(np.any(out & (stiff > element.mass + element.added_normal))))

    def report(self, y: np.ndarray) -> dict[str, str]:
        ledger = self.tables(y).ledger
        if self.kind == PLAIN:
            return {"geometric_stiffness": "off"}
        if self.is_second_order:
            return {"geometric_stiffness": "second order"}
        form = self.system.simulation.lumped.geometric_stiffness
        return string_report(form, float(ledger.element_steps_damped), float(ledger.element_steps))

    def step_bound(self) -> float:
        """Largest stable step of Runge–Kutta 4 on the springs [s].

        Undamped motions are stable up to 2.8/ω, strongly damped ones up to 2.8/(damping rate); for each node
        ω² ≤ 2(k₁ + k₂)/m along the cable and 4(k/l²)(…)/m ≤ 16 k_b/(l² m) for bending.
        """
        tables = self.tables(self._y0)
        element, pad, slowest = tables.element, np.zeros(1), math.inf
        for first, count in zip(tables.cable.first, tables.cable.count, strict=True):
            part = slice(first, first + count)
            length, mass = element.length[part], element.mass[part]
            for k, time in (
                (element.stiffness[part] / length, element.damping_time[part]),
                (4.0 * element.bending[part] / length**3, element.bending_time[part]),
            ):
                heavy = np.concatenate((pad, mass)) + np.concatenate((mass, pad))
                stiff = np.concatenate((pad, k)) + np.concatenate((k, pad))
                omega2 = float(np.max(2.0 * stiff / heavy))
                if omega2 > 0.0:
                    rate = float(np.max(time)) * omega2
                    slowest = min(slowest, 2.8 / math.sqrt(omega2), 2.78 / rate if rate > 0.0 else math.inf)
        return slowest


def _require_plain(system: System, integrator: str) -> None:
    """Refuse what goes from step to step, which Runge–Kutta methods do not."""
    cure = "use integrator: semi_implicit"
    if shedding := needs(system).get("vortices"):
        what = f"{shedding}: they follow a cable from step to step, which {integrator} does not take"
        raise UnsupportedSystem(f"{what}; {cure}")
    for name, cable in system.cables.items():
        if cable.winch is not None:
            raise UnsupportedSystem(f"cables.{name}.winch: a winch cannot be stepped by '{integrator}'; {cure}")
    for name in system.joints:
        what = f"joints.{name}: joints cannot be stepped by '{integrator}'"
        raise UnsupportedSystem(f"{what}; {cure}, or formulation: multibody")


def _require_no_turns(system: System) -> None:
    """Point masses do not turn: refuse clamps and torques on free points."""
    for name, cable in system.cables.items():
        for side, end in (("start", cable.start), ("end", cable.end)):
            place = system.place(end.point)
            bends = any(system.types[kind].ei > 0 for kind in cable.type_names)
            if end.joint == "clamp" and bends and place.is_free:
                raise UnsupportedSystem(
                    f"cables.{name}.{side}: the formulation 'lumped' has no clamps on free points and bodies, and a "
                    f"cable is clamped to '{end.point}'; use joint: ball there, or formulation: bars"
                )
    for i, load in enumerate(system.loads):
        place = system.place(load.point)
        if any(load.torque) and place.is_free and not place.on_body:
            raise UnsupportedSystem(
                f"loads[{i}]: the formulation 'lumped' has no turning free points, and a torque acts on "
                f"'{load.point}'; remove the torque, or use formulation: bars"
            )
