"""From what numba has compiled to a library that needs no numba (`native`): LLVM assembly → object code → linker.

numba's function takes the parts of every array one by one and leaves its result behind a pointer. Two functions of our
own stand in front of it. One takes all arguments from memory, as `native` packs them; the other takes numbers, and
arrays as numba holds them, so that compiled code may call it as a function of numba's:

    int64 fairlead_entry(int64 *arguments)
    result fairlead_inner_entry(…)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import config

from .compiled import Entry, cache_folder, part_of, versioned
from .native import ARGUMENTS, FAILED, FUNCTION, INNER_FUNCTION, Library, level, library_name, this_processor
from .shortcuts import module_of

HERE = "here"
"""The level of this very processor, as numba compiles for it."""
TRIPLES = {
    "x86-64": "x86_64-unknown-linux-gnu",
    "x86-64-v3": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
}
TARGETS = {name: triple.partition("-")[0] + "-linux" for name, triple in TRIPLES.items()}
"""What zig calls them."""
OLDEST_GLIBC = "2.17"
ZIG = (sys.executable, "-m", "ziglang", "cc")
PROCESSORS = {"aarch64": "generic"}
"""What LLVM calls the levels, where it calls them otherwise."""
LIBRARY = frozenset(
    {
        "sin", "cos", "sincos", "tan", "atan", "atan2", "acos", "asin", "exp", "log", "pow", "sqrt", "cbrt", "fmod",
        "sinh", "cosh", "tanh", "expm1", "log1p", "floor", "ceil", "memcpy", "memmove", "memset",
    }
)  # fmt: skip
"""Functions of the C library that machine code may ask for."""
_KINDS = {types.float64: "float", types.int64: "int", types.boolean: "bool", types.none: "none"}


def makes_libraries(entry: Entry) -> bool:
    """Whether an entry is one of the project's own and there is what libraries are made by."""
    return entry.py_func.__module__.startswith("fairlead.") and level() in TRIPLES and bool(linker())


def fits(kinds: tuple[Any, ...]) -> bool:
    """Whether a library takes arguments of these types."""
    try:
        return bool([_word(kind) for kind in kinds])
    except Unfit:
        return False


def library_from(entry: Entry, compiled: Any) -> Library | None:
    """The library of an entry that was just compiled, left in its cache folder, or for this process alone where that
    cannot be written to; None where an unknown linker fails, or what was compiled calls what only numba has.

    Where a wheel is made, libraries go to its own folder as well, and nothing may fail (`packaging/machine_code.py`).
    """
    if not fits((compiled.signature.return_type,)):
        return None
    if wheel := os.environ.get("FAIRLEAD_MACHINE_CODE"):
        _write_for_wheel(entry, compiled, Path(wheel), os.environ["FAIRLEAD_LEVELS"].split())
    try:
        code = emit(compiled, HERE)
        try:
            folder = cache_folder(part_of(entry.py_func.__module__))
            folder.mkdir(parents=True, exist_ok=True)
            return _linked(entry, code, folder)
        except OSError:
            with tempfile.TemporaryDirectory() as passing:
                return _linked(entry, code, Path(passing))
    except Exception:  # whatever an unknown LLVM or linker does, numba has what was compiled
        return None


def _linked(entry: Entry, code: bytes, folder: Path) -> Library:
    path = folder / library_name(entry, this_processor())
    link(code, path)
    return Library(path, entry)


def _write_for_wheel(entry: Entry, compiled: Any, folder: Path, levels: list[str]) -> None:
    place = folder / versioned(part_of(entry.py_func.__module__))
    place.mkdir(parents=True, exist_ok=True)
    for of in levels:
        by = (*ZIG, "-target", f"{TARGETS[of]}-gnu.{OLDEST_GLIBC}")
        link(emit(compiled, of), place / library_name(entry, of), by)


class Unfit(ValueError):
    """What cannot become a library: arguments that are no numbers or arrays, or calls of what only numba has."""


def words_of(signature: Any) -> str:
    """Kinds of the arguments and of the result: `float int float:1 … int`."""
    return " ".join(map(_word, (*signature.args, signature.return_type)))


def _word(kind: Any) -> str:
    kind = types.unliteral(kind)  # `return 0` gives an integer like any other
    if isinstance(kind, types.Array) and kind.layout == "C" and kind.dtype in _KINDS and kind.mutable:
        return f"{_KINDS[kind.dtype]}:{kind.ndim}"
    if kind not in _KINDS:
        raise Unfit(f"{kind} is neither a number nor an array of them")
    return _KINDS[kind]


def emit(compiled: Any, of: str) -> bytes:
    """Object code (ELF) of a compiled entry for a level of processors."""
    _initialise()
    words = words_of(compiled.signature)
    triple = TRIPLES[level() if of == HERE else of]
    processor, features = PROCESSORS.get(of, of), ""
    if of == HERE:
        processor, features = _target()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=processor, features=features, opt=3, reloc="pic", codemodel="small"
    )
    module = llvm.parse_bitcode(module_of(compiled.library).as_bitcode())
    module.link_in(llvm.parse_assembly(_front(compiled.fndesc.llvm_func_name, words)))
    for value in (*module.global_variables, *module.functions):
        if not value.is_declaration and value.name not in (FUNCTION, INNER_FUNCTION, ARGUMENTS):
            value.linkage = "internal"
    module.triple = triple
    module.data_layout = str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
    asked = {f.name for f in (*module.functions, *module.global_variables) if f.is_declaration}
    foreign = sorted(name for name in asked - LIBRARY if not name.startswith("llvm."))
    if foreign:
        raise Unfit(f"it calls {', '.join(foreign)}")
    return machine.emit_object(module)  # type: ignore[no-any-return]


def _target() -> tuple[str, str]:
    """Name and features of the processor that numba compiles for: this one, or another that the environment names
    (`NUMBA_CPU_NAME`, `NUMBA_CPU_FEATURES`)."""
    settings: Any = config  # its published types leave them out
    name, features = settings.CPU_NAME, settings.CPU_FEATURES
    return (
        llvm.get_host_cpu_name() if name is None else name,
        llvm.get_host_cpu_features().flatten() if features is None else features,
    )


def _front(name: str, words: str) -> str:
    """LLVM assembly of what calls numba's function `name`, and of the text of its arguments."""
    lines, given = [], ["ptr %result", "ptr %exception"]
    slot = 0

    def load(kind: str) -> str:
        nonlocal slot
        value = f"%a{slot}"
        lines.append(f"  %p{slot} = getelementptr i64, ptr %arguments, i64 {slot}")
        lines.append(f"  {value} = load {kind}, ptr %p{slot}, align 8")
        slot += 1
        return value

    *arguments, result = words.split()
    for word in arguments:
        kind, _, rank = word.partition(":")
        if not rank:
            given.append(f"double {load('double')}" if kind == "float" else f"{'i8' if kind == 'bool' else 'i64'} "
                         f"{load('i8' if kind == 'bool' else 'i64')}")  # fmt: skip
            continue
        size = 1 if kind == "bool" else 8
        data, shape = load("ptr"), [load("i64") for _ in range(int(rank))]
        strides, count = [str(size)], shape[-1]
        for k in range(int(rank) - 2, -1, -1):
            lines.append(f"  %stride{slot}.{k} = mul i64 {strides[0]}, {shape[k + 1]}")
            strides.insert(0, f"%stride{slot}.{k}")
            lines.append(f"  %count{slot}.{k} = mul i64 {count}, {shape[k]}")
            count = f"%count{slot}.{k}"
        given += ["ptr null", "ptr null", f"i64 {count}", f"i64 {size}", f"ptr {data}"]
        given += [f"i64 {length}" for length in shape] + [f"i64 {stride}" for stride in strides]
    text = words.encode() + b"\0"
    escaped = "".join(f"\\{byte:02x}" for byte in text)
    symbol = '"' + "".join(c if c.isalnum() or c in "._" else f"\\{ord(c):02x}" for c in name) + '"'
    finish = {
        "int": "%found = load i64, ptr %result", "float": "%found = load i64, ptr %result",
        "bool": "%small = load i8, ptr %result\n  %found = zext i8 %small to i64", "none": "%found = add i64 0, 0",
    }[result]  # fmt: skip
    return "\n".join([
        f"declare i32 @{symbol}({', '.join(one.split()[0] for one in given)})",
        f'@{ARGUMENTS} = constant [{len(text)} x i8] c"{escaped}"',
        f"define i64 @{FUNCTION}(ptr %arguments) {{", "  %result = alloca i64", "  %exception = alloca ptr",
        "  store i64 0, ptr %result", *lines, f"  %status = call i32 @{symbol}({', '.join(given)})",
        "  %failed = icmp sgt i32 %status, 0", f"  {finish}",
        f"  %answer = select i1 %failed, i64 {FAILED}, i64 %found", "  ret i64 %answer", "}", "",
        *_inner_front(symbol, arguments, result),
    ])  # fmt: skip


_VALUES = {"float": "double", "int": "i64", "bool": "i1"}
"""What numba holds a number in."""


def _inner_front(symbol: str, arguments: list[str], result: str) -> list[str]:
    """Assembly of `fairlead_inner_entry`; what it returns where numba's code would raise an exception says nothing."""
    taken, lines, given = [], [], ["ptr %result", "ptr %exception"]
    for k, word in enumerate(arguments):
        kind, _, rank = word.partition(":")
        if rank:
            parts = ["ptr", "ptr", "i64", "i64", "ptr", *(f"[{rank} x i64]",) * 2]
            whole = f"{{{', '.join(parts)}}}"
            places = [(part, f"{i}") for i, part in enumerate(parts[:5])]
            places += [("i64", f"{i}, {axis}") for i in (5, 6) for axis in range(int(rank))]
        else:
            whole, places = _VALUES[kind], []
        taken.append(f"{whole} %a{k}")
        for i, (part, place) in enumerate(places):
            lines.append(f"  %a{k}.{i} = extractvalue {whole} %a{k}, {place}")
            given.append(f"{part} %a{k}.{i}")
        if kind == "bool" and not rank:
            lines.append(f"  %a{k}.0 = zext i1 %a{k} to i8")
            given.append(f"i8 %a{k}.0")
        elif not rank:
            given.append(taken[-1])
    back = _VALUES.get(result, "i64")
    finish = ["%small = load i8, ptr %result", "%found = trunc i8 %small to i1"]
    return [
        f"define {back} @{INNER_FUNCTION}({', '.join(taken)}) {{",
        "  %result = alloca i64", "  %exception = alloca ptr", "  store i64 0, ptr %result",
        *lines, f"  %status = call i32 @{symbol}({', '.join(given)})",
        *(f"  {line}" for line in (finish if result == "bool" else [f"%found = load {back}, ptr %result"])),
        f"  ret {back} %found", "}", "",
    ]  # fmt: skip


@cache
def linker() -> tuple[str, ...]:
    """Command that links for this machine: its C compiler, or the one in the wheel `ziglang`; none: empty."""
    if cc := shutil.which("cc"):
        return (cc,)
    return ZIG if find_spec("ziglang") is not None else ()


def link(code: bytes, to: Path, by: tuple[str, ...] = ()) -> None:
    """A shared library of object code, written aside and put in its place at once."""
    with tempfile.TemporaryDirectory(dir=to.parent) as place:
        source, made = Path(place) / "entry.o", Path(place) / "entry.so"
        source.write_bytes(code)
        command = [*(by or linker()), "-shared", "-nostartfiles", "-s", str(source), "-lm", "-o", str(made)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        os.chmod(made, 0o755)
        made.replace(to)


@cache
def _initialise() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
