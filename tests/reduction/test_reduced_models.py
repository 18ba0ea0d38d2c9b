"""Reduced models: near the full run, on motions they have not seen, and where the standard one locks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import xarray as xr
from marks import slowly

from fairlead.model import System
from fairlead.reduction import ReductionError, compiled, error, galerkin, open_model, reduce
from fairlead.reduction.error import WELL
from fairlead.results import energy_balance
from fairlead.simulate import Simulation
from fairlead.statics import natural_modes, solve
from fairlead.studies.verification.checks.reduced_slack_cable import faster
from fairlead.studies.verification.checks.reduced_slack_cable import short as slack_cable

from .systems import in_the_sea


@cache
def run_in_the_sea(waves: bool) -> xr.Dataset:
    return Simulation(in_the_sea(waves)).run()


def test_two_field_follows_where_standard_galerkin_locks(plane):
    """Escalante et al., Example 1 over 20 s: the same nine shapes, with five tension modes and with none."""
    followed = error(galerkin(plane, 9, 5, enriched=False), plane).middle
    locked = error(galerkin(plane, 9, None), plane).middle
    assert followed < 0.003
    assert locked > 5.0 * followed


def test_standard_galerkin_locks_altogether_in_space(turned):
    assert error(galerkin(turned, 9, 3, enriched=False), turned).middle < 0.01
    assert error(galerkin(turned, 9, None), turned).middle > 0.1


def test_too_many_tension_modes_lock_and_supremizers_free_them(plane):
    """Six shapes cannot carry six tensions: an inf-sup condition, which one more shape for each of them meets."""
    try:
        plain = error(galerkin(plane, 6, 6, enriched=False), plane).middle
    except ReductionError:
        plain = np.inf
    assert plain > 0.03
    assert error(galerkin(plane, 6, 6), plane).middle < 0.005


@pytest.mark.parametrize(("modes", "tension_modes"), [(6, 5), (9, 10), (12, 14)])
def test_enriched_models_never_lock(plane, modes, tension_modes):
    assert error(galerkin(plane, modes, tension_modes), plane).middle < 0.01


@pytest.mark.parametrize("factor", [1.4, 0.6, *slowly(1.1, 0.9)])
def test_motions_it_has_not_seen(plane, factor):
    """Frequencies 10 % and 40 % away from those of the training: still within what `reduce` promises of the training
    itself, 1 %; and nowhere near it where the standard model locks."""
    full = Simulation(faster(slack_cable(1), factor)).run()
    followed = error(galerkin(plane, 12, 8), full).middle
    assert followed < WELL
    assert error(galerkin(plane, 9, None), full).middle > 5.0 * followed


def test_frequencies_come_from_above(turned):
    """Rayleigh and Ritz: about its equilibrium the reduced cable is never slower than the full one, and comes nearer to
    it with every shape; the slowest within 0.1 %."""
    full = solve(slack_cable(2))
    known = natural_modes(full.compiled, full.y, count=3).omega
    few, more = (
        natural_modes(own, own.initial_state(), count=3).omega
        for own in (compiled(slack_cable(2), galerkin(turned, *modes)) for modes in ((6, 4), (16, 8)))
    )
    assert (known < 1.0001 * more).all()
    assert (more < few).all()
    assert more == pytest.approx(known, rel=0.01)
    assert more[0] == pytest.approx(known[0], rel=1e-3)


@pytest.mark.parametrize("number", [1, 2])
def test_energy_is_kept_at_large_steps(number, plane, turned):
    run = plane if number == 1 else turned
    model = galerkin(run, 9, 4)
    balance = energy_balance(Simulation.of(compiled(slack_cable(number, step=0.05), model)).run())
    assert balance.error < 1e-6


def test_steps_do_not_touch_the_mesh(plane):
    """All that a step reads lies before the node tables and is as long for 16 elements as for 32."""
    fine = Simulation(slack_cable(1).with_settings(duration=5.0)).system
    data = fine.model_dump(mode="json", exclude_unset=True)
    data["cables"]["cable"]["elements"] = 32
    fine = System.model_validate(data).with_settings(step=0.0002)
    coarse = compiled(slack_cable(1), galerkin(plane, 6, 3))
    finer = compiled(fine, galerkin(Simulation(fine).run(), 6, 3))
    assert len(finer.work) == len(coarse.work)
    starts = [int(own.ints[own.schema.offset["node_row"]]) for own in (finer, coarse)]
    assert starts[0] == starts[1]
    assert finer.layout["extremes"].start == coarse.layout["extremes"].start


def test_drag_at_points_of_its_own():
    """In water, in a current: 24 Gauss points against the drag of all nodes; without drag it goes elsewhere."""
    system = in_the_sea()
    full = run_in_the_sea(waves=False)
    model = galerkin(full, 8, 6)
    assert error(model, full).middle < WELL
    data = system.model_dump(mode="json", exclude_unset=True)
    data["types"]["steel"]["drag"] = "none"
    assert error(model, full, system=System.model_validate(data)).middle > 10.0 * WELL


@pytest.mark.parametrize("waves", [True, *slowly(False)])
def test_energy_in_the_sea_is_kept_and_drag_takes_what_it_takes_from_the_full_cable(waves):
    """At a step 60 times that of the full run: what is stored and given balances to 1e-6, in waves too. What the water
    takes is that of the full run within twice the error of the motion, 1 %, since drag goes with its square."""
    system = in_the_sea(waves)
    full = run_in_the_sea(waves)
    reduced = Simulation.of(compiled(system.with_settings(step=0.025), galerkin(full, 10, 6))).run()
    assert energy_balance(reduced).error < 1e-6
    assert float(reduced["work_drag"][-1]) == pytest.approx(float(full["work_drag"][-1]), rel=2.0 * WELL)


@pytest.mark.parametrize("number", [1, *slowly(2)])
def test_tensions_and_forces_are_those_of_the_full_run(number):
    """Sample by sample, within the 1 % of the motion: in a cable whose stretching is damped (1 ms). Undamped, the full
    cable rings for ever at frequencies that no reduced model has and samples do not show."""
    data = slack_cable(number).model_dump(mode="json", exclude_unset=True)
    data["types"]["steel"]["damping_time"] = {"axial": 1e-3, "bending": 0, "torsion": 0}
    system = System.model_validate(data)
    full = Simulation(system).run()
    model = galerkin(full, 12, 8)
    reduced = Simulation.of(compiled(system.with_settings(step=0.0125, output_every=0.1), model)).run()
    settled = full["time"].values > 1.0  # the jerk of the start has faded
    for name in ("tension_effective", "force_end", "torsion"):
        own, known = reduced[name].values[settled], full[name].values[settled]
        assert np.sqrt(np.mean((own - known) ** 2)) <= WELL * np.sqrt(np.mean(known**2)), name


def test_the_number_of_modes_is_chosen_by_the_error(plane):
    coarse, fine = reduce(plane, tolerance=0.05), reduce(plane, tolerance=0.002)
    assert coarse.notes["error"] <= 0.05
    assert fine.notes["error"] <= 0.002
    assert coarse.notes["modes"] < fine.notes["modes"]


def test_a_model_in_a_file_runs_to_the_same_bits(plane, tmp_path):
    model = galerkin(plane, 6, 4)
    path = model.save(tmp_path / "cable.rom.nc")
    again = open_model(path)
    system = slack_cable(1, step=0.025)
    by_hand = Simulation.of(compiled(system, again)).run()
    by_file = Simulation(system, formulation="reduced", reduced={"model": str(path)}).run()
    assert np.array_equal(by_hand["position"].values, by_file["position"].values)
    assert np.array_equal(by_hand["position"].values, Simulation.of(compiled(system, model)).run()["position"].values)


def test_modes_of_a_chain_carry_an_elastic_cable():
    """Escalante et al., section 3: Galerkin on the modes of the rigid chain, the cable of straight Green elements."""
    from fairlead.studies.verification.checks.chain_singular_values import example as chain

    rigid = Simulation(chain(40, duration=5.0, step=0.005, output_every=0.05)).run()
    cable = chain(40).with_settings(
        formulation="lumped", duration=5.0, step=0.001, output_every=0.05, lumped={"strain": "green"}
    )
    full = Simulation(cable).run()
    locked = error(galerkin(rigid, 10, None, system=cable), full, 0.01, cable)
    followed = error(galerkin(rigid, 6, 3, system=cable), full, 0.01, cable)
    assert followed.anywhere < 0.006
    assert locked.anywhere > 2.0 * followed.anywhere


REFUSALS = [
    (lambda run: galerkin(run.isel(time=slice(0, 2)), 1, 1), "2 samples, fewer than 3"),
    (lambda run: galerkin(run, 200, 5), "200 modes were asked for and the snapshots hold"),
    (lambda run: galerkin(run, 5, 99), "99 tension modes were asked for and the snapshots hold"),
    (lambda run: galerkin(run, 5, 3, system=slack_cable(1).model_copy(update={"cables": {}})), "has no cables"),
    (lambda run: galerkin(_broken(run), 5, 3), "is no finite number"),
    (lambda run: galerkin(run, 5, 3, system=_with(environment={"seabed": {"depth": 50}})), "touch the seabed"),
    (lambda run: galerkin(run, 5, 3, system=_with(elements=8)), "they are of another system"),
    (lambda run: galerkin(run, 5, 3, system=_with(length=48.0)), "they are of another system"),
    (lambda run: galerkin(run, 5, 3, system=slack_cable(1).with_settings(formulation="bars")), "not quadratic"),
]


def _broken(run):
    copy = run.copy(deep=True)
    copy["position"][7, 0, 3, 0] = np.nan
    return copy


def _with(environment=None, **cable) -> System:
    data = slack_cable(1).model_dump(mode="json", exclude_unset=True)
    data["environment"] |= environment or {}
    data["cables"]["cable"] |= cable
    return System.model_validate(data)


@pytest.mark.parametrize(("attempt", "sentence"), REFUSALS)
def test_what_cannot_be_reduced_is_refused_with_a_sentence(plane, attempt, sentence):
    with pytest.raises(ReductionError, match=sentence):
        attempt(plane)
