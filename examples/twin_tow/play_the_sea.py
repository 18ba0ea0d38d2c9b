"""Plays the sea to the twin of a tow, and starts the twin: the page is at http://127.0.0.1:8765/

The sea is a finer model with another drag law and a current of its own. GPS goes by UDP to 127.0.0.1:10110 as NMEA;
transponders and tension are appended to acoustic.csv and winch.csv, with 1 m of noise, 15 % lost, 3 % far off, and up
to 9 s late. The vessel turns after 15 minutes.

    python play_the_sea.py [--duration 1800] [--seed 11] [--alone]
"""

from __future__ import annotations

from pathlib import Path

from fairlead.studies.playing import Table, Udp, arguments, gga, play
from fairlead.studies.twin_tow import TRANSPONDERS, Message, Scenario, Sea, messages
from fairlead.twin.earth import Frame

HERE = Path(__file__).resolve().parent
FRAME = Frame(59.0, 3.0)


def main() -> None:
    given = arguments(__doc__, 1800.0, 11)
    gps = Udp("127.0.0.1:10110")
    acoustic = Table(HERE / "acoustic.csv", [f"{name}.{axis}" for name in TRANSPONDERS for axis in "xyz"])
    winch = Table(HERE / "winch.csv", ["tension"])

    def say(message: Message, start: float) -> None:
        utc = start + message.stamp
        if message.name == "stern.position":
            gps.send(gga(FRAME, message.value, utc))
        elif message.name == "load":
            winch.add(utc, {"tension": message.value / 1e3})
        else:
            acoustic.add(utc, {f"{message.name}.{axis}": x for axis, x in zip("xyz", message.value, strict=True)})

    heard = messages(Sea(Scenario(given.seed, duration=given.duration)))
    play(((one.arrival, lambda start, one=one: say(one, start)) for one in heard), HERE, given.alone)  # type: ignore[misc]


if __name__ == "__main__":
    main()
