"""A deck run by this program, as `fairlead run` would with the same motion in the file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from fairlead.exchange.moordyn.channels import Channels
from fairlead.exchange.moordyn.convert import convert
from fairlead.exchange.moordyn.deck import read_deck
from fairlead.exchange.moordyn.opening import checked
from fairlead.exchange.notes import Notes
from fairlead.model import System
from fairlead.simulate import Simulation

from .cases import SAMPLE, Case


def imported(case: Case, **settings: Any) -> System:
    """The system that the import makes of the deck, its coupled points moved."""
    notes = Notes()
    deck = read_deck(case.path.read_text(), case.path.name, notes)
    converted = convert(deck, notes, {}, case.path.parent)
    for number, amplitude in case.amplitudes.items():
        motion = {"harmonic": {"amplitude": list(amplitude), "period": case.period}}
        converted.data["points"][f"point{number}"]["motion"] = motion
    system = checked(converted, case.path.name, notes, []).system
    return system.with_settings(duration=case.duration, output_every=SAMPLE, **settings)


def tensions(case: Case, settings: Mapping[str, Any] | None = None) -> tuple[np.ndarray, float]:
    """The case's channels (samples, channels), N, and the CPU time of the steps, s."""
    simulation = Simulation(imported(case, **(settings or {})))
    began = time.process_time()
    result = simulation.run()
    spent = time.process_time() - began
    if result.attrs["status"] != "complete":
        raise RuntimeError(f"{case.name}: the run was {result.attrs['status']}")
    channels = Channels(result)
    found = [series[0] for name in case.channels if (series := channels.series(name)) is not None]
    return np.column_stack(found), spent
