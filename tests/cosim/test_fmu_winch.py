"""A winch that pays out live: the kernel rewrites its own constants, and every instance has its own."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.model import load_text
from fairlead.simulate import Simulation

from .host import Host, Refused

LOWERING = """
types: {wire: {diameter: 0.03, density: 6000, axial_stiffness: 2e7}}
points:
  crane: {kind: fixed, position: [0, 0, 5]}
  load: {kind: free, position: [0, 0, -20], mass: 500, volume: 0.1, drag_area: 0.5, added_mass: 100}
cables:
  wire: {type: wire, length: 25, elements: 5, start: crane, end: load, winch: {end: start, length_max: 60}}
simulation: {start: catenary, duration: 20, step: 0.02, output_every: 0.5}
"""
OUTPUTS = ("load.position", "wire.force_start", "wire.position", "wire.winch.length", "tension_max")


def same(host: Host, seen) -> None:
    for name in OUTPUTS:
        expected = np.ravel(seen[name])
        there = np.isfinite(expected)
        shown = host[name]
        assert np.array_equal(np.isfinite(shown), there), name
        assert np.abs(shown - expected)[there].max() <= 1e-10 * np.abs(expected[there]).max(), name


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_line_is_paid_out_by_a_live_rate_as_in_python(version, tmp_path):
    system = load_text(LOWERING, "lowering.yaml")
    made = fmu.export(system, tmp_path / "lowering.fmu", version, outputs=OUTPUTS, targets=[link.host()])
    host, idle, sim = Host(made.path).start(), Host(made.path).start(), Simulation(system)
    kept = None
    for k in range(30):
        rate = 1.0 if k < 20 else -0.5
        host["wire.winch.rate"] = rate
        host.step(0.5 * k, 0.5)
        idle.step(0.5 * k, 0.5)
        same(host, sim.step(0.5, inputs={"wire.winch.rate": rate}, hold=True))
        if k == 12:
            kept, then = host.state(), host["wire.force_start"]
    assert host["wire.winch.length"][0] == pytest.approx(25 + 10 - 2.5, abs=0.2)
    assert idle["wire.winch.length"][0] == pytest.approx(25, abs=1e-9)
    later = host["load.position"]
    host.restore(kept)
    assert host["wire.force_start"].tolist() == then.tolist()
    for k in range(13, 30):
        host["wire.winch.rate"] = 1.0 if k < 20 else -0.5
        host.step(0.5 * k, 0.5)
    assert host["load.position"].tolist() == later.tolist()
    content = host.to_bytes(kept)
    rules, first = sim.compiled.state_rules(), len(content) - 8 * (sim.compiled.shape.size + sim.compiled.layout.size)
    count = next(bound.place for bound in rules.bounds if "off its winch" in bound.what)
    for place, number in ((count, 1e9), (count, -3.0), (count, 7.5), (count, np.nan), (rules.units[0].place, 7.0)):
        at = first + 8 * place
        with pytest.raises(Refused):  # the kernel would read memory by such a count
            host.from_bytes(content[:at] + np.float64(number).tobytes() + content[at + 8 :])
        assert "no state of this model" in host.log[-1]
    host.forget(host.from_bytes(content))
    host.forget(kept)
    for one in (host, idle):
        one.close()
