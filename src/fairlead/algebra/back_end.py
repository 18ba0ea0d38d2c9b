"""What numba writes for LLVM, without what only objects that count references and calls that fail need: it is built,
written out, read and then thrown away again by LLVM. One part of the `shortcuts`, which say when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any


def replacements() -> tuple[tuple[Any, str, Callable[..., Any]], ...]:
    """(class or module, name, function of the old one that gives the new one)."""
    from llvmlite.ir import IRBuilder
    from numba.core import base
    from numba.core.callconv import CPUCallConv
    from numba.core.lowering import BaseLower, Lower

    return (
        (Lower, "_find_singly_assigned_variable", _wherever_they_are_used),
        (Lower, "storevar", _over_what_was_there),
        (base, "user_function", _trusted_where_it_cannot_fail),
        (IRBuilder, "extract_value", _as_it_was_put_in),
        (CPUCallConv, "_return_errcode_raw", _noted),
        (CPUCallConv, "set_static_user_exc", _noted_error),
        (CPUCallConv, "set_dynamic_user_exc", _noted_error),
        (BaseLower, "lower_normal_function", _told),
    )


def counts_references() -> bool:
    """Whether what is being compiled counts references to what it holds, which is then let go by a `del`."""
    from numba.core.targetconfig import ConfigStack

    flags: Any = ConfigStack.top_or_none()
    return flags is None or flags.nrt


def _is_plain(lower: Any) -> bool:
    """Whether variables of what is being written are numbers and addresses, and nobody debugs them."""
    return not (lower.context.enable_nrt or lower.func_ir.func_id.is_generator or lower._disable_sroa_like_opt)


def _wherever_they_are_used(find: Callable[..., Any]) -> Callable[..., Any]:
    """A variable that is assigned once is the value it is assigned, in every block behind that: numba itself gives all
    that are used in a second block a place in memory, for each use to be read from."""
    from numba.core import ir
    from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca

    def find_values(self: Any) -> None:
        if not _is_plain(self):
            find(self)
            return
        blocks = self.blocks
        assigned = Counter(one.target.name for block in blocks.values() for one in block.find_insts(ir.Assign))
        uses = compute_use_defs(blocks)
        owner = {name: where for where, names in uses.defmap.items() for name in names}
        values = {name for name in owner if assigned[name] == 1} - must_use_alloca(blocks)
        before = compute_cfg_from_blocks(blocks).dominators() if len(blocks) > 1 else {}
        for where, names in uses.usemap.items():  # those that came from another block; blocks are written in this order
            values -= {
                name for name in names & values if not (owner[name] < where and owner[name] in before.get(where, ()))
            }
        self._singly_assigned_vars, self._blk_local_varmap = values, {}

    return find_values


def _over_what_was_there(store: Callable[..., Any]) -> Callable[..., Any]:
    """A variable in memory is written without being read first."""

    def storevar(self: Any, value: Any, name: str, argidx: int | None = None) -> None:
        if name in self._singly_assigned_vars or not _is_plain(self):
            store(self, value, name, argidx)
            return
        self._alloca_var(name, self.typeof(name))
        self.builder.store(value, self.getvar(name))

    return storevar


_FAILS = "may_fail"
_sure: set[str] = set()
"""Functions of this process that return a result and nothing else, by their names in LLVM's assembly."""


def _noted(give_back: Callable[..., Any]) -> Callable[..., Any]:
    """Every way out of a function: one that is not a result makes it one that may fail."""
    from numba.core.callconv import RETCODE_NONE, RETCODE_OK

    def return_code(self: Any, builder: Any, code: Any) -> None:
        if code is not RETCODE_OK and code is not RETCODE_NONE:
            setattr(builder.function, _FAILS, True)
        give_back(self, builder, code)

    return return_code


def _noted_error(write: Callable[..., Any]) -> Callable[..., Any]:
    """An error that is written down, for a caller or for the function itself to catch: it needs a place."""

    def write_error(self: Any, builder: Any, *what: Any, **more: Any) -> Any:
        setattr(builder.function, _FAILS, True)
        return write(self, builder, *what, **more)

    return write_error


def _told(write: Callable[..., Any]) -> Callable[..., Any]:
    """A function, and for those that call it whether it may fail."""

    def lower(self: Any, described: Any) -> None:
        write(self, described)
        if not hasattr(self.function, _FAILS):
            _sure.add(described.llvm_func_name)

    return lower


def _trusted_where_it_cannot_fail(user_function: Callable[..., Any]) -> Callable[..., Any]:
    """A call of a kernel that returns in one way only is a call, and its result: nothing is asked afterwards, as is
    done for one that may fail, is of another process, or is being compiled itself."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.callconv import CPUCallConv

    def calling(described: Any, libraries: Any) -> Any:
        usual = user_function(described, libraries)

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            convention, result = context.call_conv, described.restype
            is_plain = type(convention) is CPUCallConv and not isinstance(result, types.Optional)
            if context.enable_nrt or not is_plain or described.llvm_func_name not in _sure:
                return usual(context, builder, signature, arguments)
            callee = context.declare_function(builder.module, described)
            place = cgutils.alloca_once(builder, convention.get_return_type(result).pointee)
            given = convention._get_arg_packer(described.argtypes).as_arguments(builder, arguments)
            nowhere = ir.Constant(callee.args[1].type, None)  # for an exception
            builder.call(callee, [place, nowhere, *given])
            return context.get_returned_value(builder, result, builder.load(place))

        call.signature, call.libs = usual.signature, usual.libs  # type: ignore[attr-defined]
        return call

    return calling


def _as_it_was_put_in(extract: Callable[..., Any]) -> Callable[..., Any]:
    """A member of a struct or array that was put together in the same function: arguments are, and tuples."""
    from llvmlite.ir.instructions import InsertValue

    def extract_value(self: Any, whole: Any, index: Any, name: str = "") -> Any:
        places = list(index) if isinstance(index, (list, tuple)) else [index]
        while places:
            last = whole
            while isinstance(last, InsertValue) and last.indices[0] != places[0]:
                last = last.aggregate
            if not isinstance(last, InsertValue) or len(last.indices) > 1:
                return extract(self, whole, places, name)
            whole, places = last.value, places[1:]
        return whole

    return extract_value
