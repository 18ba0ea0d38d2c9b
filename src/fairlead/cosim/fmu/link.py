"""From C and object files to a shared library, for this machine and for others.

With the `ziglang` wheel (extra `fmu`), one machine links for every target, against a glibc so old that the library
runs on any Linux of the last ten years. Without it, the C compiler of this machine links for this machine.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from .errors import FmuError

NATIVE = Path(__file__).parent / "native"
"""The C library that every FMU holds."""
COMMON_SOURCES = ("instance.c", "start.c", "hang.c", "snapshot.c")
OLDEST_GLIBC = "2.17"
_OPTIONS = ("-std=gnu11", "-O2", "-ffp-contract=off", "-fPIC", "-fvisibility=hidden", "-shared", "-s")
CURE = "install the linker for all targets: pip install 'fairlead[fmu]' (or: pip install ziglang)"


def host() -> str:
    """This machine, as FMI 3 names it."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    return f"{machine}-{platform.system().lower()}"


def has_zig() -> bool:
    return find_spec("ziglang") is not None


def linkable(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `targets` that can be linked here."""
    if has_zig():
        return targets
    return tuple(target for target in targets if target == host() and shutil.which("cc"))


def library(faces: list[Path], target: str, model: Path, kernel: str, objects: list[Path], output: Path) -> None:
    """Link `output` for a target from `model` (model.c), what it computes with and the C files that a host calls.

    kernel: the C file that holds `kernel_run`, with the object files it calls: `kernel.c` for compiled formulations.
    """
    sources = [*map(str, faces), *(str(NATIVE / name) for name in (*COMMON_SOURCES, kernel))]
    command = [
        *_compiler(target), *_OPTIONS, "-I", str(NATIVE), "-I", str(faces[0].parent), *sources, str(model),
        *map(str, objects), "-lm", "-o", str(output),
    ]  # fmt: skip
    outcome = subprocess.run(command, capture_output=True, text=True, cwd=output.parent)
    if outcome.returncode != 0:
        raise FmuError(f"the library for {target} could not be linked by {command[0]}:\n{outcome.stderr.strip()}")


def _compiler(target: str) -> list[str]:
    if has_zig():
        libc = "gnu" if target.endswith("windows") else f"gnu.{OLDEST_GLIBC}"
        return [sys.executable, "-m", "ziglang", "cc", "-target", f"{target}-{libc}"]
    cc = shutil.which("cc")
    if target == host() and cc:
        return [cc]
    found = "this machine has no C compiler 'cc'" if target == host() else f"this machine is {host()}"
    raise FmuError(f"cannot link an FMU for {target}: {found} and there is no zig; {CURE}")
