"""A whole twin from its file: it hears, estimates, shows and records; its log gives the same estimate again, and it
goes on from where it was."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time

import numpy as np
import pytest
from click.testing import CliRunner

from fairlead.cli.main import main
from fairlead.live.frames import unpack
from fairlead.live.inputs.nmea import sentence
from fairlead.live.recording.log import Past
from fairlead.live.server.guard import Tokens
from fairlead.live.station import Station
from fairlead.results import ResultError, open_result

from .clients import own_port

SYSTEM = """
types:
  wire: {diameter: 0.03, density: 2200, youngs_modulus: 20e9, drag: {normal: 1.3, axial: 0.012}}
points:
  stern: {kind: controlled, position: [0, 0, -2], velocity: [2, 0, 0]}
  tail: {kind: free, position: [-50, 0, -30]}
cables:
  tow: {type: wire, length: 60, elements: 4, start: stern, end: tail}
simulation: {formulation: bars, start: statics, duration: 10, step: 0.1, output_every: 1}
"""
TWIN = """
twin: A small tow
system: tow.yaml
clock: {rate: 10 Hz, origin: {latitude: 59.0, longitude: 3.0}}
inputs:
  gps: {kind: nmea, file: gps.txt}
  winch: {kind: csv_tail, file: winch.csv, time: utc, columns: {tension: N}}
  acoustic: {kind: http, columns: {t30.x: m, t30.y: m, t30.z: m}}
drive:
  stern.position: {from: gps}
sensors:
  load: {measures: tow.force_start, from: winch.tension, noise: 5 %}
  t30: {measures: tow.position, at: 30 m, from: acoustic.t30, noise: 1 m}
estimate:
  members: 8
  every: 0.5 s
  parameters:
    drag_normal: {of: wire, sd: 20 %, walk: 1 %}
limits:
  - {tension: tow, above: 1 N}
server: {port: PORT, sandbox: true}
record: {folder: log, checkpoint: 1 s}
"""


@pytest.fixture
def twin(tmp_path):
    (tmp_path / "tow.yaml").write_text(SYSTEM)
    path = tmp_path / "twin.yaml"
    (tmp_path / "winch.csv").write_text("utc,tension\n")
    (tmp_path / "gps.txt").write_text("")
    with own_port() as port:
        path.write_text(TWIN.replace("PORT", str(port)))
        yield path


def sea(folder, began: float) -> None:
    """One fix and one tension, as they would be written now."""
    now = time.time()
    minutes = 60.0 * 2.0 * (now - began) / 111_405.0
    clock = time.strftime("%H%M%S", time.gmtime(now)) + f"{now % 1.0:.2f}"[1:]
    with open(folder / "gps.txt", "ab") as file:
        file.write(sentence(f"GPGGA,{clock},59{minutes:09.6f},N,00300.000000,E,4,12,0.6,-2.0,M,44.6,M,,"))
    with open(folder / "winch.csv", "a") as file:
        file.write(f"{now},{400.0 + 5.0 * np.sin(now)}\n")


def told_at(station: Station, after: float) -> str:
    """What the terminal shows so long after the latest fix was measured [s], however long ago that is."""
    clock, last = station._clock, station.inputs["gps"].intake.health.last
    station._clock = lambda: last + after
    try:
        return station.state
    finally:
        station._clock = clock


async def live(station: Station, folder, ticks: int) -> list[str]:
    """Run until so many ticks are made, with a sea around; what the terminal would show on the way."""
    began, told = time.time(), []
    async with station.open() as address:
        assert address.startswith("http://127.0.0.1:")
        intake = station.inputs["acoustic"].intake
        while station.engine.number < ticks and time.time() < began + 60.0:
            sea(folder, began)
            intake.line(b'{"t30": [%f, 0.0, -15.0]}' % (2.0 * (time.time() - began) - 26.0), time.time())
            told.append(station.state)
            await asyncio.sleep(0.15)
            if station._trouble is not None:
                raise station._trouble
        if station.inputs["gps"].intake.health.last is not None:
            told.append(told_at(station, 0.4))
        assert (await station._answer({"turn": 20, "horizon": 10}))["live"] is False
        for wrong, why in (({"turn": 1e9}, "turn must be a number"), ({"winch": "tow", "payout": 1}, "no input")):
            with pytest.raises(ValueError, match=why):
                await station._answer(wrong)
    return told


def test_it_hears_estimates_shows_and_records_and_its_log_gives_the_same_again(twin):
    folder = twin.parent
    station = Station(twin)
    told = asyncio.run(live(station, folder, 20))
    health = station.twin.estimate.health
    assert health.sensors["load"].accepted >= 2
    assert health.sensors["t30"].accepted >= 2
    assert health.sensors["stern.position"].accepted >= 2
    assert health.updates >= 2
    assert "  gps 0.4 s  " in told[-1]
    assert "RED: tension of tow above 1 N" in told[-1]
    frame = unpack(station.board.frame)
    assert frame.time == pytest.approx(station.twin.time)
    assert frame.tension.max() > 10.0
    assert station.board.header["trends"][0]["name"] == "tow.tension"
    [result] = (folder / "log").glob("live_*.nc")
    recorded = open_result(result)
    assert recorded.sizes["time"] >= 2
    assert {"estimated.drag_normal", "tow.tension.mean", "tension_effective"} <= set(recorded.variables)

    again = Station(twin, replay=folder / "log")

    async def through():
        async with again.open():
            await again.until_over()

    asyncio.run(through())
    assert again.notes == []
    assert again.twin.time == station.twin.time
    assert np.array_equal(again.twin.fleet.Y, station.twin.fleet.Y), "to the last bit"
    assert np.array_equal(again.twin.theta, station.twin.theta)

    behind = station.epoch + station.twin.time - 1.5  # a checkpoint may be a little ahead of a clock that is corrected
    assert Station(twin, clock=lambda: behind).notes == ["goes on from its checkpoint; it was off for 0 s"]
    wall = behind
    on = Station(twin, clock=lambda: wall, steady=lambda: 0.0)
    assert "goes on from its checkpoint" in on.notes[0]
    assert on.epoch == station.epoch
    wall += 3600.0
    assert on._steps.seen() == 3600.0, "set before the first tick"
    on = Station(twin)
    asyncio.run(live(on, folder, station.engine.number + 10))
    ticks = list(Past.of(folder / "log").ticks())
    assert [tick.number for tick in ticks] == list(range(len(ticks)))
    assert ticks[-1].until > station.twin.time

    assert main(["live", str(twin), "--join", str(folder / "all.nc")], standalone_mode=False) is None
    assert open_result(folder / "all.nc").sizes["time"] > recorded.sizes["time"]
    fresh = Station(twin, fresh=True)
    assert fresh.twin.time == 0.0
    (folder / "tow.yaml").write_text(SYSTEM.replace("2200", "2300"))
    assert "has changed" in Station(twin).notes[0]


def called(*arguments: str):
    return CliRunner().invoke(main, ["live", *arguments])


def test_the_command_checks_and_lists_every_mistake(twin):
    outcome = called(str(twin), "--check")
    assert outcome.exit_code == 0, outcome.output
    assert "tow.yaml, 5 nodes" in outcome.output
    assert "gps (nmea), winch (csv_tail), acoustic (http)" in outcome.output
    assert not (twin.parent / "log").exists(), "a check leaves nothing behind"
    twin.write_text(twin.read_text().replace("kind: nmea", "kind: nmae").replace("members: 8", "members: 3"))
    outcome = called(str(twin))
    assert outcome.exit_code == 2
    assert "nmae" in outcome.output
    assert "3 members are too few" in outcome.output


def test_others_are_let_in_with_a_token_only(twin, tmp_path):
    outcome = called(str(twin), "--bind", "0.0.0.0")
    assert outcome.exit_code == 2
    assert "--token-file" in outcome.output
    with pytest.raises(ResultError, match="lets other machines in"):
        Station(twin, bind="192.168.1.7")
    station = Station(twin, bind="0.0.0.0", tokens=Tokens.kept(tmp_path / "tokens"))
    assert f"token={station.guard.tokens.view}" in station._address(8765)
    assert called(str(twin), "--speed", "3").exit_code == 2
    assert called(str(twin), "--replay", str(tmp_path / "nothing")).exit_code == 2
    with contextlib.closing(socket.create_server(("127.0.0.1", station.guard.port))):
        outcome = called(str(twin))
        assert outcome.exit_code == 2
        assert "cannot serve at" in outcome.output
