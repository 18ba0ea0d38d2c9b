"""FMUs under a host in C: nothing leaks, nothing is read before it is written, other processors get the same digits.

valgrind and qemu are used where they are installed (Debian: valgrind, qemu-user-static); without them the host counts
its own memory, and the program for the other processor is made and looked at but not run.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import fmpy
import numpy as np
import pytest
from marks import slowly

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.model import load_text
from fairlead.simulate import Simulation

from .systems import LINE, OUTPUTS
from .test_fmu_parameters import MIXED

DRIVER = Path(__file__).parent / "driver.c"
LIBC = {"x86_64-linux": "x86_64-linux-musl", "aarch64-linux": "aarch64-linux-musl"}


def build(folder: Path, version: str, target: str, text: str, static: bool, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The driver and all an FMU is made of as one program."""
    program = folder / f"driver{version[0]}_{target}"

    def program_instead(faces, target, model, kernel, objects, output) -> None:
        sources = (*faces, *(link.NATIVE / name for name in (*link.COMMON_SOURCES, kernel)))
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", LIBC[target], "-static"]
        command = [
            *(compiler if static else link._compiler(target)), "-std=gnu11", "-O1", "-g", "-w", "-ffp-contract=off",
            f"-DFMI={version[0]}", "-I", str(link.NATIVE), "-I", f"{fmpy.__path__[0]}/c-code", str(DRIVER),
            *map(str, sources), str(model), *map(str, objects), "-lm", "-o", str(program),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        output.write_bytes(b"")

    monkeypatch.setattr(link, "library", program_instead)
    fmu.export(load_text(text, "line.yaml"), folder / "case.fmu", version, outputs=OUTPUTS, targets=[target])
    return program


@pytest.mark.parametrize("version", ["3.0", *slowly("2.0")])
def test_a_thousand_instances_leak_nothing_and_wrong_calls_are_refused(version, tmp_path, monkeypatch):
    program = build(tmp_path, version, link.host(), MIXED, False, monkeypatch)
    # without the caches of malloc, which count as memory in use
    plain = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
    done = subprocess.run([program, "leak", "1000"], capture_output=True, text=True, env=plain)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 0
    valgrind = shutil.which("valgrind")
    if valgrind:
        options = ["--quiet", "--leak-check=full", "--show-leak-kinds=all", "--error-exitcode=99"]
        done = subprocess.run([valgrind, *options, program, "leak", "1000"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_other_processor_computes_the_same(tmp_path, monkeypatch):
    """Where it can be run as one static program, since the other processor's C library is not on this machine; for one
    that is only looked at, that library need not be made."""
    other = next(target for target in fmu.TARGETS if target != link.host())
    emulator = shutil.which(f"qemu-{other.split('-')[0]}-static") or shutil.which(f"qemu-{other.split('-')[0]}")
    program = build(tmp_path, "3.0", other, LINE, emulator is not None, monkeypatch)
    assert program.read_bytes()[:4] == b"\x7fELF"
    assert program.read_bytes()[18] == {"x86_64-linux": 62, "aarch64-linux": 183}[other]
    if emulator is None:
        assert other.split("-")[0] != platform.machine()
        return
    done = subprocess.run([emulator, program, "run", "8", "0.25"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = {line.split()[0]: np.array(line.split()[1:], dtype=float) for line in done.stdout.splitlines()}
    sim = Simulation(load_text(LINE, "line.yaml"))
    for _ in range(8):
        seen = sim.step(0.25)
    for name in ("upper.force_start", "clump.position", "upper.position", "lower.tension_effective", "tension_max"):
        expected = np.ravel(seen[name])
        assert np.abs(shown[name] - expected).max() <= 1e-10 * np.abs(expected).max(), name
