"""What numba does between bytecode and LLVM's assembly, done once, later or not at all; the outcome is the same but for
those that decide what is known and take no index from the end. One part of the `shortcuts`, which say when."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numba

from .asked import as_one_it_knows, note, noting
from .back_end import counts_references


def replacements() -> tuple[tuple[Any, str, Callable[..., Any]], ...]:
    """(class or module, name, function of the old one that gives the new one)."""
    from numba.core import base, byteflow, errors, event, inline_closurecall, interpreter, ir, lowering, ssa, typeinfer
    from numba.core.compiler_machinery import PassManager
    from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
    from numba.core.postproc import PostProcessor
    from numba.core.types.functions import BaseFunction, Dispatcher
    from numba.core.typing.context import BaseContext
    from numba.core.untyped_passes import DeadBranchPrune, InlineClosureLikes
    from numba.np import arrayobj
    from numba.np.ufunc.array_exprs import RewriteArrayExprs

    return (
        (byteflow, "_logger", _silent),
        (ssa, "_logger", _silent),
        (byteflow.Flow, "_run_handle_exception", _where_errors_are_caught),
        (interpreter, "peep_hole_delete_with_exit", _where_there_is_a_with),
        (ir.Inst, "_rec_list_vars", _in_one_list),
        (PostProcessor, "run", _with_lives_when_asked),
        (PassManager, "_runPass", _without_a_word),
        (ssa, "_run_ssa", _where_they_stand),
        (RewriteArrayExprs, "match", _where_arrays_are_made),
        (inline_closurecall.RewriteArrayOfConsts, "match", _where_arrays_are_made),
        (InlineClosureLikes, "run_pass", _where_there_are_closures),
        (DeadBranchPrune, "run_pass", _with_what_is_known),
        (event, "install_timer", _untimed),
        (event, "trigger_event", _unheard),
        (event, "start_event", _untold),
        (event, "end_event", _untold),
        (getattr(errors, "WarningsFixer"), "catch_warnings", _given_at_once),  # noqa: B009  its types leave it out
        (typeinfer, "new_error_context", _told_when_it_fails),
        (lowering, "new_error_context", _told_when_it_fails),
        (BaseContext, "resolve_value_type", _known_for_good),
        (BaseContext, "refresh", _where_there_is_news),
        (base.BaseContext, "refresh", _where_there_is_news),
        (BaseFunction, "get_call_type", _remembered),
        (Dispatcher, "get_call_type", lambda resolve: _for_all_constants(as_one_it_knows(resolve))),
        (_FunctionCompiler, "_compile_core", noting),
        (base, "_has_loc", _asked_once),
        (base.BaseContext, "get_abi_sizeof", _measured_once),
        (arrayobj, "fix_integer_index", _from_the_start),
    )


class _Silent:
    """A logger that nobody listens to."""

    def debug(self, *_: Any) -> None:
        """Say nothing: the way through a kernel is told instruction by instruction."""


def _silent(logger: logging.Logger) -> Any:
    return logger if logger.isEnabledFor(logging.DEBUG) else _Silent()


def _where_errors_are_caught(handle: Callable[..., Any]) -> Callable[..., Any]:
    """Whether an instruction stands where an error would be caught, asked of kernels in which there is such a place."""

    def step(self: Any, runner: Any, state: Any) -> Any:
        return handle(self, runner, state) if self._bytecode.exception_entries else state.advance_pc()

    return step


def _where_there_is_a_with(leave_out: Callable[..., Any]) -> Callable[..., Any]:
    """The pass that leaves out how a `with` ends, for a kernel that may have one."""
    return lambda found: leave_out(found) if found.func_id.code.co_exceptiontable else found


def _in_one_list(_: Callable[..., Any]) -> Callable[..., Any]:
    """The variables of an instruction, each kind of what it holds asked once what it is: numba asks at every use."""
    from numba.core import ir

    ways: dict[Any, str] = {
        ir.Var: "variable", ir.Expr: "expression", ir.Inst: "instruction", (list, tuple): "values", dict: "named"
    }  # fmt: skip
    known: dict[type, str] = {}

    def way_of(kind: type) -> str:
        known[kind] = next((way for kinds, way in ways.items() if issubclass(kind, kinds)), "")
        return known[kind]

    def collect(values: Any, found: list[Any]) -> list[Any]:
        for value in values:
            kind = type(value)
            way = known[kind] if kind in known else way_of(kind)
            if way == "":
                continue
            if way == "variable":
                found.append(value)
            elif way == "expression":
                collect(value._kws.values(), found)
            elif way == "values":
                collect(value, found)
            elif way == "named":
                collect(value.values(), found)
            else:
                found += value.list_vars()
        return found

    return lambda self, value: collect((value,), [])


def _with_lives_when_asked(run: Callable[..., Any]) -> Callable[..., Any]:
    """What follows each pass over a kernel: which variables live at the beginning of a block is for generators (and for
    Python's objects, which no kernel has)."""
    from numba.core.postproc import VariableLifetime
    from numba.core.transforms import canonicalize_cfg

    def run_pass(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        found = self.func_ir
        if found.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        found.blocks = canonicalize_cfg(found.blocks)
        found.variable_lifetime = VariableLifetime(found.blocks)  # finds what it is asked for, when it is asked
        found.generator_info = None
        if emit_dels and counts_references():
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    return run_pass


def _without_a_word(run: Callable[..., Any]) -> Callable[..., Any]:
    """One pass over a kernel, neither timed nor told to anybody, and after it what numba does where it has changed
    something: numba does it after all, and looks each time for what no pass of its own leaves behind."""
    from numba.core.compiler_machinery import _pass_registry
    from numba.core.postproc import PostProcessor

    context = _told_when_it_fails(run)

    def run_pass(self: Any, index: int, one: Any, state: Any) -> None:
        if self._print_before or self._print_after or self._print_wrap:
            run(self, index, one, state)
            return
        one.analysis = self._analysis
        with context("Pass {name}", name=one.name()):
            changed = [step(state) for step in (one.run_initialization, one.run_pass, one.run_finalizer)]
        if any(changed) and _pass_registry.get(type(one)).mutates_CFG:
            PostProcessor(state.func_ir).run()

    return run_pass


def _where_they_stand(_: Callable[..., Any]) -> Callable[..., Any]:
    """Variables that are assigned more than once made several, in the blocks they stand in: numba goes through all."""
    from numba.core import ir, ssa
    from numba.core.analysis import compute_cfg_from_blocks

    def run(blocks: dict[int, Any]) -> dict[int, Any]:
        if not blocks:
            return {}
        graph = compute_cfg_from_blocks(blocks)
        fronts = ssa._iterated_domfronts(graph)
        kept = ssa._CacheListVars()
        several = ssa._find_defs_violators(blocks, graph)
        names = {
            where: {one.name for line in block.body for one in line.list_vars()} for where, block in blocks.items()
        }
        for name in several:
            inside = {where: block for where, block in blocks.items() if name in names[where]}
            inside, assigned = ssa._fresh_vars(inside, name)
            joined: Any = defaultdict(list)
            states = ssa._make_states(inside) | {
                "varname": name, "defmap": assigned, "phimap": joined, "cfg": graph,
                "phi_locations": ssa._compute_phi_locations(fronts, assigned),
            }  # fmt: skip
            blocks = blocks | ssa._run_block_rewrite(inside, states, ssa._FixSSAVars(kept))
            for where, lines in joined.items():
                before, block = blocks[where], ir.Block(scope=blocks[where].scope, loc=blocks[where].loc)
                block.body = lines + before.body
                blocks[where] = block
        return blocks

    return run


def _where_arrays_are_made(match: Callable[..., Any]) -> Callable[..., Any]:
    """A search for expressions that make an array, which no kernel does that counts no references."""
    return lambda self, *found: counts_references() and match(self, *found)


def _where_there_are_closures(run: Callable[..., Any]) -> Callable[..., Any]:
    """The pass that makes functions inside a kernel part of it, for a kernel that has any."""

    def run_pass(self: Any, state: Any) -> bool:
        expressions = (found for block in state.func_ir.blocks.values() for found in block.find_exprs("make_function"))
        return run(self, state) if next(expressions, None) is not None else False

    return run_pass


def _with_what_is_known(prune: Callable[..., Any]) -> Callable[..., Any]:
    """The pass that leaves out what is never done, told what is known of the systems a kernel is called with."""
    from numba.core import ir

    def run_pass(self: Any, state: Any) -> bool:
        systems = {i for i, kind in enumerate(state.args) if getattr(kind, "known", None)}
        found, definitions = state.func_ir, state.func_ir._definitions
        assigned = (a for block in found.blocks.values() for a in block.find_insts(ir.Assign)) if systems else ()
        for assign in assigned:
            asked = assign.value
            if not (isinstance(asked, ir.Expr) and asked.op == "getattr"):
                continue
            owner = found.get_definition(asked.value) if len(definitions[asked.value.name]) == 1 else None
            if isinstance(owner, ir.Arg) and owner.index in systems and asked.attr in state.args[owner.index].known:
                note(asked.attr)
                assign.value = ir.Const(state.args[owner.index].known[asked.attr], assign.loc)
                own = definitions[assign.target.name]
                own[own.index(asked)] = assign.value
        return bool(prune(self, state))

    return run_pass


def _untimed(_: Callable[..., Any]) -> Callable[..., Any]:
    """No clock for each of the kernels that wait for one another: every call of LLVM would be told to all of them."""
    return lambda kind, callback: nullcontext()


def _is_heard() -> bool:
    """Whether anybody listens to what numba says it is doing."""
    from numba.core import event

    return any(event._registered.values())


def _untold(tell: Callable[..., Any]) -> Callable[..., Any]:
    """The beginning or the end of something, for who listens."""
    return lambda *about, **more: tell(*about, **more) if _is_heard() else None


def _unheard(tell: Callable[..., Any]) -> Callable[..., Any]:
    """The same of both."""
    nobody = nullcontext()
    return lambda *about, **more: tell(*about, **more) if _is_heard() else nobody


def _given_at_once(_: Callable[..., Any]) -> Callable[..., Any]:
    """A warning, when it comes up: numba gathers those of every instruction."""
    nothing = nullcontext()
    return lambda self, *place, **more: nothing


def _told_when_it_fails(_: Callable[..., Any]) -> Callable[..., Any]:
    """Where in a kernel an error came up, as numba tells it, without a generator for each of its instructions."""
    from numba.core import errors as published

    errors: Any = published  # its types leave out what is used here

    class Context:
        __slots__ = ("about", "values", "words")

        def __init__(self, words: str, *values: Any, **about: Any) -> None:
            self.words, self.values, self.about = words, values, about
            place = about.get("loc")
            if place is not None and not place.filename.startswith(errors._numba_path):
                errors.loc_info.update(about)

        def __enter__(self) -> None: ...

        def __exit__(self, kind: Any, error: Any, _: Any) -> None:
            if isinstance(error, errors.NumbaError):
                error.add_context(errors._format_msg(self.words, self.values, self.about))

    return Context


def _known_for_good(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """Type of a function or kernel that others name, looked for once."""
    known: dict[tuple[Any, int], tuple[Any, Any]] = {}

    def resolve_value_type(self: Any, value: Any) -> Any:
        if not callable(value):
            return resolve(self, value)
        key = (self, id(value))
        if key not in known:
            known[key] = (value, resolve(self, value))  # which keeps it, and with it its number
        return known[key][1]

    return resolve_value_type


def _where_there_is_news(refresh: Callable[..., Any]) -> Callable[..., Any]:
    """What was declared since numba last looked, looked for where there is anything."""

    def sizes(context: Any) -> list[int]:
        registries = context._registries.items()
        return [len(getattr(registry, name)) for registry, loader in registries for name in loader.registry_items]

    def refresh_context(self: Any) -> None:
        if getattr(self, "_sizes_seen", None) != sizes(self):
            refresh(self)
            self._sizes_seen = sizes(self)
        elif hasattr(self, "typing_context"):
            self.typing_context.refresh()

    return refresh_context


_LOOKED_UP_ONCE = frozenset({"_operator", "builtins", "math"})


def _remembered(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """Signature of an operator, or of a function that comes with Python, for types it was already used with."""
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or getattr(self.typing_key, "__module__", "") not in _LOOKED_UP_ONCE:
            return resolve(self, context, args, kws)
        key = (self, context, args)
        if key not in known:
            known[key] = resolve(self, context, args, kws)
        return known[key]

    return get_call_type


def _for_all_constants(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel's signature with the types of its arguments, whatever their values."""

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        return resolve(self, context, tuple(map(numba.types.unliteral, args)), kws)

    return get_call_type


def _asked_once(ask: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What is asked of a function, once for each."""
    known: dict[Any, Any] = {}

    def answer(function: Any) -> Any:
        if function not in known:
            known[function] = ask(function)
        return known[function]

    return answer


def _measured_once(measure: Callable[..., int]) -> Callable[..., int]:
    """Bytes that a type takes: LLVM is given a module to read for the answer."""
    known: dict[tuple[Any, str], int] = {}

    def size(self: Any, kind: Any) -> int:
        key = (self.target_data, str(kind))
        if key not in known:
            known[key] = measure(self, kind)
        return known[key]

    return size


def _from_the_start(_: Callable[..., Any]) -> Callable[..., Any]:
    """An index as it is, whatever its sign."""

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, numba.types.intp if kind.signed else numba.types.uintp)

    return fix_integer_index
