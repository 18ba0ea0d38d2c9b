"""What a formulation is.

A formulation compiles a `System` into flat arrays once and keeps its whole state in one float64 vector `y` whose
length never changes during a run. Everything the next step reads is in `y`, so checkpoints, snapshots and error
norms need no code per formulation and a resumed run is bit-identical.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np

from fairlead.algebra.newton import AtRest
from fairlead.model import System
from fairlead.model.needs import UnsupportedSystem as UnsupportedSystem
from fairlead.results.observation import ObservationShape
from fairlead.rigging.states import StateRules

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from fairlead.algebra.records import Schema, Tables
    from fairlead.rigging.anchor_pull import AnchorPulls
    from fairlead.rigging.compiled_rest import Found
    from fairlead.rigging.handles import Handle
    from fairlead.rigging.slack import Snaps
    from fairlead.shape.layout import Geometry


KEPT_APART = frozenset(
    {
        *("attached", "hold", "standing", "landing", "run", "ring_state"),  # what is joined, stands or has begun
        *("slack_since", "snap", "slack", "softness", "extremes"),  # when it was, and the largest so far
        *("winch_state", "winch_rate", "drum", "turning", "paid"),  # elements off a drum, and how it turns
        *("shed", "body_joint_state", "frame"),  # phases, whole turns, and the axes from which turns are counted
        *("past_ring", "past_width", "adaptive_step"),  # where a ring of samples begins, lengths of steps
        *("ledger", "water_work", "pto_work", "history"),  # what has been done so far
    }
)
"""Parts of a state that count, switch, go round or remember when: of several states no mean can be made of them."""


@dataclass(frozen=True)
class Block:
    """A named part of the state vector."""

    name: str
    start: int
    stop: int
    unit: str
    weight: float
    """Weight in the error norm of adaptive integrators; 0 for memory that is not integrated."""

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)

    @property
    def mix(self) -> bool:
        """Whether states of several members may be mixed in it, as an ensemble filter does."""
        return self.name not in KEPT_APART


@dataclass(frozen=True)
class Layout:
    """The state vector's table of contents."""

    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, *parts: tuple[str, int, str, float]) -> Layout:
        """From `(name, size, unit, weight)` in order, as `Schema.state_parts` gives them."""
        blocks, start = [], 0
        for name, size, unit, weight in parts:
            blocks.append(Block(name, start, start + size, unit, weight))
            start += size
        return cls(tuple(blocks))

    @property
    def size(self) -> int:
        return self.blocks[-1].stop

    def __getitem__(self, name: str) -> slice:
        for block in self.blocks:
            if block.name == name:
                return block.slice
        raise KeyError(f"no part of the state is called '{name}'; there are: {', '.join(b.name for b in self.blocks)}")

    @property
    def weights(self) -> np.ndarray:
        """Error weight of each state, shape (size,)."""
        return np.concatenate([np.full(b.stop - b.start, b.weight) for b in self.blocks])

    @property
    def fingerprint(self) -> str:
        """Short hash: two states fit each other only when their layouts agree."""
        text = ";".join(f"{b.name}:{b.start}:{b.stop}:{b.unit}" for b in self.blocks)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Failure:
    """Where and why a run could not go on."""

    time: float
    place: str
    """Cable and element, e.g. `cable 'left', element 12 of 50`."""
    what: str
    cause: str
    cure: str

    def __str__(self) -> str:
        return f"t = {self.time:.6g} s, {self.place}: {self.what}. Likely cause: {self.cause}. What to do: {self.cure}."


class Linearised(AtRest, Protocol):
    """A system held still at one moment: what statics, modes and linearisation need of a formulation (optional).

    Degrees of freedom x (size,) are moves of whatever the formulation moves. Prescribed points stand where they are
    commanded to be, loads have the size of that moment, nothing is released and the seabed is smooth.
    """

    t: float
    """The moment, s."""

    def mass(self, y: np.ndarray) -> csc_matrix:
        """Mass matrix with added mass, (size, size); semidefinite where something has no mass."""

    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be."""

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of x in a state that moves, (size,)."""

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n heavily damped steps of size h [s] in place, time standing still; False when it went wrong."""

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The equilibrium `y` as a run starts from it, all that is lagged or remembered in accord with it."""

    def place(self, i: int) -> str:
        """What degree of freedom i belongs to: a cable and its element, or a point."""


@runtime_checkable
class InWater(Protocol):
    """Beside `Linearised` where floaters by coefficients are carried: their water weighs more or less with ω."""

    @property
    def has_water(self) -> bool:
        """Whether there are such floaters."""

    @property
    def floaters(self) -> dict[str, int]:
        """The first of the six degrees of freedom of each."""

    def water_mass(self, y: np.ndarray, omega: float) -> csc_matrix:
        """What the water weighs more at ω [rad/s] than in `mass`, (size, size)."""


class Movable(Linearised, Protocol):
    """The same with its prescribed points as unknowns behind x, and in compiled code (optional): what it takes to move
    places from one equilibrium to the next, and to find how stiffly they are held."""

    points: int
    """Prescribed points, in the order in which they stand behind x."""

    def handle(self, y: np.ndarray, name: str) -> Handle:
        """How the system is taken hold of at the point, body or place on a body of that name."""

    def bordered_tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """Stiffness of x and, behind it, of six moves of each prescribed point (see `handles`); `sticking` as in
        `tangent`."""

    def bordered_mass(self, y: np.ndarray) -> csc_matrix:
        """Mass of the same, with added mass."""

    def command(self, u: np.ndarray) -> None:
        """Hold still under other inputs."""

    def search(self, y: np.ndarray, pieces: int = 0) -> Found | None:
        """The stable equilibrium near y in one compiled call; on from an equilibrium y to the places commanded now when
        `pieces` says how finely (1 or more) the way there is cut. None where it is not carried or none was found."""

    def keep(self, y: np.ndarray) -> None:
        """Tell what state was made of the equilibrium just found: `border` then has its stiffness at hand."""

    def border(self, y: np.ndarray, name: str) -> tuple[np.ndarray, Handle] | None:
        """Stiffness of the hubs, then of six moves of each prescribed point, all else following, in one compiled call;
        and how a place is taken hold of. None where it is not carried."""


class Bonds(NamedTuple):
    """Bonds of joints in one shape: how far each is off (n,), its row over x (n, size), whether it holds (n,), and the
    force of those that spring (n,)."""

    value: np.ndarray
    rows: np.ndarray
    held: np.ndarray
    force: np.ndarray


class Reached(Linearised, Protocol):
    """A system whose bodies are joined to one another (optional): how its places are moved by what the joints leave."""

    def reach(self, y: np.ndarray, name: str) -> tuple[Handle, np.ndarray | None]:
        """How the place of that name is taken hold of, and its moves, global, by a unit of each of what is free,
        (k, size); None of what is prescribed."""

    def pull_on(self, y: np.ndarray, handle: Handle) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of a prescribed place that no joint is at: what a unit of each of its moves pulls on what is free, (size, k),
        what a unit of each freedom pulls on the place, (k, size), and on the place itself while all that is free
        stays, (k, k)."""


def movable(system: Linearised) -> Movable | None:
    """The system as one whose places can be moved, where its formulation offers that."""
    return cast("Movable", system) if hasattr(system, "search") else None


def reached(system: Linearised) -> Reached | None:
    """The system as one with joints between its bodies, where it has some."""
    return cast("Reached", system) if hasattr(system, "reach") else None


@dataclass(frozen=True)
class Exportable:
    """What a program that runs the kernel of a formulation without Python is told beside `Compiled`, for an FMU."""

    entry: Callable[..., int]
    """Kernel `run(t, y, n, h, u, ints, reals, work, kind, copy, out) -> status` (see `KernelCompiled`)."""
    kind: int
    """The integration scheme, as the kernel counts them."""
    substeps: int
    """Steps of the kernel in each that is asked for."""
    fault: int
    """Where in `work` it leaves time, place and part of a fault."""
    statuses: tuple[int, ...]
    """Every status but 0 that the kernel may return."""


ADAPTIVE_STEP = "adaptive_step"
"""Block of one number [s] in the state of every formulation that has `rhs`: adaptive integrators keep their step in it,
so that a run that is resumed goes on with the step it had. 0 before the first."""


class Compiled(ABC):
    """A system compiled by a formulation, ready to be advanced. `y` and `u` belong to the caller."""

    formulation: ClassVar[str]
    supports: ClassVar[frozenset[str]]
    """Features it can carry, by the names of `fairlead.model.needs.FEATURES`."""
    schemes: ClassVar[tuple[str, ...]]
    """Integrators the formulation carries out itself in `advance` (others act on `rhs`); the first is its default."""
    end_forces: ClassVar[Literal["coming", "now", "latest"]] = "now"
    """Of what time the end forces of an observation are: means over the step that begins at t, those of the moment, or
    means over the latest step (see `led_ends`)."""

    def rested(self, y: np.ndarray) -> np.ndarray:
        """The state without what its latest steps have left in it, for one that has come to rest."""
        return y

    def unmade(self, y: np.ndarray) -> np.ndarray:
        """The state as if no step had led to it, where it matters to an observation. Forces that are told as the mean
        of the step before and the step to come are then those of the latter alone (see `led_ends`)."""
        return y

    substeps: int = 1
    """Steps of its own in each that is asked for."""

    system: System
    layout: Layout
    shape: ObservationShape
    inputs: dict[str, slice]
    """Input names to slices of the input vector `u`; NaN in `u` means: follow the file."""

    ints: np.ndarray
    reals: np.ndarray
    work: np.ndarray
    """The compiled system as flat arrays (int64, float64) and scratch memory, as handed to the kernels."""

    schema: ClassVar[Schema | None] = None
    """The tables of these arrays and of the state, of a formulation that declares them."""

    def tables(self, y: np.ndarray) -> Tables:
        """The compiled system and its state y by the names that kernels use, as numpy views."""
        assert self.schema is not None
        return self.schema.tables(self.ints, self.reals, y, self.work)

    rhs: Callable[..., int] | None = None
    """Kernel `rhs(t, y, u, ints, reals, work, dy) -> status` for ODE integrators. The state then has a block
    `ADAPTIVE_STEP`; the place of a fault is where `failure` looks for it, as after `advance`."""
    _anchor_pulls: AnchorPulls | None = None

    geometry: Geometry | None = None
    """The first shape it was compiled from."""

    tow: np.ndarray | None = None
    """Velocity (3,) [m/s] of a steady tow, while its water is that seen from the tow (`statics.equilibrium.towed`)."""

    settle: Callable[..., int] | None = None
    """Kernel `settle(t, y, u, h, ints, reals, work) -> status` after an accepted step: renormalise, update memory."""

    @cached_property
    def turn(self) -> RLock:
        """Held by whoever calls a kernel of this system, since `work` serves one call at a time and kernels let go of
        Python's lock."""
        return RLock()

    _y0: np.ndarray
    """The state at t = 0."""

    def _keep_extremes(self) -> None:
        """Give state and integers room for the extremes of every step (`fairlead.loads.extremes`), the shape known."""
        extremes = self.shape.extremes
        end = self.layout.size
        self.ints = np.concatenate([self.ints, extremes.counts])
        self._y0 = np.concatenate([self._y0, extremes.fresh])
        block = Block("extremes", end, end + extremes.kept, "N, 1/m, m, m/s, s", 0.0)
        self.layout = Layout((*self.layout.blocks, block))

    def begin_interval(self, y: np.ndarray) -> None:
        """Forget the extremes of the steps so far, in place: those of the next sample are those of the steps to it."""
        if self._forgotten is not None:
            part, fresh = self._forgotten
            y[part] = fresh

    @cached_property
    def _forgotten(self) -> tuple[slice, np.ndarray] | None:
        """Where extremes of steps are in the state, and what they are before the first; None of a formulation that
        keeps none: its samples are all there is."""
        extremes = self.shape.extremes
        start = next((block.start for block in self.layout.blocks if block.name == "extremes"), None)
        if start is None:
            return None
        return slice(start, start + extremes.reset_part), extremes.fresh[: extremes.reset_part]

    @property
    def scheme(self) -> str:
        """The integrator the settings ask for; `auto` is the formulation's default."""
        asked = self.system.simulation.integrator
        return self.schemes[0] if asked == "auto" else asked

    def state_rules(self) -> StateRules:
        """Counts, indices and flags in the state with their bounds, and its unit vectors."""
        return StateRules()

    def check_state(self, y: np.ndarray) -> str | None:
        """Why `y` cannot be a state of this system, in a sentence; None when it can. No other state may be advanced."""
        if y.shape != (self.layout.size,):
            return f"a state of this system has shape {(self.layout.size,)}, not {y.shape}"
        wrong = np.flatnonzero(~np.isfinite(y))
        if len(wrong):
            block = next(b for b in self.layout.blocks if b.start <= wrong[0] < b.stop)
            number = int(wrong[0]) - block.start
            return f"number {number} of '{block.name}' is not finite, and a state must be"
        return self.state_rules().fault(y)

    @abstractmethod
    def initial_state(self) -> np.ndarray:
        """A fresh copy of the state at t = 0."""

    def under_way(self, y: np.ndarray) -> np.ndarray:
        """A copy of the state y at t = 0, everything moving as at the start (see `rigging.first_velocity`)."""
        return y.copy()

    def initial_inputs(self) -> np.ndarray:
        """Input vector in which every input follows the file."""
        size = max((s.stop for s in self.inputs.values()), default=0)
        return np.full(size, np.nan)

    def parts(self, h: float, scheme: str) -> int:
        """Into how many steps of its own a step h [s] is divided."""
        return self.substeps

    def advance_parts(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        """n of these steps, of h [s] each, in place."""
        return self.advance(t, y, n, h, u, scheme)

    @abstractmethod
    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        """n steps of size h from time t, in place, in one compiled call."""

    @abstractmethod
    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        """Fill one observation row (see `ObservationShape`) for the state at t; `y` is left as it is."""

    def look(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        """`observe`, with what the seabed carries at anchors taken off the end forces (see `anchor_pull`)."""
        self.observe(t, y, u, h, out)
        self.take_off_bed(out)

    def take_off_bed(self, out: np.ndarray) -> None:
        """Take what the seabed carries at anchors off the end forces of a row that `observe` filled, in place."""
        if self._anchor_pulls is None:
            from fairlead.rigging.anchor_pull import AnchorPulls

            self._anchor_pulls = AnchorPulls.of(self.system, self.shape)
        self._anchor_pulls.take_off(out)

    @abstractmethod
    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        """Explain a non-zero status of a kernel."""

    def align(self, y: np.ndarray) -> None:  # noqa: B027 - most carry no floaters
        """Bring what waves do to floaters in accord with the axes that their coefficients have in the state y."""

    def take_properties(self, system: System) -> bool:
        """Go on as `system`, which has other values for physical properties, from where it is; refused, and nothing
        changed, where more than constants of the equations would be other. Whether `reals` are all that changed."""
        raise UnsupportedSystem(f"parameters of the formulation '{self.formulation}' cannot be set while it runs")

    def exportable(self) -> Exportable:
        """What another program needs to run the kernel without Python; refused where it cannot."""
        raise UnsupportedSystem(f"the formulation '{self.formulation}' does not run without Python")

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> Linearised:
        """The system held still at time t under the inputs u (by default what the file says), for statics and modes."""
        raise UnsupportedSystem(f"the formulation '{self.formulation}' offers neither statics nor modes; 'bars' does")

    def start_notes(self, h: float) -> tuple[str, ...]:
        """What a user should know before the run with steps of h [s]: bounds, choices made automatically. Each note is
        one sentence that begins with the place in the file it is about and ends with what to do: they are shown, and
        kept with the result as its `warnings`."""
        return ()

    def report(self, y: np.ndarray) -> dict[str, str]:
        """Choices made during the run, kept with its result: name to sentence."""
        return {}

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        """What a user should know after it, likewise: damped forms used, releases. Of slack `snaps` tells."""
        return ()

    def snaps(self, y: np.ndarray) -> Snaps | None:
        """Cables of a state that lost their tension, and what is known of the peaks that follow; None where nothing
        is kept of them."""
        return None

    def peak_notes(self, tension: float) -> tuple[str, ...]:
        """What a user should know of a largest tension [N] like that of the run."""
        return ()
