"""A twin of a towed cable: hidden places, how sure it is, a filter that is not locked out, and bands that hold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.studies.twin_tow import Scenario, Sea, follow, scored, system, twin_file
from fairlead.studies.verification.record import Record
from fairlead.twin import Twin
from fairlead.twin.file import LookAhead

SOURCE = "a finer model with another drag law and current"
SEEDS = (11, 12, 13)
UPPER = ((-0.15, 0.1), (-0.1, 0.1), (-0.05, 0.05), (0.0, 0.0), (0.05, -0.05), (0.08, -0.1), (0.1, -0.1))
TURN = (Scenario(12, duration=1200.0), 880.0)
"""The turn of the tow itself, from right before it."""
HELD_OUT = (
    (Scenario(21, -70.0, 700.0, 880.0, profile=UPPER, duration=1000.0), 690.0),
    (Scenario(31, 25.0, 820.0, 900.0, 0.08, -0.04, duration=1100.0), 800.0),
)
"""Scenarios on which nothing was tuned, and when to look 300 s ahead: a sharp turn in a current that turns over; a load
cell that reads low in a current that drifts more."""


def check() -> Iterator[Record]:
    """Towed cable, three seeds; ten members with outliers; a turn by 120 degrees; bands in its turn and on two
    scenarios held out."""
    for seed in SEEDS:
        yield from followed(seed)
    yield from with_few_members()
    yield from turned()
    for scenario, start in (TURN, *HELD_OUT):
        yield from looked_ahead(scenario, start)


def followed(seed: int) -> Iterator[Record]:
    """Half an hour of a tow with a turn."""
    twin = Twin(twin_file(), system())
    score = scored(twin, Sea(Scenario(seed)))
    yield below(f"twin of a tow, seed {seed}, hidden places, 300 to 900 s, rms [m]", score.rms(300, 900), 1.2)
    yield below(f"twin of a tow, seed {seed}, hidden places, after 900 s, rms [m]", score.rms(900, 1801), 1.1)
    words = f"twin of a tow, seed {seed}, squared error over variance [1 to 3]"
    yield Record.absolute(words, SOURCE, score.nse(300, 1801), 2.0, 1.0)
    yield below(f"twin of a tow, seed {seed}, members lost", float(twin.estimate.health.lost), 0.0)


def with_few_members() -> Iterator[Record]:
    """Ten members for six parameters, and outliers: not good, but not lost either."""
    score = scored(Twin(twin_file(members=10), system()), Sea(Scenario(SEEDS[1], duration=900.0)))
    yield below("twin of a tow, ten members, hidden places, 300 to 900 s, rms [m]", score.rms(300, 901), 2.5)


def turned() -> Iterator[Record]:
    """A turn by 120 degrees in as much time as the one by 40."""
    score = scored(Twin(twin_file(), system()), Sea(Scenario(44, turn=120.0)))
    words = "twin of a tow, turn by 120 degrees, share of hidden places within bands of 90 % [0.8 to 1]"
    yield Record.absolute(words, SOURCE, score.within(300, 1801), 0.9, 0.1 + 1e-9)
    yield below("twin of a tow, turn by 120 degrees, hidden places, rms [m]", score.rms(300, 1801), 1.2)


def looked_ahead(scenario: Scenario, start: float) -> Iterator[Record]:
    """Bands on a scenario that was held out."""
    for name, share in coverage(Sea(scenario), start).items():
        words = f"twin of a tow, seed {scenario.seed}, share of {name} within bands of 90 % [0.8 to 1]"
        yield Record.absolute(words, SOURCE, share, 0.9, 0.1 + 1e-9)


def coverage(sea: Sea, start: float) -> dict[str, float]:
    """Shares of the truth within the bands of a look ahead along the way that is then taken."""
    twin = Twin(twin_file(LookAhead(horizon=300.0, every=60.0)), system())
    for now in follow(twin, sea):
        if now.time >= start - 1e-6:
            break
    times = np.arange(start - 10.0, start + 330.0, 5.0)
    forecast = twin.fork().plan("stern.position", (times, [sea.scenario.vessel(t) for t in times])).run(300.0)
    nodes = np.array(sea.to(start + 300.0).nodes)
    known = {"tow.force_start": np.array(sea.pull), "tow.depth": -nodes[:, :, 2].min(axis=1), "tail.y": nodes[:, -1, 1]}
    found = {}
    for name, values in known.items():
        low, high = forecast.band(name)
        true = np.interp(forecast.times, np.arange(len(values)), values)
        found[name] = float(np.mean((true >= low) & (true <= high)))
    return found


def below(name: str, value: float, bound: float) -> Record:
    """A number that is good when it is small."""
    return Record.absolute(name, SOURCE, value, 0.0, bound)
