"""Cables: what they are made of along their length, where they end, and what is clamped onto them."""

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

from pydantic import Discriminator, Field, Tag

from fairlead.model.part import TAG, Part, exactly_one, one_or_parts
from fairlead.model.problems import Mistake
from fairlead.model.ropes import History
from fairlead.model.trade_words import NET, Modules, Net, attached, net_mistake, with_modules, with_net
from fairlead.model.values import Direction, Flag, Name, PlaceName, Quantity, Whole
from fairlead.model.winches import Winch

if TYPE_CHECKING:
    from fairlead.model.system import System

MOST_ELEMENTS = 100_000
"""Elements one system may have, all cables together: laying them out takes some ten seconds, a step of them ages."""

SHORTEST = 0.1
"""Of a cable on a winch that changes all elements together: least length in that at the start, when none is given."""
SHORTEST_ELEMENT = 1e-6
"""Least length of an element beside the longest of its cable; shorter ones drown in rounding."""

SHARED = 0.25
"""Of an element: how near to another node something attached is shared by the two beside it and gets no node itself."""
SAME_PLACE = 1e-9
"""Of a cable: what counts as the same place along it."""

_Length = Annotated[float, Quantity("m", above=0)]
_Count = Annotated[int, Whole(1, MOST_ELEMENTS)]


RowsOfModules = Annotated[
    Annotated[Modules, Tag(TAG + "one")] | Annotated[tuple[Modules, ...], Tag(TAG + "several")],
    Discriminator(lambda value: TAG + ("several" if isinstance(value, (list, tuple)) else "one")),
]
"""One row of modules, or several."""


class Segment(NamedTuple):
    """One element of a cable: unstretched length (m) and the name of its type."""

    length: float
    type_name: str


class Release(Part):
    """When an end lets go of its point: at a time, or when the pull exceeds a tension; whichever comes first."""

    time: Annotated[float, Quantity("s", at_least=0)] | None = Field(
        default=None, description="time at which it lets go"
    )
    tension: Annotated[float, Quantity("N", above=0)] | None = Field(
        default=None, description="end force above which it lets go (a weak link)"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        if not given & {"time", "tension"}:
            yield from exactly_one(given, "time", "tension")


class Stiffener(Part):
    """A bend stiffener: a tapered sleeve over a clamped end. It is written out as sections of stiffer types."""

    length: _Length = Field(description="length of the taper, from the clamp")
    root_diameter: Annotated[float, Quantity("m", above=0)] = Field(description="outer diameter at the clamp")
    tip_diameter: Annotated[float, Quantity("m", above=0)] | None = Field(
        default=None, description="outer diameter at the tip; that of the cable when left out"
    )
    youngs_modulus: Annotated[float, Quantity("Pa", above=0)] = Field(
        description="Young's modulus of its material, polyurethane e.g. 70 MPa"
    )
    density: Annotated[float, Quantity("kg/m^3", at_least=0)] = Field(default=1150.0, description="of its material")
    elements: Annotated[int, Whole(2, 200)] = Field(default=12, description="elements along it, of equal length")


class End(Part):
    """Where and how a cable is joined. A name alone stands for a ball joint there."""

    noun: ClassVar[str] = "the name of a point, or a mapping"
    point: PlaceName = Field(
        description="name of the point, or `body.attachment`; or `{body: name, position: [x, y, z]}`, in its frame"
    )
    joint: Literal["ball", "clamp"] = Field(
        default="ball", description="`ball` turns freely; `clamp` holds the direction"
    )
    direction: Direction | None = Field(
        default=None,
        description="for a clamp: rest direction of the cable at t = 0, from start to end; as first laid out when left "
        "out. At a body it turns with the body",
    )
    release: Release | None = Field(default=None, description="when the end lets go; never when left out")
    stiffener: Stiffener | None = Field(default=None, description="a bend stiffener at a clamp; none when left out")

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"point": data} if isinstance(data, (str, int, float)) and not isinstance(data, bool) else data

    def relations(self) -> Iterator[Mistake]:
        if self.stiffener is not None and self.joint == "ball":
            yield Mistake(("stiffener",), "has no meaning for a ball joint", "add 'joint: clamp' or remove it", True)
        if self.direction is None:
            return
        if self.joint == "ball":
            yield Mistake(("direction",), "has no meaning for a ball joint", "add 'joint: clamp' or remove it", True)
        if not 1e-100 < math.hypot(*self.direction) < 1e100:
            yield Mistake(("direction",), "must be a direction, not a vector without length", "e.g. [0, 0, -1]")

    __get_pydantic_json_schema__ = one_or_parts({"type": "string", "description": "name of a point or body.attachment"})


class Attachment(Part):
    """A clump weight or a float on the cable."""

    at: Annotated[float, Quantity("m", at_least=0)] = Field(
        description="place along the unstretched cable, from its start"
    )
    mass: Annotated[float, Quantity("kg", at_least=0)] = Field(default=0.0, description="its mass")
    volume: Annotated[float, Quantity("m^3", at_least=0)] = Field(
        default=0.0, description="volume of water it displaces"
    )
    drag_area: Annotated[float, Quantity("m^2", at_least=0)] = Field(
        default=0.0, description="drag coefficient times area, the same in all directions"
    )
    added_mass: Annotated[float, Quantity("kg", at_least=0)] = Field(
        default=0.0, description="added mass when under water"
    )
    net: Net | None = NET

    @classmethod
    def expanded(cls, data: object) -> object:
        return with_net(data, along_axes=False)

    def relations(self) -> Iterator[Mistake]:
        yield from net_mistake() if self.net is not None else ()


class Section(Part):
    """A stretch of one type, for a cable that changes along its length."""

    type: Name = Field(description="name of the cable type")
    length: _Length | None = Field(default=None, description="unstretched length; with `elements`")
    elements: _Count | None = Field(
        default=None, description="number of elements, equal but that a node lies at each attachment; with `length`"
    )
    element_lengths: tuple[_Length, ...] | None = Field(
        default=None, description="unstretched length of each element, instead of `length` and `elements`"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from _one_division(given)

    def relations(self) -> Iterator[Mistake]:
        yield from _division_relations(self.element_lengths)

    @property
    def total_length(self) -> float:
        """Unstretched length, m."""
        return math.fsum(self.element_lengths) if self.element_lengths else self.length or 0.0

    @property
    def element_count(self) -> int:
        """Number of elements."""
        return len(self.element_lengths) if self.element_lengths else self.elements or 0


class Cable(Part):
    """One cable between two points."""

    type: Name | None = Field(default=None, description="name of the cable type; or give `sections`")
    length: _Length | None = Field(default=None, description="unstretched length; with `elements`")
    elements: _Count | None = Field(
        default=None, description="number of elements, equal but that a node lies at each attachment; with `length`"
    )
    element_lengths: tuple[_Length, ...] | None = Field(
        default=None,
        description="unstretched length of each element from the start, instead of `length` and `elements`",
    )
    sections: tuple[Section, ...] | None = Field(
        default=None, description="stretches of different types from start to end, instead of `type` and the lengths"
    )
    start: End = Field(description="where the cable starts: the name of a point, or a mapping")
    end: End = Field(description="where the cable ends: the name of a point, or a mapping")
    attachments: tuple[Attachment, ...] = Field(default=(), description="clump weights and floats along the cable")
    modules: RowsOfModules | None = Field(
        default=None,
        description="equal modules along the cable, one row or a list of rows of them; they become `attachments`",
    )
    allow_stretch: Flag = Field(
        default=False,
        description="a cable shorter than the distance of its ends starts stretched instead of being a mistake",
    )
    winch: Winch | None = Field(default=None, description="a winch at one end; the length never changes when left out")
    history: History | None = Field(
        default=None, description="what a rope with `working_curves` has gone through; new rope when left out"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        return with_modules(data)

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "type", "sections")
        if "sections" in given:
            for name in ("length", "elements", "element_lengths"):
                if name in given:
                    yield Mistake((name,), "cannot stand beside 'sections'", "give it inside each section", True)
        else:
            yield from _one_division(given)

    def relations(self) -> Iterator[Mistake]:
        yield from _division_relations(self.element_lengths)
        if self.sections is not None and not self.sections:
            yield Mistake(("sections",), "must hold at least one section")
        if self.modules is not None:  # they could not be written out
            found = attached(self.modules if isinstance(self.modules, tuple) else (self.modules,), self.total_length)
            if isinstance(found, str):
                yield Mistake(("modules",), found, "check 'from', 'to' and 'every'")

    @property
    def stretches(self) -> tuple[Section, ...]:
        """The cable as sections, whichever way it was given."""
        if self.sections is not None:
            return self.sections
        return (
            Section.model_construct(
                type=self.type or "", length=self.length, elements=self.elements, element_lengths=self.element_lengths
            ),
        )

    @property
    def type_names(self) -> tuple[str, ...]:
        """Name of the type of each stretch, from start to end."""
        return tuple(stretch.type for stretch in self.stretches)

    @property
    def total_length(self) -> float:
        """Unstretched length, m."""
        return math.fsum(stretch.total_length for stretch in self.stretches)

    @property
    def element_count(self) -> int:
        """Number of elements."""
        return sum(stretch.element_count for stretch in self.stretches)

    @property
    def drum_length(self) -> float:
        """Unstretched length of the element at the winch, m; of the first one where there is no winch."""
        segments = self.segments()
        return segments[-1 if self.winch is not None and self.winch.end == "end" else 0].length

    def length_at(self, t: float) -> float:
        """Unstretched length at time t by the schedule of its winch, m."""
        return self.total_length + (0.0 if self.winch is None else self.winch.paid_out(t))

    def schedule_range(self, duration: float) -> tuple[float, float]:
        """Least and greatest unstretched length the schedule of its winch reaches from 0 to `duration`, m."""
        least, most = (0.0, 0.0) if self.winch is None else self.winch.extremes(duration)
        return self.total_length + least, self.total_length + most

    def length_limits(self, duration: float) -> tuple[float, float]:
        """Least and greatest unstretched length it may have during a run, given or by default, m."""
        if self.winch is None:
            return self.total_length, self.total_length
        least, most = self.winch.length_min, self.winch.length_max
        if least is None:
            whole = self.total_length
            least = min(self.drum_length, SHORTEST * whole if self.winch.mode == "rescale" else whole)
        return least, self.schedule_range(duration)[1] if most is None else most

    def segments(self, system: "System | None" = None) -> tuple[Segment, ...]:
        """One `Segment(length, type_name)` for each element, from start to end.

        Elements that the file only counts are equal, but where something is attached between two of them: a node is put
        there (see `_nodes_at`). Those on a winch stay equal, for it makes and takes them.
        """
        found: list[Segment] = []
        begin = 0.0
        for stretch in self.stretches:
            if stretch.element_lengths:
                found += [Segment(length, stretch.type) for length in stretch.element_lengths]
            elif stretch.length is not None and stretch.elements is not None:
                places = () if self.winch is not None else tuple(item.at - begin for item in self.attachments)
                for length, count in _nodes_at(places, stretch.length, stretch.elements):
                    found += [Segment(length, stretch.type)] * count
            begin += stretch.total_length
        grown = None if system is None else system.element_types(self)
        if grown is not None:
            found = [Segment(segment.length, name) for segment, name in zip(found, grown, strict=True)]
        return tuple(found)


def _nodes_at(places: Iterable[float], length: float, elements: int) -> Iterator[tuple[float, int]]:
    """Lengths of elements and how many of each follow one another, with a node at each of the `places` on the way.

    As many elements as were asked for, equal from one such node to the next. What is nearer to an end, or to another
    node of this kind, than `SHARED` of an element gets none of its own: the two nodes beside it then share it.
    """
    each = length / elements
    last, at, even = 0, 0.0, True
    for place in sorted(places):
        nearest = _nearest(place, each, elements)
        on_node = abs(place - nearest * each) <= SAME_PLACE * length
        here = nearest * each if on_node else place
        if nearest <= last or here - at < SHARED * each * (nearest - last):
            continue
        if length - here < SHARED * each * (elements - nearest):
            continue
        yield each if even and on_node else (here - at) / (nearest - last), nearest - last
        last, at, even = nearest, here, on_node
    yield each if even else (length - at) / (elements - last), elements - last


def _nearest(place: float, each: float, elements: int) -> int:
    """Number of the inner node nearest to a place; 0 where there is none. By comparisons, which a record of the
    calculation keeps as conditions (`algebra.recorded`)."""
    node = min(max(int(place / each + 0.5), 1), elements - 1)
    while node > 1 and place < (node - 0.5) * each:
        node -= 1
    while node < elements - 1 and place >= (node + 0.5) * each:
        node += 1
    return node


def _one_division(given: frozenset[str]) -> Iterator[Mistake]:
    """Mistakes unless either `element_lengths` or both of `length` and `elements` are given."""
    if "element_lengths" in given:
        for name in ("length", "elements"):
            if name in given:
                yield Mistake((name,), "cannot stand beside 'element_lengths'", "keep one of the two", True)
        return
    missing = [f"'{name}'" for name in ("length", "elements") if name not in given]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        hint = "give 'length' and 'elements', or 'element_lengths'"
        yield Mistake((), f"{' and '.join(missing)} {verb} missing", hint, True)


def _division_relations(element_lengths: tuple[float, ...] | None) -> Iterator[Mistake]:
    if element_lengths is None:
        return
    if not element_lengths:
        yield Mistake(("element_lengths",), "must hold at least one length", "a cable has one element or more")
        return
    least = SHORTEST_ELEMENT * max(element_lengths)
    for index, length in enumerate(element_lengths):
        if length < least:
            yield Mistake(("element_lengths", index), f"{length:.3g} m is short beside {max(element_lengths):.3g} m",
                          f"use {least:.3g} m or more, or leave the element out")  # fmt: skip
