"""A twin of a mooring line: its anchor and tension from fixes and a noisy cell, the colour of its limit, its bands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.studies.twin_mooring import EVERY, Measured, Scenario, follow, system, twin_file
from fairlead.studies.verification.record import Record
from fairlead.twin import Estimate, Forecast, Twin
from fairlead.twin.watching import LEVELS

SOURCE = "a finer model with more drag and a current"
HELD_OUT = Scenario(5, 0.4, ((1.0, 0.7, 11.0, 0.3), (0.9, 0.3, 8.0, 2.0), (0.5, 0.4, 14.0, 4.0)), (0.3, -0.2, 0.0), 1.5)
"""On which nothing was tuned: another sea, current and anchor."""
SILENCE = (150.0, 270.0)
"""From when to when nothing is heard of where the fairlead is, s."""
NINETY = 1.645
"""Standard deviations on either side that hold 90 %."""
SETTLED = 60.0
"""From when on tensions and forecasts are judged, s."""


def check() -> Iterator[Record]:
    """Five minutes of a mooring line, three seeds, another sea, noisy fixes, none for two minutes; one in ten fixes and
    tensions lost."""
    truth = list(Scenario(1).sea(300.0))
    for seed in (1, 2, 3):
        yield from followed(Scenario(seed), truth, f"seed {seed}")
    other = list(HELD_OUT.sea(300.0))
    yield from followed(HELD_OUT, other, "another sea")
    yield from with_noisy_fixes(truth)
    yield from in_a_silence(truth, 4, "silence")
    yield from in_a_silence(other, 5, "silence in another sea")


def with_noisy_fixes(truth: list[Measured]) -> Iterator[Record]:
    """Fixes off by 5 cm, which would shake a chain that is led through them."""
    twin, name = Twin(twin_file().model_copy(update={"look_ahead": None}), system()), "twin of a mooring, fixes to 5 cm"
    pulls = np.array(follow(twin, truth, 4, fix_noise=0.05))
    late = pulls[pulls[:, 0] > SETTLED]
    told = "noisy" in twin.estimate.parameters["anchor"].words
    yield Record.absolute(f"{name}, told that they do not tell the anchor [1: yes]", SOURCE, float(told), 1.0, 0.0)
    off = float(np.sqrt(np.mean((late[:, 1] / late[:, 2] - 1.0) ** 2)))
    yield Record.absolute(f"{name}, tension after 60 s, rms share off", SOURCE, off, 0.0, 0.04)


def in_a_silence(truth: list[Measured], seed: int, words: str) -> Iterator[Record]:
    """No fixes for two minutes: what is said of the tension meanwhile is a guess, and its bands are to say so."""
    twin, bands = Twin(twin_file().model_copy(update={"look_ahead": None}), system()), list[float]()

    def shown(now: Estimate) -> None:
        pull = now.mean["chain.force_end"]
        bands.append(float(NINETY * np.abs(pull) @ now.spread["chain.force_end"] / np.linalg.norm(pull)))

    pulls = np.array(follow(twin, truth, seed, shown, silence=SILENCE))
    quiet = (pulls[:, 0] > SILENCE[0]) & (pulls[:, 0] < SILENCE[1])
    share = float(np.mean((np.abs(pulls[:, 1] - pulls[:, 2]) <= np.array(bands))[quiet]))
    words = f"twin of a mooring, {words}, share of tension within bands of 90 % [0.8 to 1]"
    yield Record.absolute(words, SOURCE, share, 0.9, 0.1 + 1e-9)


def followed(scenario: Scenario, truth: list[Measured], words: str) -> Iterator[Record]:
    """Five minutes."""
    twin, forecasts, worst = Twin(twin_file(), system()), dict[float, Forecast](), 0

    def shown(now: object) -> None:
        nonlocal worst
        worst = max(worst, *(LEVELS.index(alarm.level) for alarm in twin.alarms))
        if twin.forecast is not None:
            forecasts[twin.forecast.issued] = twin.forecast

    pulls = np.array(follow(twin, truth, scenario.seed, shown))
    late = pulls[pulls[:, 0] > SETTLED]
    way, name = twin.estimate.parameters["anchor"].mean, f"twin of a mooring, {words}"
    yield Record.absolute(f"{name}, way of the anchor [m]", SOURCE, way, scenario.nearer, 0.2)
    off = float(np.sqrt(np.mean((late[:, 1] / late[:, 2] - 1.0) ** 2)))
    yield Record.absolute(f"{name}, tension after 60 s, rms share off", SOURCE, off, 0.0, 0.02)
    highest = max(pull for _, _, pull in truth)
    assert highest < twin.limits[0].bound
    yield Record.absolute(f"{name}, colour of a limit that is not reached [0: clear]", SOURCE, float(worst), 0.0, 0.0)
    held = [within(f, truth) for f in forecasts.values() if f.issued >= SETTLED and f.times[-1] <= truth[-1][0]]
    words = f"{name}, share of tension within bands of 90 % [0.8 to 1]"
    yield Record.absolute(words, SOURCE, float(np.mean(held)), 0.9, 0.1 + 1e-9)


def within(forecast: Forecast, truth: list[Measured]) -> float:
    """Share of the true pull within the bands of a forecast."""
    low, high = forecast.band("chain.force_end")
    true = np.array([truth[round(t / EVERY) - 1][2] for t in forecast.times])
    return float(np.mean((true >= low) & (true <= high)))
