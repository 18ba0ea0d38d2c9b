"""Ctrl-C, kill and resume of real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fairlead.results import open_result

TESTS = Path(__file__).resolve().parents[1]


def start(*arguments: str, pause: float) -> subprocess.Popen:
    path = os.pathsep.join([str(TESTS), *sys.path])
    environment = os.environ | {"TOY_PAUSE": str(pause), "PYTHONPATH": path}
    command = [sys.executable, "-m", "cli.toy_command", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def wait_for_samples(file: Path, count: int) -> None:
    """Until a result with so many samples is on disk; at every moment there is a readable file or none."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if file.exists() and open_result(file).sizes["time"] >= count:
            return
        time.sleep(0.1)
    raise TimeoutError(file)


@pytest.mark.usefixtures("toy_formulation")
def test_a_killed_run_leaves_a_readable_result_and_resumes_to_the_same_numbers(fairlead, chain_file):
    assert fairlead("run", "chain.yaml", "-o", "whole.nc", "--quiet").exit_code == 0
    victim = start("run", "chain.yaml", "--quiet", pause=0.25)
    wait_for_samples(Path("chain.nc"), 5)
    victim.send_signal(signal.SIGSTOP)
    assert open_result("chain.nc").attrs["status"] == "running"
    assert fairlead("view", "chain.nc", "--no-open").exit_code == 0, "of a run that lasts"
    victim.kill()
    assert finish(victim)[0] == -signal.SIGKILL
    partial = open_result("chain.nc")
    assert partial.attrs["status"] == "stopped: its run was killed"
    assert 5 <= partial.sizes["time"] < 41
    assert fairlead("report", "chain.nc", "--no-open").exit_code == 0, "of a run that was killed"
    Path("chain.html").unlink()
    Path("chain_report.html").unlink()
    assert fairlead("run", "chain.yaml", "--resume").exit_code == 0
    whole, resumed = open_result("whole.nc"), open_result("chain.nc")
    assert resumed.attrs["status"] == "complete"
    for name in whole.variables:
        left, right = whole[name].values, resumed[name].values
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f"), name
    assert sorted(os.listdir()) == ["chain.nc", "chain.yaml", "whole.nc"], "no unfinished file is left behind"


def test_ctrl_c_keeps_what_was_computed_and_exits_with_130(chain_file):
    process = start("run", "chain.yaml", pause=0.25)
    wait_for_samples(Path("chain.nc"), 3)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert code == 130
    assert "status            stopped: interrupted at t = " in out
    assert "Traceback" not in err
    saved = open_result("chain.nc")
    assert 3 <= saved.sizes["time"] < 41
    assert saved.attrs["status"].startswith("stopped: interrupted")
