"""Water whose motion a host of MoorDyn's gives at the places it is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead.compat.moordyn as moordyn

from .test_moordyn import AT_REST, DECK, STILL

FLOW = [0.4, 0.1, 0.0]
PROFILE = "\n".join(["a current", "of all depths", "z ux uy uz", *(f"{z} 0.4 0.1 0" for z in (-300, 0))])


def started(folder: Path, options: str, text: str = DECK):
    """The system of a file with more options, at rest."""
    (folder / "current_profile.txt").write_text(PROFILE, encoding="utf-8")
    path = folder / "lines.txt"
    path.write_text(text.replace("0.001  dtM", f"0.001  dtM\n{options}"), encoding="utf-8")
    system = moordyn.Create(str(path))
    moordyn.Init(system, AT_REST, STILL)
    return system


def given(system, flow=FLOW, t: float = 0.0) -> int:
    n = moordyn.ExternalWaveKinGetN(system)
    return moordyn.ExternalWaveKinSet(system, [flow] * n, [[0.0] * 3] * n, t)


def pulls(system, start: int = 0, steps: int = 20) -> np.ndarray:
    return np.array([moordyn.Step(system, AT_REST, STILL, 0.1 * k, 0.1) for k in range(start, start + steps)])


def test_a_stream_given_everywhere_is_the_current_of_a_file(tmp_path):
    outside, inside = started(tmp_path, "1 WaveKin"), started(tmp_path, "1 Currents")
    moordyn.Load(inside, str(_saved(outside, tmp_path)))
    assert moordyn.ExternalWaveKinInit(outside) == 0
    assert given(outside) == 0
    found = pulls(outside)
    np.testing.assert_allclose(found, pulls(inside), rtol=1e-9)
    assert np.abs(found - pulls(started(tmp_path, "1 WaveKin"))).max() > 10.0  # of water at rest
    for line in (1, 3):
        moordyn.SetLineUnstretchedLength(moordyn.GetLine(outside, line), 119.0)
        moordyn.SetLineUnstretchedLength(moordyn.GetLine(inside, line), 119.0)
    np.testing.assert_allclose(pulls(outside, 20), pulls(inside, 20), rtol=1e-9)


def _saved(system, folder: Path) -> Path:
    moordyn.Save(system, str(folder / "state"))
    return folder / "state"


def test_it_is_asked_at_nodes_points_the_ground_and_bodies(tmp_path):
    system = started(tmp_path, "1 WaveKin")
    places = np.array(moordyn.ExternalWaveKinGetCoordinates(system))
    assert places.shape == (3 * 7 + 6 + 1 + 1, 3)
    assert moordyn.GetWaveKinCoordinates(system) == places.tolist()
    line = moordyn.GetLine(system, 2)
    np.testing.assert_allclose(places[7:14], [moordyn.GetLineNodePos(line, i) for i in range(7)])
    np.testing.assert_allclose(places[21:23], [[100, 0, -120], [5, 0, -10]], atol=1e-9)
    np.testing.assert_allclose(places[-2:], [[0, 0, 0], [0, 0, -10]])


def test_water_that_gains_speed_pushes_lines_with_it(tmp_path):
    moving, still = (started(tmp_path, "1 WaveKin") for _ in range(2))
    n = moordyn.ExternalWaveKinGetN(moving)
    moordyn.SetWaveKin(moving, [[0.0] * 3] * n, [[0.4, 0.0, 0.0]] * n, 0.0)
    push = pulls(moving, 0, 1) - pulls(still, 0, 1)
    assert push[0, 0] > 1.0


WITH_A_FLOAT = DECK.replace("---------------------- LINES", "7 Free 0 0 -5 9 1 0 0\n---------------------- LINES")
WITH_A_FLOAT = WITH_A_FLOAT.replace("3 rope 5 6 118 6 -", "3 rope 5 6 118 6 -\n4 rope 7 6 60 3 -")


@pytest.mark.parametrize(
    ("options", "text", "code", "words"),
    [
        ("0 WaveKin", DECK, moordyn.ERRCODE_INVALID_VALUE, "WaveKin"),
        ("1 WaveKin", WITH_A_FLOAT, moordyn.ERRCODE_NON_IMPLEMENTED, "point 7 would feel it too"),
    ],
)
def test_what_cannot_be_given_is_told(tmp_path, options, text, code, words):
    system = started(tmp_path, options, text)
    with pytest.raises(RuntimeError, match=words) as told:
        moordyn.ExternalWaveKinInit(system)
    assert told.value.code == code


def test_too_few_places_are_told(tmp_path):
    with pytest.raises(RuntimeError, match="at 29 places each, not 1 and 1"):
        moordyn.ExternalWaveKinSet(started(tmp_path, "1 WaveKin"), [FLOW], [FLOW], 0.0)
