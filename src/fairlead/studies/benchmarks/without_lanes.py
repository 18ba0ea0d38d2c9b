"""Runs of one system that take its elements one by one: what lanes are measured against."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.formulations.bars import run as bars
from fairlead.formulations.bars.schema import plain_system as plain_bars
from fairlead.formulations.lumped import run as lumped
from fairlead.formulations.lumped.schema import plain_system as plain_masses


@entry
def run_bars(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `bars.run_joined`, bar by bar: no lanes at all."""
    sys = plain_bars(ints, reals, y, work)
    return bars.steps_and_sight(t, n, h, u, None, None, None, sys, kind, copy, out)


@entry
def run_masses(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `lumped.run`, element by element."""
    return lumped.steps_and_sight(t, n, h, u, plain_masses(ints, reals, y, work), kind, copy, out)
