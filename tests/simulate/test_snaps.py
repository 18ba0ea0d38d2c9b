"""Peaks that come in a blow are taken again with a tenth of the step, and what the step did to them is said."""

import re
import signal

import numpy as np
import pytest

import fairlead as fl
from fairlead.results import warnings_of
from fairlead.simulate.snaps import SnapWatch

STEP = 0.05
PART = re.compile(r"a tenth of the step \(from ([\d.]+) to ([\d.]+) s, the part computed again\), and so")
SAID = re.compile(r"tension, ([\d.]+) kN, is ([\d.]+) kN with a tenth of the step, and so ([\d.]+) % too (\w+)")


def jerked(formulation: str, step: float, way: float = 6.0, duration: float = 6.0) -> fl.Simulation:
    """A slack rope of 40 m in air whose end is moved to and fro: it falls slack, and comes taut with a blow."""
    return fl.Simulation(
        fl.System.model_validate(
            {
                "environment": {"water_density": 0.0},
                "types": {"rope": {"diameter": 0.04, "mass_per_length": 2.0, "axial_stiffness": 2e6}},
                "points": {
                    "a": {"kind": "fixed", "position": [0, 0, 0]},
                    "b": {
                        "kind": "controlled",
                        "position": [34, 0, 0],
                        "motion": {"harmonic": {"amplitude": [way, 0, 0], "period": 4.0}},
                    },
                },
                "cables": {"line": {"type": "rope", "length": 40.0, "elements": 8, "start": "a", "end": "b"}},
                "simulation": {"formulation": formulation, "duration": duration, "step": step, "output_every": 0.2},
            }
        )
    )


def largest(result) -> float:
    """kN, of all steps."""
    return float(result["tension_effective_max"].max()) / 1e3


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_snap_is_said_to_be_wrong_by_as_much_as_it_is(formulation):
    """The whole run with a tenth of the step has the peak that the note speaks of, and no such note itself."""
    coarse = jerked(formulation, STEP).run()
    said = SAID.search(" ".join(warnings_of(coarse)))
    assert said is not None
    run, fine, part = (float(said[k]) for k in (1, 2, 3))
    assert run == pytest.approx(largest(coarse), rel=1e-3)
    assert fine == pytest.approx(largest(jerked(formulation, STEP / 10).run()), rel=1e-3)
    assert abs(run / fine - 1.0) > 0.02
    assert part == pytest.approx(100 * abs(run / fine - 1.0), rel=0.05, abs=0.05)
    assert said[4] == ("high" if run > fine else "low")


def test_of_a_long_run_the_part_that_was_taken_again_is_said():
    coarse = jerked("lumped", STEP, duration=40.0).run()
    said = PART.search(" ".join(warnings_of(coarse)))
    assert said is not None
    begin, end = float(said[1]), float(said[2])
    along = np.nan_to_num(coarse["tension_effective_max"].values).reshape(coarse.sizes["time"], -1)
    peak = float(coarse["time"][along.max(axis=1).argmax()])
    assert 0.0 <= begin < peak <= end <= 40.0
    assert end - begin < 30.0


def test_taut_line_that_is_moved_gently_is_not_taken_again(monkeypatch):
    monkeypatch.setattr(SnapWatch, "_again", lambda *_: pytest.fail("taken again"))
    assert not SAID.search(" ".join(warnings_of(jerked("lumped", STEP, way=0.5).run())))


def test_the_run_itself_is_what_it_would_be_without(monkeypatch):
    simulation, alone = jerked("lumped", STEP), jerked("lumped", STEP)
    simulation.run(duration=4.0)
    monkeypatch.setattr(SnapWatch, "finer", lambda *_: {})
    alone.run(duration=4.0)
    assert simulation.time == alone.time
    assert np.array_equal(simulation.state, alone.state)
    for one in (simulation, alone):
        one.step(0.2)
    assert np.array_equal(simulation.state, alone.state)


def test_what_a_function_of_the_user_drives_is_asked_for_once():
    """A function may count or remember: each time it is asked for the next step, never for the past."""
    asked = []

    def way(time):
        asked.append(time)
        return (34 + 6 * np.sin(0.5 * np.pi * time), 0, 0)

    result = jerked("lumped", STEP).run(inputs={"b.position": way})
    assert np.all(np.diff(asked) >= 0.0)
    assert not SAID.search(" ".join(warnings_of(result)))


def test_who_interrupts_it_has_the_whole_run_all_the_same(tmp_path, monkeypatch):
    """Ctrl-C while peaks are taken again: the result is complete and written, and the signal goes on its way."""
    again = SnapWatch._again

    def interrupted(self, window, last, stopped):
        signal.raise_signal(signal.SIGINT)
        assert stopped()
        return again(self, window, last, stopped)

    monkeypatch.setattr(SnapWatch, "_again", interrupted)
    path = tmp_path / "run.nc"
    with pytest.raises(KeyboardInterrupt):
        jerked("lumped", STEP).run(output=path)
    kept = fl.open_result(path)
    assert kept.attrs["status"] == "complete"
    assert not SAID.search(" ".join(warnings_of(kept)))
