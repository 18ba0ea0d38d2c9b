"""Write `seismic_front_end.yaml` beside this file, both sides of the front end of the paper, and the folder
`seismic_co_simulation`, the same with each side an FMU fed by a third.

Other spreads are made the same way: `Spread(lead_ins=10, streamer_length=10_000).system()` is one of twenty streamers
of ten kilometres.
"""

from pathlib import Path

from fairlead.studies.seismic import Spread, co_simulation

HEAD = """\
# A seismic front end: what lies between a seismic vessel and the heads of its streamers, port and starboard, seen from
# the vessel, which tows it at 1.5 m/s. After Case 2 of Skjong, Reite and Aarsaether (its Tables 4 to 6), with the spur
# line from the eighth head, lead-ins as long as their chords and streamers that pull astern.
#
# Each side: 8 lead-ins, 8 buoy cables, 7 separation ropes, a spur line, a wide-tow cable and a gun-array cable whose
# ring slides along lead-in 2: 278 bars, 19 controlled points, 26 cables, 3887 states. After 100 s the buoys and
# deflectors sway by 50 m, as measured positions would.
#
# What to look at: the force at the winch of lead-in 1 swings between 13.3 and 15.0 kN, port and starboard in turns;
# the ring runs along lead-in 2; the heads, almost weightless in water, float up below their buoys.
# `fairlead check` warns of bending and torsional stiffnesses beyond those of a solid rod: they are the
# paper's; `fairlead run` warns of separation ropes that come taut in the first moments, faster than the step can tell.
#
# Made by make_seismic_front_end.py, which makes spreads of any size.
"""


def main() -> None:
    path = Path(__file__).with_name("seismic_front_end.yaml")
    path.write_text(HEAD + Spread().system().to_yaml(), encoding="utf-8")
    folder = path.with_name("seismic_co_simulation")
    folder.mkdir(exist_ok=True)
    for name, text in co_simulation(Spread()).items():
        (folder / name).write_text(text, encoding="utf-8")
    print(path.name, folder.name)


if __name__ == "__main__":
    main()
