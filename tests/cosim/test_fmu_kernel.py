"""What the export relies on inside numba and LLVM, so that an upgrade that changes it is noticed here."""

from __future__ import annotations

import re
import subprocess

import llvmlite.binding as llvm
import pytest

from fairlead.cosim.fmu import kernel, link
from fairlead.cosim.fmu.kernel import MATH_SYMBOLS, MEMORY_SYMBOLS, RUNTIME_SYMBOLS, TARGETS
from fairlead.formulations.bars.run import run_rigged as entry  # that of `systems.LINE`, whose FMUs need it, too
from fairlead.formulations.tether.run import run as small_entry


def undefined_symbols(code: bytes) -> set[str]:
    """Names an ELF object (64 bit, little-endian) needs from outside."""

    def number(at: int, size: int) -> int:
        return int.from_bytes(code[at : at + size], "little")

    assert code[:6] == b"\x7fELF\x02\x01"
    first, size, count = number(0x28, 8), number(0x3A, 2), number(0x3C, 2)
    sections = [first + size * k for k in range(count)]
    table = next(s for s in sections if number(s + 4, 4) == 2)
    names = number(sections[number(table + 0x28, 4)] + 0x18, 8)
    found = set()
    for at in range(number(table + 0x18, 8), number(table + 0x18, 8) + number(table + 0x20, 8), 24):
        start = names + number(at, 4)
        name = code[start : code.index(b"\0", start)].decode()
        if name and number(at + 6, 2) == 0:
            found.add(name)
    return found


def test_the_kernel_needs_nothing_of_python():
    assert kernel.outside_symbols(entry) <= RUNTIME_SYMBOLS | MATH_SYMBOLS | MEMORY_SYMBOLS


def test_numba_calls_with_a_place_for_the_result_and_one_for_an_exception_first():
    name, text = kernel.assembly(entry)
    signature = str(llvm.parse_assembly(text).get_function(name).global_value_type)
    in_llvm = {"float64": "double", "int64": "i64", "float64*": "ptr", "int64*": "ptr"}
    arguments = ["ptr", "ptr", *(in_llvm[str(kind)] for kind in kernel.ARGUMENTS)]
    assert signature == f"i32 ({', '.join(arguments)})"


def test_objects_for_windows_are_of_its_own_kind():
    for code in kernel.objects("x86_64-windows", small_entry):
        assert int.from_bytes(code[:2], "little") == 0x8664  # COFF, for x86-64


@pytest.mark.parametrize(("target", "machine"), [("x86_64-linux", 62), ("aarch64-linux", 183)])
def test_objects_for_every_target_need_only_what_the_c_library_serves(target, machine):
    objects = kernel.objects(target, entry)
    assert len(objects) == len(TARGETS[target].variants)
    for code in objects:
        assert int.from_bytes(code[18:20], "little") == machine
        assert undefined_symbols(code) <= RUNTIME_SYMBOLS | MATH_SYMBOLS | MEMORY_SYMBOLS


@pytest.mark.parametrize("version", ["2", "3"])
def test_the_c_faces_agree_with_the_headers_of_the_standard(version, tmp_path):
    import fmpy

    headers = f"{fmpy.__path__[0]}/c-code"
    text = (link.NATIVE / f"fmi{version}.c").read_text().replace(f'"fmi{version}.h"', f'"fmi{version}Functions.h"')
    (tmp_path / "face.c").write_text(text)
    command = [*link._compiler(link.host()), "-std=gnu11", "-c", "-I", headers, "-I", str(link.NATIVE)]
    files = [str(tmp_path / "face.c"), "-o", str(tmp_path / "face.o")]
    outcome = subprocess.run([*command, *files], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    with open(f"{headers}/fmi{version}Functions.h") as file:
        wanted = set(re.findall(rf"(fmi{version}\w+)TYPE\s+\1;", file.read()))
    assert len(wanted) == {"2": 44, "3": 75}[version]
    unmade = {name for name in wanted if not re.search(rf"\b{name}\b", text)}
    parts = {"Get", "Set"}
    types = set(re.findall(r"^ABSENT_TYPE\((\w+)", text, re.M))
    assert unmade <= {f"fmi{version}{part}{kind}" for part in parts for kind in types}


def test_object_code_is_made_once_for_all_processes(monkeypatch):
    kernel.objects(link.host(), entry)
    kernel.objects.cache_clear()  # as another process has it
    monkeypatch.setattr(kernel, "_emit", lambda *_: pytest.fail("made a second time"))
    assert all(code.startswith(b"\x7fELF") for code in kernel.objects(link.host(), entry))


def test_without_a_place_to_keep_it_object_code_is_made_each_time(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(kernel, "cache_folder", lambda part: tmp_path / "file")
    monkeypatch.setattr(kernel, "_emit", lambda *_: b"code")
    kernel.objects.cache_clear()
    try:
        assert set(kernel.objects(link.host(), entry)) == {b"code"}
    finally:
        kernel.objects.cache_clear()
