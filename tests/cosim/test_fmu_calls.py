"""Calls in the wrong order and values that cannot be are refused with a message, and change nothing."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.model import load_text

from .host import Host, Refused
from .systems import LINE


def refused(host: Host, *words: str) -> None:
    """The latest message holds these words."""
    assert host.log, "nothing was said"
    assert all(word in host.log[-1] for word in words), host.log[-1]


def test_nothing_but_inputs_can_be_set_and_only_to_numbers_within_range(opened):
    host = opened().start()
    host["top.position"] = (1, 2, -3)
    for bad in (math.nan, math.inf, 1e9):
        with pytest.raises(Refused):
            host["top.position"] = (0, bad, 0)
        refused(host, "top.position")
    assert host["top.position"].tolist() == [1, 2, -3]
    with pytest.raises(Refused):
        host["tension_max"] = 1.0
    refused(host, "tension_max", "no input")
    host.step(0.0, 0.1)


def test_unknown_variables_are_refused(opened):
    host = opened().start()
    host.references["ghost"] = 10_000
    with pytest.raises(Refused):
        host["ghost"]
    refused(host, "10000")


def test_steps_follow_each_other_and_are_positive(opened):
    host = opened().start(stop=1.0)
    host.step(0.0, 0.5)
    before = host["upper.position"]
    for t, dt, words in (
        (0.0, 0.5, "stands at t = 0.5 s"), (0.5, 0.0, "positive"), (0.5, -0.1, "positive"), (0.5, math.nan, "positive"),
        (math.nan, 0.1, "positive"), (0.5, 0.6, "stop time"),
    ):  # fmt: skip
        with pytest.raises(Refused):
            host.step(t, dt)
        refused(host, words)
    assert host["upper.position"].tolist() == before.tolist()
    host.step(0.5, 0.5)
    assert host["time"].tolist() == [1.0]


def test_too_long_a_step_is_refused(opened):
    host = opened().start()
    with pytest.raises(Refused):
        host.step(0.0, 1e9)
    refused(host, "more than")
    host.step(0.0, 0.1)


def test_the_order_of_calls_is_that_of_the_standard(opened):
    host = opened()
    for call in (
        lambda: host.step(0.0, 0.1),
        lambda: host["tension_max"],
        host.fmu.exitInitializationMode,
        host.fmu.terminate,
    ):
        with pytest.raises(Refused):
            call()
        refused(host, "before initialisation")
    host.enter()
    assert host["tension_max"][0] > 0
    with pytest.raises(Refused):
        host.step(0.0, 0.1)
    refused(host, "in initialisation mode")
    host.fmu.exitInitializationMode()
    host.step(0.0, 0.1)
    with pytest.raises(Refused):
        host.enter()
    host.fmu.terminate()
    assert host["time"].tolist() == [0.1]
    with pytest.raises(Refused):
        host.step(0.1, 0.1)
    refused(host, "after termination")
    host.fmu.reset()
    host.start().step(0.0, 0.1)


def test_a_library_with_another_description_is_not_instantiated(opened):
    host = opened()
    guid, host.fmu.guid = host.fmu.guid, "{00000000-0000-0000-0000-000000000000}"
    mine = host.fmu.component
    with pytest.raises(Exception, match="instantiate"):
        host.instantiate()
    refused(host, "token", guid)
    host.fmu.component = mine


def test_what_the_flags_deny_is_refused(opened):
    host = opened().start()
    derivatives = host.fmu.getRealOutputDerivatives if host.two else host.fmu.getOutputDerivatives
    with pytest.raises(Refused):
        derivatives([1], [1])
    refused(host, "does not offer")


def test_a_state_is_kept_sent_as_bytes_and_restored(opened):
    host, other = opened().start(), opened().start()
    host["top.position"] = (0.5, 0.5, -1.5)
    host.step(0.0, 0.5)
    kept = host.state()
    content = host.to_bytes(kept)

    def future(of: Host) -> np.ndarray:
        seen = []
        for k in range(4):
            of.step(0.5 + 0.25 * k, 0.25)
            seen.append(np.concatenate([of[name] for name in ("time", "upper.position", "upper.force_start")]))
        return np.array(seen)

    first = future(host)
    host.restore(kept)
    assert host["time"].tolist() == [0.5]
    assert np.array_equal(future(host), first)
    sent = other.from_bytes(content)
    other.restore(sent)
    assert other["top.position"].tolist() == [0.5, 0.5, -1.5]
    assert np.array_equal(future(other), first)
    with pytest.raises(Refused):
        other.from_bytes(content[:-8])
    refused(other, "bytes")
    with pytest.raises(Refused):
        other.from_bytes(bytes(len(content)))
    refused(other, "not the bytes of a state")
    host.forget(kept)
    other.forget(sent)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_run_that_blows_up_says_where_and_why_and_can_be_taken_up_again(tmp_path, version):
    settings = "simulation: {start: catenary, duration: 60, step: 0.5, integrator: explicit_euler}\n"
    wild = LINE[: LINE.index("simulation:")] + settings
    made = fmu.export(load_text(wild, "wild.yaml"), tmp_path / "wild.fmu", version, targets=[link.host()])
    host = Host(made.path)
    host.start()
    kept = host.state()

    def run_on() -> None:
        host["top.position"] = (900.0, 0.0, -1.0)
        for k in range(120):
            host.step(0.5 * k, 0.5)

    with pytest.raises(Refused):
        run_on()
    refused(host, "cable '", "Likely cause", "What to do")
    reached = host["time"][0]
    assert reached < 60
    with pytest.raises(Refused):
        host.step(reached, 0.5)
    refused(host, "after a failed step")
    host.restore(kept)
    host.step(0.0, 0.5)
    host.forget(kept)
    host.close()


def test_a_thousand_instances_leave_no_memory_behind(opened):
    class Usage(ctypes.Structure):
        """`struct mallinfo2` of glibc."""

        _fields_ = tuple((f"field_{k}", ctypes.c_size_t) for k in range(10))

        @property
        def allocated(self) -> int:
            """In the heap (`uordblks`) and in blocks of their own (`hblkhd`)."""
            return int(self.field_7 + self.field_4)

    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Usage
    host = opened()
    fmu_, free = host.fmu, host.fmu.fmi2FreeInstance if host.two else host.fmu.fmi3FreeInstance
    mine = fmu_.component

    def cycle() -> None:
        host.instantiate()
        host.start().step(0.0, 0.02)
        host.forget(host.state())
        free(fmu_.component)

    for _ in range(20):
        cycle()
    before = libc.mallinfo2()
    for _ in range(1000):
        cycle()
    after = libc.mallinfo2()
    fmu_.component = mine
    # one instance holds some ten thousand bytes; Python's own objects come and go in arenas of 256 KiB to 1 MiB
    assert after.allocated - before.allocated < 1.5e6
