"""Machine code in libraries: the same numbers as numba's for the same arguments, nothing loaded that others wrote."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numba
import numpy as np
import pytest

from fairlead.algebra import native
from fairlead.algebra.compiled import OPTIONS, entry, kernel
from fairlead.algebra.emission import HERE, TRIPLES, Unfit, emit, link, words_of
from fairlead.algebra.native import Library


@kernel
def weighted(a, i, j):
    return a[i, j] * (10.0 * i + j)


@entry
def mixed(x, n, yes, numbers, whole, table, marks):
    """Uses every kind of argument."""
    for k in range(numbers.shape[0]):
        numbers[k] = x * numbers[k] + whole[k]
        marks[k] = numbers[k] > 0.0
    found = 1.0 if yes else 0.0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            found += weighted(table, i, j)
    return n * found


@entry
def count(numbers):
    return numbers.shape[0]


@entry
def any_negative(numbers):
    found = False
    for x in numbers:
        found = found or x < 0.0
    return found


@entry
def double(numbers):
    for k in range(numbers.shape[0]):
        numbers[k] *= 2.0


@entry
def halve(numbers):
    """Gives the same number whatever it does, as the entries of packs do."""
    for k in range(numbers.shape[0]):
        numbers[k] *= 0.5
    return 0


LINE = """
types: {rope: {diameter: 0.02, mass_per_length: 0.4, axial_stiffness: 1 MN}}
points:
  a: {kind: fixed, position: [0, 0, -2]}
  b: {kind: fixed, position: [8, 0, -2]}
cables: {line: {type: rope, length: 9, elements: 4, start: a, end: b}}
simulation: {formulation: tether, start: catenary, duration: 1, step: 0.01}
"""


def library(function: object, path: Path, *arguments: object) -> Library:
    """The library of an entry that was compiled for such arguments."""
    link(emit(compiled(function, *arguments), HERE), path)
    return Library(path, function)


def compiled(function: object, *arguments: object) -> object:
    """What numba makes of an entry, afresh."""
    dispatcher = numba.njit(**OPTIONS)(function.py_func)
    dispatcher(*arguments)
    return dispatcher.overloads[dispatcher.signatures[0]]


def arguments() -> tuple[object, ...]:
    numbers, table = np.linspace(-1.0, 2.0, 5), np.arange(6.0).reshape(2, 3)
    return 1.5, 3, True, numbers, np.arange(5) - 2, table, np.zeros(5, dtype=bool)


def test_every_kind_of_argument_arrives_as_it_was_given(tmp_path) -> None:
    called = library(mixed, tmp_path / "mixed.so", *arguments())
    for yes in (True, False):
        ours, numbas = arguments(), arguments()
        found, expected = called(*ours[:2], yes, *ours[3:]), mixed.dispatcher(*numbas[:2], yes, *numbas[3:])
        assert found == expected == 3 * (yes + 0 * 0 + 1 * 1 + 2 * 2 + 3 * 10 + 4 * 11 + 5 * 12)
        for ours_now, numbas_now in zip(ours[3:], numbas[3:], strict=True):
            assert np.array_equal(ours_now, numbas_now)
        assert ours[6].tolist() == [False, False, True, True, True]


def test_results_of_every_kind(tmp_path) -> None:
    numbers = np.array([1.0, -2.0])
    assert library(count, tmp_path / "a.so", numbers)(numbers) == 2
    asked = library(any_negative, tmp_path / "b.so", numbers)
    assert asked(numbers) is True
    assert asked(np.abs(numbers)) is False
    assert library(double, tmp_path / "c.so", numbers.copy())(numbers) is None
    assert numbers.tolist() == [2.0, -4.0]
    assert library(halve, tmp_path / "d.so", numbers.copy())(numbers) == 0
    assert numbers.tolist() == [1.0, -2.0]


class Address:
    """A function by its address, as compiled code takes it for an argument."""

    def __init__(self, library: Library, signature: object) -> None:
        self.library, self._numba_type_ = library, numba.types.FunctionType(signature)

    def __wrapper_address__(self) -> int:
        return self.library.address


@pytest.mark.parametrize("function", [mixed, count, any_negative])
def test_compiled_code_calls_what_python_calls(function, tmp_path) -> None:
    given = arguments() if function is mixed else (np.array([1.0, -2.0, 3.0]),)
    made = library(function, tmp_path / "entry.so", *given)
    signature = numba.types.unliteral(compiled(function, *given).signature)

    @numba.njit
    def caller(run, given):
        return run(*given)

    given = arguments() if function is mixed else given
    again = arguments() if function is mixed else given
    assert caller(Address(made, signature), given) == made(*again)
    for one, other in zip(given, again, strict=True):
        assert np.array_equal(one, other)


def test_other_arguments_are_left_to_numba(tmp_path) -> None:
    called = library(count, tmp_path / "count.so", np.zeros(2))
    before = len(count.dispatcher.overloads)
    assert called(np.zeros(4)) == 4
    assert len(count.dispatcher.overloads) == before
    assert called(np.zeros(8)[::2]) == 4  # not one after the other in memory
    assert called(np.zeros(3, dtype=np.int64)) == 3
    frozen = np.zeros(5)
    frozen.flags.writeable = False
    assert called(frozen) == 5
    assert len(count.dispatcher.overloads) == before + 3


def test_an_address_is_not_kept_longer_than_its_array(tmp_path) -> None:
    called = library(count, tmp_path / "count.so", np.zeros(2))
    kept = np.zeros(3)
    for size in (10, 20, 30):
        assert called(np.zeros(size)) == size
        assert called(kept) == 3
    assert len(called._known) == 1
    del kept
    assert not called._known


def test_threads_do_not_share_a_result(tmp_path) -> None:
    called = library(count, tmp_path / "count.so", np.zeros(2))
    wrong: list[int] = []

    def ask(size: int) -> None:
        numbers = np.zeros(size)
        wrong.extend(size for _ in range(2000) if called(numbers) != size)

    threads = [threading.Thread(target=ask, args=(size,)) for size in (1, 7, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_is_no_number_has_no_library() -> None:
    @entry
    def first(pair):
        return pair[0]

    with pytest.raises(Unfit, match="neither a number nor an array"):
        words_of(compiled(first, (1.0, 2.0)).signature)


@pytest.mark.parametrize("level", sorted(TRIPLES))
def test_one_machine_makes_code_for_all(level) -> None:
    code = emit(compiled(count, np.zeros(2)), level)
    assert code[:4] == b"\x7fELF"
    assert int.from_bytes(code[18:20], "little") == (183 if level == "aarch64" else 62)  # e_machine


def test_only_the_users_own_files_are_loaded(tmp_path) -> None:
    path = tmp_path / "library.so"
    path.write_bytes(b"")
    path.chmod(0o755)
    assert native._trusted(path)
    path.chmod(0o775)
    assert not native._trusted(path)
    assert not native._trusted(path)
    if os.geteuid() == 0:
        path.chmod(0o755)
        os.chown(path, 12345, 12345)
        assert not native._trusted(path)


WITHOUT_COMPILER = ("bars", "lumped", "tether", "links", "spline", "chain")
LATER = """
import sys
import fairlead
for formulation in sys.argv[2:]:
    sim = fairlead.Simulation(fairlead.load(sys.argv[1]), formulation=formulation)
    for _ in range(3):
        sim.step(0.1)
    print(formulation, *sorted({name.partition(".")[0] for name in sys.modules} & {"numba", "llvmlite", "scipy"}))
"""


def test_a_later_process_needs_no_compiler(tmp_path) -> None:
    """Of no formulation: one that calls what only numba has (a reshape would do) costs every later run a second. Runs
    of bars and lumped begin at rest without scipy, which costs a third of a second more."""
    path = tmp_path / "line.yaml"
    path.write_text(LINE)
    usual = {name: value for name, value in os.environ.items() if name not in native.DEBUGGING}
    command = [sys.executable, "-c", LATER, str(path), *WITHOUT_COMPILER]
    for _ in range(2):
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=usual)
    loaded = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert loaded["bars"] == loaded["lumped"] == []
    assert tuple(loaded) == WITHOUT_COMPILER
    assert all(set(names) <= {"scipy"} for names in loaded.values())


def test_a_damaged_library_is_no_harm(tmp_path, monkeypatch) -> None:
    """Neither one that is cut short nor one of another machine: numba compiles instead."""
    from fairlead.algebra.native import library_name, this_processor

    monkeypatch.setattr(native, "cache_folder", lambda part: tmp_path)
    path = tmp_path / library_name(count, this_processor())
    for content in (b"", b"\x7fELF", b"not a library"):
        path.write_bytes(content)
        path.chmod(0o755)
        assert native.find(count) is None


FUSED = """
import sys
from pathlib import Path
import numba
import numpy as np
from fairlead.algebra.compiled import OPTIONS, entry
from fairlead.algebra.emission import HERE, emit, link
from fairlead.algebra.native import Library

@entry
def rounded(numbers):
    return numbers[0] * numbers[1] + numbers[2]

given = np.array([1.0 + 2.0**-27, 1.0 + 2.0**-27, -1.0 - 2.0**-26])
function = numba.njit(**OPTIONS)(rounded.py_func)
function(given)
path = Path(sys.argv[1])
link(emit(next(iter(function.overloads.values())), HERE), path)
print(function(given) * 2.0**54, Library(path, rounded)(given) * 2.0**54)
"""
"""x² − (1 + 2⁻²⁶) of x = 1 + 2⁻²⁷: 2⁻⁵⁴ in one rounding, and nothing in two."""


@pytest.mark.parametrize(
    ("asked", "fuses"),
    [
        ({}, native.level() in ("x86-64-v3", "aarch64")),
        ({"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}, native.level() == "aarch64"),
        ({"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}, True),
        ({"FAIRLEAD_CONTRACTION": "0"}, False),
    ],
    ids=["here", "generic", "x86-64-v3", "no contraction"],
)
def test_libraries_round_as_the_processor_does_that_is_asked_for(asked, fuses, tmp_path) -> None:
    """Tests with code for other processors would else be tests of this one."""
    if "v3" in asked.get("NUMBA_CPU_NAME", "") and native.level() != "x86-64-v3":
        pytest.skip("this processor does not run such code")
    usual = {name: value for name, value in os.environ.items() if name not in (*native.TARGET, "FAIRLEAD_CONTRACTION")}
    script = tmp_path / "fused.py"
    script.write_text(FUSED)
    command = [sys.executable, str(script), str(tmp_path / "fused.so")]
    done = subprocess.run(command, capture_output=True, text=True, env=usual | asked)
    assert done.returncode == 0, done.stderr
    assert [float(x) for x in done.stdout.split()] == [1.0 if fuses else 0.0] * 2
