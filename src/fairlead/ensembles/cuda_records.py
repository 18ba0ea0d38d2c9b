"""Records on a GPU: the same kernels, a thread of the GPU for each member of an ensemble.

What a member owns lies side by side with the others of its *group* (32 threads that run in step): number k of member i
at ((i div 32) size + k) 32 + (i mod 32), so that one access of a group is one piece of memory. What is never written by
a step (counts, and constants that are the same for all) is there once. A constant that differs between members must lie
in one of the first tables of `reals`: the first `split` numbers are a member's own, the others everybody's.

A system of these types is indexed and read as that of `record_types` is; kernels do not see the difference. Counts,
settings and where tables begin are known when a kernel is compiled: parts which a system does not have are left out,
and of an address little is left to be computed. That all of it lies in the GPU's global memory is said at every access,
since its compiler would not see it through the calls. Where there is a scratchpad (`scratchpads`), what is in it is
read there, and it is loaded at the beginning of a kernel.
"""

from __future__ import annotations

import hashlib
import operator
from typing import Any, NamedTuple

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.extending import core_models
from numba.cuda.models import register_model
from numba.cuda.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numba.cuda.typing.typeof import typeof_impl

from fairlead.algebra.compiled import Kernel
from fairlead.algebra.lanes import lanes, step_of_lanes, total_of
from fairlead.algebra.records import (
    INTS,
    REALS,
    SHARED,
    WORK,
    Lazy,
    Schema,
    Table,
    Y,
    expected,
    row_start,
    taken,
)
from fairlead.sea.single_waves import ON_A_GPU
from fairlead.sea.water import BED_FRICTION, BED_X, CURRENT_FIRST, WAVE_FIRST

from . import cuda_lanes  # noqa: F401  tells numba-cuda what lanes are
from .cuda_addresses import (
    GLOBAL,
    NEARBY,
    SHORT,
    WORD,
    at,
    constant,
    in_global,
    load,
    nearby,
    place_in,
)  # fmt: skip
from .gpu import GROUP, with_rows
from .scratchpads import Scratchpad, scratchpad_of

_NUMBERS = {types.float64: ir.DoubleType(), types.int64: WORD}
_OF_THE_BED = range(BED_X, BED_FRICTION + 1)
"""Numbers of the sea that every bar reads."""


def _space(pad: Scratchpad | None) -> int:
    """Where what all members share is."""
    return NEARBY if pad is not None and pad.holds_shared else GLOBAL


class LaneType(types.Type):
    """An array of a member: number k at base + k stride. `fixed`: no step writes to it."""

    def __init__(self, number: Any, stride: int, size: int, fixed: bool, space: int = GLOBAL) -> None:
        self.number, self.stride, self.size, self.fixed, self.space = number, stride, size, fixed, space
        super().__init__(f"Lane[{number}, {stride}, {size}, {fixed}, {space}]")


class ConstantsType(types.Type):
    """`reals` of a member: its own first `split` numbers, and those that all share; `known` are some by their index.

    Rows of waves (`sea.single_waves`) stand behind all of the shared ones where waves are shared, else behind a
    member's own: `rows` is where, of `own` numbers a member.
    """

    def __init__(self, split: int, known: dict[int, float], size: int, pad: Scratchpad | None = None) -> None:
        self.split, self.known, self.pad = split, known, pad
        self.space = _space(pad)
        self.shares_waves = WAVE_FIRST in known and split <= known[WAVE_FIRST]
        self.rows, self.own = (size + size % 2, split) if self.shares_waves else (split, with_rows(split, known))
        super().__init__(f"Constants[{split}, {sorted(known.items())}, {self.rows}, {self.space}, {pad and pad.name}]")


class MemberType(types.Type):
    """The four arrays of one member with the names of a schema; of a `lean` one, rows that are `taken` are read where
    they are used, as suits threads with few registers."""

    def __init__(
        self,
        schema: Schema,
        own: frozenset[str],
        split: int,
        head: tuple[int, ...],
        known: Any,
        sizes: Any,
        lean: bool = False,
        padded: bool = False,
    ) -> None:
        self.schema, self.own, self.head, self.lean = schema, own, head, lean
        tables = list(schema.table.values())
        declared = (schema.counts, schema.settings, tables, sorted(own), split, head, known, sizes, lean, padded)
        name = f"Member[{schema.name}, {hashlib.sha256(str(declared).encode()).hexdigest()[:12]}]"
        self.pad = scratchpad_of(name, sizes[INTS], sizes[REALS]) if padded else None
        self.space = _space(self.pad)
        self.arrays: dict[str, Any] = {
            INTS: LaneType(types.int64, 1, sizes[INTS], True, self.space),
            REALS: ConstantsType(split, known, sizes[REALS], self.pad),
            Y: LaneType(types.float64, GROUP, sizes[Y], False),
            WORK: LaneType(types.float64, GROUP, sizes[WORK], False),
        }
        super().__init__(name)

    def storage(self, table: Table) -> Storage:
        """How the numbers of a table lie."""
        if table.place in (INTS, REALS):
            own = table.name in self.own
            return Storage(GROUP if own else 1, True, self.lean, GLOBAL if own else self.space, self.pad)
        return Storage(GROUP, False, self.lean, GLOBAL, self.pad)


class Storage(NamedTuple):
    """How the numbers of a table lie: from one to the next; whether no step writes to them, and rows that are `taken`
    are read where they are used; in which memory; and what is in the scratchpad, where there is one."""

    stride: int
    fixed: bool
    lean: bool
    space: int
    pad: Scratchpad | None

    def __str__(self) -> str:
        return f"{self[:4]}, {self.pad and self.pad.name}"


class LaneTableType(types.Type):
    """A table of a member, or a column of it."""

    def __init__(self, table: Table, storage: Storage, column: str | None = None) -> None:
        self.table, self.storage = table, storage
        self.first = 0 if column is None else table.fields[column].start
        """Number of a row that the column begins at."""
        super().__init__(f"LaneTable[{table}, {storage}, {column}]")


class LaneRowType(types.Type):
    """A row of a member's table. `near`: it is in the scratchpad, too, and read there."""

    def __init__(self, table: Table, storage: Storage) -> None:
        self.near = storage.pad is not None and table.per is None and table.place == WORK and table.owner == SHARED
        self.fields, self.storage = table.fields, storage if self.near else storage._replace(pad=None)
        self.number = number_of(table)
        super().__init__(f"LaneRow[{self.fields}, {self.number}, {self.storage}, {self.near}]")


class ValuesType(types.Type):
    """The numbers of a row themselves, in the registers of a thread."""

    def __init__(self, row: LaneRowType) -> None:
        self.fields, self.number = row.fields, row.number
        self.count = sum(field.count for field in self.fields.values())
        super().__init__(f"Values[{self.fields}, {self.number}]")


def number_of(table: Table) -> Any:
    return types.int64 if table.whole else types.float64


@register_model(LaneType)
class _LaneModel(core_models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _NUMBERS[fe_type.number].as_pointer())


@register_model(ConstantsType)
class _ConstantsModel(core_models.StructModel):
    def __init__(self, manager, fe_type):
        numbers = types.CPointer(types.float64)
        super().__init__(manager, fe_type, [("shared", numbers), ("own", numbers)])


@register_model(MemberType)
class _MemberModel(core_models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, list(fe_type.arrays.items()))


@register_model(ValuesType)
class _ValuesModel(core_models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("numbers", types.UniTuple(fe_type.number, fe_type.count))])


@register_model(LaneTableType)
class _LaneTableModel(core_models.StructModel):
    def __init__(self, manager, fe_type):
        members = [("data", types.CPointer(number_of(fe_type.table))), ("start", types.int64)]
        super().__init__(manager, fe_type, members)


@register_model(LaneRowType)
class _LaneRowModel(core_models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _NUMBERS[fe_type.number].as_pointer())


# --- types ------------------------------------------------------------------------------------------------------------


@typing_registry.register_attr
class _MemberAttributes(AttributeTemplate):
    key = MemberType

    def generic_resolve(self, typ, attr):
        if attr in typ.arrays:
            return typ.arrays[attr]
        if attr in typ.schema.head:
            return types.int64
        table = typ.schema.table.get(attr)
        if table is None:
            return None
        return (LaneRowType if table.per is None else LaneTableType)(table, typ.storage(table))


@typing_registry.register_attr
class RowAttributes(AttributeTemplate):
    key: Any = LaneRowType

    def generic_resolve(self, typ, attr):
        field = typ.fields.get(attr)
        if field is None:
            return None
        return types.UniTuple(typ.number, field.count) if field.vector else typ.number


@typing_registry.register_attr
class _ValuesAttributes(RowAttributes):
    key = ValuesType


@typing_registry.register_attr
class _TableAttributes(AttributeTemplate):
    key = LaneTableType

    def generic_resolve(self, typ, attr):
        if attr in typ.table.fields:
            return LaneTableType(typ.table, typ.storage, attr)
        return types.int64 if attr == "start" else None


@typing_registry.register_attr
class _LaneAttributes(AttributeTemplate):
    key = LaneType

    def generic_resolve(self, typ, attr):
        return types.UniTuple(types.int64, 1) if attr == "shape" else None


@typing_registry.register_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        array, index = args
        if not isinstance(index, types.Integer):
            return None
        if isinstance(array, LaneTableType):
            return signature(LaneRowType(array.table, array.storage), array, types.int64)
        if isinstance(array, LaneType):
            return signature(array.number, array, types.int64)
        if isinstance(array, ConstantsType):
            return signature(types.float64, array, types.int64)
        return None


@typing_registry.register_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args, kws):
        array, index, _ = args
        if isinstance(array, LaneType) and isinstance(index, types.Integer) and not array.fixed:
            return signature(types.none, array, types.int64, array.number)
        return None


class _RowStart(AbstractTemplate):
    key = row_start

    def generic(self, args, kws):
        return signature(types.int64, *args) if isinstance(args[0], LaneRowType) else None


class _Expected(AbstractTemplate):
    key = expected

    def generic(self, args, kws):
        return signature(types.none, args[0], types.int64, types.int64) if isinstance(args[0], LaneTableType) else None


class _Taken(AbstractTemplate):
    key = taken

    def generic(self, args, kws):
        (row,) = args
        if not isinstance(row, LaneRowType):
            return None
        return signature(row if row.storage.lean else ValuesType(row), row)


LAZY = {row_start: _RowStart, expected: _Expected, taken: _Taken}
"""Functions that a core has of its own, by what numba-cuda makes of them."""


@typeof_impl.register(Lazy)
def _type_of_lazy(value, context):
    return types.Function(LAZY[value]) if value in LAZY else None


@typeof_impl.register(Kernel)
def _type_of_kernel(value, context):
    known = vars(value)
    if "_on_gpu" not in known:
        taken = ON_A_GPU.get(value, value)
        known["_on_gpu"] = CUDADispatcher(taken.py_func, taken.targetoptions | {"device": True, "opt": True})
    return known["_on_gpu"]._numba_type_


@lowering_registry.lower(operator.getitem, LaneType, types.Integer)
def _lane_getitem(context, builder, sig, args):
    lane = sig.args[0]
    return load(builder, at(builder, args[0], args[1], lane.stride), lane.fixed, lane.space)


@lowering_registry.lower(operator.setitem, LaneType, types.Integer, types.Any)
def _lane_setitem(context, builder, sig, args):
    builder.store(args[2], in_global(builder, at(builder, args[0], args[1], sig.args[0].stride)))
    return context.get_dummy_value()


@lowering_registry.lower_getattr_generic(LaneType)
def _lane_getattr(context, builder, lane, value, attr):
    return cgutils.pack_array(builder, [constant(lane.size)])


@lowering_registry.lower(operator.getitem, ConstantsType, types.Integer)
def _constants_getitem(context, builder, sig, args):
    known = sig.args[0].known
    if isinstance(args[1], ir.Constant) and args[1].constant in known:
        return ir.Constant(ir.DoubleType(), known[args[1].constant])
    kind = sig.args[0]
    both = cgutils.create_struct_proxy(kind)(context, builder, args[0])
    near = _near_constant(builder, kind, args[1])
    if near is not None:
        return builder.load(near)
    if isinstance(args[1], ir.Constant) and args[1].constant >= kind.split:
        return load(builder, at(builder, both.shared, args[1], 1), True, kind.space)
    place = at(builder, both.own, args[1], GROUP)
    if isinstance(args[1], ir.Constant):
        return load(builder, place, True)
    own = builder.icmp_signed("<", args[1], constant(kind.split))
    if kind.space == GLOBAL:
        return load(builder, builder.select(own, place, at(builder, both.shared, args[1], 1)), True)
    with builder.if_else(own) as (then, otherwise):
        with then:
            first, here = load(builder, place, True), builder.block
        with otherwise:
            other, there = load(builder, at(builder, both.shared, args[1], 1), True, kind.space), builder.block
    found = builder.phi(ir.DoubleType())
    found.add_incoming(first, here)
    found.add_incoming(other, there)
    return found


def _near_constant(builder, kind, index):
    """Address of a constant in the scratchpad, None where it is not there. An index that is computed is that of a row,
    which stands behind the head of the sea."""
    pad = kind.pad
    if pad is None:
        return None
    if isinstance(index, ir.Constant):
        return place_in(builder, pad, pad.place_of_own(index.constant)) if index.constant in _OF_THE_BED else None
    first = pad.place_of_own_rows(CURRENT_FIRST, kind.split)
    if first is None or not pad.holds_shared:
        return None
    short = builder.trunc(index, SHORT)
    away = builder.sub(short, ir.Constant(SHORT, CURRENT_FIRST - first))
    shared = builder.gep(nearby(builder), [builder.add(short, ir.Constant(SHORT, pad.whole))])
    own = builder.icmp_signed("<", index, constant(kind.split))
    return builder.select(own, place_in(builder, pad, away), shared)


@lowering_registry.lower_getattr_generic(MemberType)
def _member_getattr(context, builder, member, value, attr):
    struct = cgutils.create_struct_proxy(member)(context, builder, value=value)
    if attr in member.arrays:
        return getattr(struct, attr)

    if attr in member.schema.head:
        return constant(member.head[member.schema.head[attr]])
    table = member.schema.table[attr]
    storage = member.storage(table)
    base = getattr(struct, table.place)
    if table.place == REALS:
        both = cgutils.create_struct_proxy(member.arrays[REALS])(context, builder, value=base)
        base = both.own if table.name in member.own else both.shared
    start = constant(member.head[member.schema.offset[attr]])
    data = at(builder, base, start, storage.stride)
    if table.per is None:
        return data
    found = cgutils.create_struct_proxy(LaneTableType(table, storage))(context, builder)
    found.data, found.start = data, start
    return found._getvalue()


@lowering_registry.lower_getattr_generic(LaneTableType)
def _table_getattr(context, builder, table, value, attr):
    if attr != "start":
        return value
    return cgutils.create_struct_proxy(table)(context, builder, value=value).start


@lowering_registry.lower(operator.getitem, LaneTableType, types.Integer)
def row_of(context, builder, sig, args):
    kind = sig.args[0]
    table = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    width = ir.Constant(SHORT, kind.table.width * kind.storage.stride)
    row = builder.mul(builder.trunc(args[1], SHORT), width, flags=("nsw",))
    return builder.gep(table.data, [builder.sext(row, WORD)], inbounds=True)


@lowering_registry.lower_getattr_generic(LaneRowType)
def _row_getattr(context, builder, row, value, attr):
    field, (stride, fixed, _, space, pad) = row.fields[attr], row.storage
    if row.near:
        numbers = [builder.load(place) for place in _near_numbers(builder, pad, field)]
    else:
        places = [at(builder, value, constant(field.start + k), stride) for k in range(field.count)]
        numbers = [load(builder, place, fixed, space) for place in places]
    return cgutils.pack_array(builder, numbers) if field.vector else numbers[0]


def _near_numbers(builder, pad, field):
    """Addresses of a field of the scheme in the scratchpad."""
    return [place_in(builder, pad, pad.place_of_scheme(field.start + k)) for k in range(field.count)]


@lowering_registry.lower(taken, LaneRowType)
def _lower_taken(context, builder, sig, args):
    stride, fixed, lean, space, _ = sig.args[0].storage
    if lean:
        return args[0]
    places = [at(builder, args[0], constant(k), stride) for k in range(sig.return_type.count)]
    found = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    found.numbers = cgutils.pack_array(builder, [load(builder, place, fixed, space) for place in places])
    return found._getvalue()


@lowering_registry.lower_getattr_generic(ValuesType)
def _values_getattr(context, builder, kind, value, attr):
    field = kind.fields[attr]
    numbers = cgutils.create_struct_proxy(kind)(context, builder, value=value).numbers
    found = [builder.extract_value(numbers, k) for k in range(field.start, field.start + field.count)]
    return cgutils.pack_array(builder, found) if field.vector else found[0]


@lowering_registry.lower_setattr_generic(LaneRowType)
def _row_setattr(context, builder, sig, args, attr):
    row, value = args
    kind = sig.args[0]
    field = kind.fields[attr]
    numbers = cgutils.unpack_tuple(builder, value, field.count) if field.vector else [value]
    for k, number in enumerate(numbers):
        builder.store(number, in_global(builder, at(builder, row, constant(field.start + k), kind.storage.stride)))
    if kind.near:
        for number, place in zip(numbers, _near_numbers(builder, kind.storage.pad, field), strict=True):
            builder.store(number, place)


@lowering_registry.lower(row_start, LaneRowType, types.Any)
def _lower_row_start(context, builder, sig, args):
    row, array = sig.args
    base = args[1]
    if isinstance(array, ConstantsType):
        both = cgutils.create_struct_proxy(array)(context, builder, value=base)
        base = both.shared if row.storage.stride == 1 else both.own
    away = builder.sub(builder.ptrtoint(args[0], WORD), builder.ptrtoint(base, WORD))
    return builder.sdiv(away, constant(8 * row.storage.stride), flags=["exact"])


def numbers_asked(context, builder, sig, args):
    """Addresses of numbers of a row from a column on."""
    kind = sig.args[0]
    row = row_of(context, builder, sig, args[:2])
    places = [at(builder, row, constant(kind.first + k), kind.storage.stride) for k in range(args[2].constant)]
    return [in_global(builder, place) for place in places]


@lowering_registry.lower(expected, LaneTableType, types.Integer, types.Integer)
def lower_expected(context, builder, sig, args):
    for place in numbers_asked(context, builder, sig, args):
        asks = ir.FunctionType(ir.VoidType(), [place.type])
        builder.asm(asks, "prefetch.global.L1 [$0];", "l", [place], True)
    return context.get_dummy_value()


# --- waves: a thread takes one after the other, since its registers have no room for eight side by side ---------------


@typing_registry.register_global(lanes)
class _LanesOfConstants(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.float64, args[0], types.int64) if isinstance(args[0], ConstantsType) else None


@lowering_registry.lower(lanes, ConstantsType, types.Integer)
def _wave(context, builder, sig, args):
    """A number of the waves, or of what floaters feel of them, which stands behind: where the waves are shared so is
    that, and nothing is decided on the way."""
    kind = sig.args[0]
    if not kind.shares_waves:
        return _constants_getitem(context, builder, sig, args)
    both = cgutils.create_struct_proxy(kind)(context, builder, args[0])
    return load(builder, at(builder, both.shared, args[1], 1), True, kind.space)


@typing_registry.register_global(step_of_lanes)
class _StepOfLanes(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, args[0]) if isinstance(args[0], ConstantsType) else None


@lowering_registry.lower(step_of_lanes, ConstantsType)
def _step_of_lanes(context, builder, sig, args):
    return constant(1)


@typing_registry.register_global(total_of)
class _TotalOf(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.float64, types.float64, args[1]) if isinstance(args[1], ConstantsType) else None


@lowering_registry.lower(total_of, types.Float, ConstantsType)
def _total_of(context, builder, sig, args):
    return args[0]
