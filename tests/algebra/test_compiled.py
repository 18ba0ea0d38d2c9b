"""Compiling as a guest in someone's process: nothing of theirs is changed, other threads go on, mistakes are told."""

import os
import subprocess
import sys
import threading

import numba
import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from fairlead.algebra import compiled, emission, native
from fairlead.algebra.compiled import entry, inlined, kernel, quick_compilation, summing

from .test_shortcuts import KNOWN, methods


def settings() -> dict[str, object]:
    return {name: value for name, value in vars(numba.config).items() if name.isupper()}


@kernel
def twice(x):
    return 2.0 * x


@summing
def total(values):
    found = 0.0
    for value in values:
        found += value
    return found


@entry
def twice_the_total(values):
    return twice(total(values))


def test_a_kernel_called_from_python_says_how_to_call_it() -> None:
    assert twice_the_total(np.ones(3)) == 6.0  # both kernels are compiled for these very types
    for inner, argument in ((twice, 1.0), (total, np.ones(3)), (twice, 1)):
        name = inner.py_func.__name__
        with pytest.raises(TypeError, match=rf"the kernel '{name}' \(.*test_compiled\) is .* call {name}\.py_func\("):
            inner(argument)
    assert twice.py_func(1.0) == 2.0


def test_whoever_calls_first_has_it_compiled_the_quick_way(monkeypatch) -> None:
    seen = []

    @entry
    def fresh(x):
        return twice(x)

    numbas = type(fresh.dispatcher).__mro__[1]
    before, plain = methods(), numbas.compile
    monkeypatch.setattr(numbas, "compile", lambda self, sig: (seen.append(methods()), plain(self, sig))[1])
    assert fresh(2.0) == 4.0
    assert all((now is not then) == KNOWN for now, then in zip(seen[0], before, strict=True))
    assert methods() == before


def test_what_is_on_disk_is_found_by_who_asks_for_the_result_as_well() -> None:
    """As Runge-Kutta methods and ensembles do, which hand entries on as functions of a type."""

    @entry
    def counted(x):
        return 3 * x

    assert counted(2) == 6
    again = type(counted)(counted.py_func, counted.targetoptions).dispatcher
    again.compile(numba.int64(numba.int64))
    assert sum(again.stats.cache_hits.values()) == 1
    assert again(2) == 6


def test_machine_code_does_not_hang_on_who_was_compiled_first() -> None:
    """A kernel that is called stays a call, also where the first that calls it becomes part of its own caller: what is
    fused into one rounding would else depend on the order in which a process compiles."""

    @kernel
    def called(x):
        return 2.0 * x + 1.0

    @inlined
    def part_of_its_caller(x):
        return called(x) * x + 3.0

    @entry
    def first(x):
        return part_of_its_caller(x)

    assert first(2.0) == 13.0
    for function, expected in ((part_of_its_caller, True), (called, False)):
        (compilation,) = function.dispatcher.overloads.values()
        module = compilation.library._final_module
        (itself,) = (f for f in module.functions if f.name == compilation.fndesc.llvm_func_name)
        assert (b"alwaysinline" in set(itself.attributes)) is expected


def test_settings_of_numba_are_as_before() -> None:
    before = settings()

    @entry
    def another(x):
        return x

    assert another(1.0) == 1.0
    assert settings() == before
    with quick_compilation():
        assert settings()["LOOP_VECTORIZE"] == 0
        with quick_compilation():
            pass
        assert settings()["LOOP_VECTORIZE"] == 0
    assert settings() == before
    with pytest.raises(ZeroDivisionError), quick_compilation():
        raise ZeroDivisionError
    assert settings() == before


def test_two_threads_compile_one_after_the_other_and_leave_nothing() -> None:
    """Where the second entered while the first was inside, it took the first one's shortcuts for numba itself."""
    before, entered, leave = methods(), threading.Event(), threading.Event()
    order = []

    def second() -> None:
        entered.wait()
        with quick_compilation():
            order.append("second in")

    other = threading.Thread(target=second)
    other.start()
    with quick_compilation():
        entered.set()
        leave.wait(0.2)
        order.append("first out")
    other.join()
    assert order == ["first out", "second in"]
    assert methods() == before
    assert settings()["LOOP_VECTORIZE"] != 0


def test_two_threads_may_ask_for_the_same_kernel_at_once() -> None:
    @entry
    def wanted(values):
        return twice(total(values))

    answers: list[float] = []
    together = threading.Barrier(2)

    def ask() -> None:
        together.wait()
        answers.append(wanted(np.ones(5)))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [10.0, 10.0]
    assert len(wanted.dispatcher.overloads) == 1


def test_numba_learns_of_records_in_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads what is registered by generators, of which two threads at once make one fail."""
    context, refresh, locked = cpu_target.typing_context, cpu_target.typing_context.refresh, []

    def refreshed() -> None:
        locked.append(global_compiler_lock.is_locked())
        refresh()

    monkeypatch.setattr(context, "refresh", refreshed)

    @kernel
    def thrice(x):
        return 3.0 * x

    assert thrice.dispatcher is not None
    assert locked
    assert all(locked)


IMPORT_AND_COMPARE = """
import gc, importlib, locale, pkgutil, signal, sys, threading, warnings
import matplotlib.pyplot, numba, numpy, pydantic, ruamel.yaml, scipy.optimize, scipy.special, xarray

def host():
    numbers = [n for n in signal.valid_signals() if n not in (signal.SIGKILL, signal.SIGSTOP)]
    return {
        "numba": {name: value for name, value in vars(numba.config).items() if name.isupper()},
        "warnings": list(warnings.filters),
        "locale": [locale.setlocale(kind) for kind in (locale.LC_NUMERIC, locale.LC_TIME, locale.LC_CTYPE)],
        "signals": [signal.getsignal(n) for n in numbers],
        "numpy": numpy.geterr(),
        "threads": threading.active_count(),
        "garbage": (gc.isenabled(), gc.get_threshold()),
        "switch": sys.getswitchinterval(),
        "recursion": sys.getrecursionlimit(),
        "hooks": (sys.excepthook, threading.excepthook),
        "matplotlib": dict(matplotlib.rcParams),
    }

before = host()
import fairlead
for module in pkgutil.walk_packages(fairlead.__path__, "fairlead."):
    if not module.name.endswith("__main__") and ".cuda_" not in module.name:  # these import numba-cuda, an extra
        importlib.import_module(module.name)
after = host()
assert not [name for name in before if before[name] != after[name]], [n for n in before if before[n] != after[n]]
"""


def test_importing_changes_nothing_in_the_host() -> None:
    subprocess.run([sys.executable, "-c", IMPORT_AND_COMPARE], check=True)


def test_what_numba_is_told_not_to_compile_stays_python(monkeypatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert compiled.kernel(abs) is compiled.entry(abs) is abs


BY_NUMBA = "report.dispatcher(*given); assert report.dispatcher.overloads"
BY_LIBRARY = "report(*given); assert isinstance(report._call, Library)"
CALL = """
import numpy as np
from fairlead.algebra.native import Library
from fairlead.hydro.extremes import report
given = np.zeros(8, dtype=np.int64), np.zeros(8), np.zeros(8)
"""


@pytest.mark.skipif(not emission.linker(), reason="there is no linker")
@pytest.mark.parametrize("order", [(BY_NUMBA, BY_LIBRARY, BY_NUMBA), (BY_LIBRARY, BY_NUMBA, BY_LIBRARY)])
def test_what_is_kept_on_disk_serves_libraries_and_numba_whoever_comes_first(order, tmp_path) -> None:
    """Three processes one after the other; between them the library is lost."""
    usual = {name: value for name, value in os.environ.items() if name not in native.DEBUGGING}
    for what in order:
        for library in tmp_path.rglob("*.so"):
            library.unlink()
        command = [sys.executable, "-c", CALL + what]
        done = subprocess.run(command, capture_output=True, text=True, env=usual | {"NUMBA_CACHE_DIR": str(tmp_path)})
        assert done.returncode == 0, done.stderr
