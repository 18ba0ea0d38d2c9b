"""Files that nature hardly would write, through `run` and `modes` (and so `statics`): numbers or a sentence."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from fairlead.model import ModelError, load_text

FILE = {
    "environment": {
        "seabed": {"depth": 20.0, "stiffness": 5e4, "friction": 0.4},
        "current": [{"z": 0.0, "velocity": [0.5, 0.0, 0.0]}],
    },
    "types": {
        "rope": {
            "diameter": 0.05, "mass_per_length": 6.0, "axial_stiffness": 1e6, "drag": {"normal": 1.2, "axial": 0.02},
            "added_mass": {"normal": 1.0, "axial": 0.0}, "damping_time": 0.05,
        }
    },
    "points": {
        "A": {"kind": "fixed", "position": [0.0, 0.0, "bed"]},
        "B": {"kind": "controlled", "position": [25.0, 0.0, 0.0],
              "motion": {"harmonic": {"amplitude": [0.5, 0.0, 0.5], "period": 6.0}}},
    },
    "cables": {
        "line": {"type": "rope", "length": 36.0, "elements": 3, "start": "A", "end": "B",
                 "attachments": [{"at": 12.0, "mass": 20.0}]},
    },
    "simulation": {"formulation": "lumped", "duration": 0.2, "step": 0.05, "output_every": 0.1},
}  # fmt: skip

STRANGE = {
    "as it is": {},
    "a thread": {"types.rope.diameter": 1e-9},
    "no weight": {"types.rope.mass_per_length": 1e-9},
    "drag without measure": {"types.rope.drag.normal": 1e12},
    "damped to a stand": {"types.rope.damping_time": 1e12},
    "added mass without measure": {"types.rope.added_mass.normal": 1e12},
    "a bed like air": {"environment.seabed.stiffness": 1e-9},
    "a bed of steel": {"environment.seabed.stiffness": 1e15},
    "a motion without measure": {"points.B.motion.harmonic.amplitude.2": 1e6},
    "a motion that trembles": {"points.B.motion.harmonic.period": 1e-6},
    "a load at the very end": {"cables.line.attachments.0.at": 36.0},
    "no formulation of ours": {"simulation.formulation": "rods"},
    "words for numbers": {"cables.line.length": "long"},
    "no number": {"points.B.position.0": float("nan")},
}


def changed(paths: dict[str, object]) -> str:
    data = json.loads(json.dumps(FILE))
    for path, value in paths.items():
        *inner, last = (int(key) if key.isdigit() else key for key in path.split("."))
        place = data
        for key in inner:
            place = place[key]
        place[last] = value
    return json.dumps(data).replace("NaN", ".nan")


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_file_gives_numbers_or_a_sentence(fairlead, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    Path("x.yaml").write_text(changed(STRANGE[kind]), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for command in ("run", "modes"):
            done = fairlead(command, "x.yaml", "--json")
            assert done.exit_code in (0, 1, 2), (command, done.output)
            if done.exit_code == 0:
                assert "NaN" not in done.stdout, command
            else:
                assert len(done.stderr.strip().splitlines()[-1]) > 30, command
            if kind == "as it is":
                assert done.exit_code == 0, (command, done.output)


@pytest.mark.parametrize(("kind", "told"), [
    ("drag without measure", "types.rope.drag.normal: must be at most 10000, not 1e+12; a round cable has about 1.2"),
    ("added mass without measure", "types.rope.added_mass.normal: must be at most 10000, not 1e+12; a round cable has"),
])  # fmt: skip
def test_a_coefficient_without_measure_is_refused_before_any_search(kind, told):
    """A drag of 1e12 had statics search for minutes."""
    with pytest.raises(ModelError) as caught:
        load_text(changed(STRANGE[kind]))
    assert told in str(caught.value)
