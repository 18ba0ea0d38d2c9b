"""Twist of the published cable of three links: its frequencies, from the modes and from a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.formulations import compile_system
from fairlead.formulations.links import CompiledLinks
from fairlead.formulations.links.paper import CompiledPaperLinks
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.simulate import simulate
from fairlead.studies.verification.checks.links_paper_tables import published_cable
from fairlead.studies.verification.record import Record

SOURCE = "Pereira et al., section 5; eigenvalues of its twist equations, solved independently"
FREQUENCIES = {"consistent": (86.40, 268.43, 354.83), "literal": (46.05, 280.00, 638.25)}  # Hz
BOUND = 1e-3


def twist_frequencies(reading: str) -> np.ndarray:
    """Undamped frequencies of the twist (3,) Hz in the published mode."""
    return _frequencies(published_cable(0.0, reading=reading))


def physical_frequencies() -> np.ndarray:
    """The same in the physical mode."""
    return _frequencies(published_cable(0.0, mode="physical"))


def _frequencies(system: System) -> np.ndarray:
    compiled = compile_system(system, first_geometry(system))
    assert isinstance(compiled, CompiledLinks | CompiledPaperLinks)
    assert compiled.twist is not None
    return np.asarray(np.sqrt(np.sort(compiled.twist.stiffness)) / (2 * np.pi))


def ringing_frequency() -> float:
    """Frequency (Hz) of the slowest twist in a run without damping: the Fourier integral's peak."""
    system = published_cable(0.0, step=1e-4, mode="physical", twist_damping=[0.0] * 3)
    simulation = system.simulation.model_copy(update={"duration": 2.0, "output_every": 2e-4})
    result = simulate(system.model_copy(update={"simulation": simulation}))
    time, series = result["time"].values, result["twist_3"].values
    window = np.hanning(len(time))
    near = np.linspace(84.0, 89.0, 2001)
    power = [abs(np.sum(window * series * np.exp(-2j * np.pi * f * time))) for f in near]
    return float(near[int(np.argmax(power))])


def check() -> Iterator[Record]:
    """All frequencies of both readings, of the physical mode, and one from a run."""
    for reading, known in FREQUENCIES.items():
        for k, (found, should) in enumerate(zip(twist_frequencies(reading), known, strict=True), start=1):
            yield Record.relative(f"links, {reading}, twist frequency {k} (Hz)", SOURCE, float(found), should, BOUND)
    for k, (found, should) in enumerate(zip(physical_frequencies(), FREQUENCIES["consistent"], strict=True), start=1):
        yield Record.relative(f"links, physical, twist frequency {k} (Hz)", SOURCE, float(found), should, BOUND)
    value = ringing_frequency()
    yield Record.relative(
        "links, twist frequency 1 from a run (Hz)", SOURCE, value, FREQUENCIES["consistent"][0], BOUND
    )
