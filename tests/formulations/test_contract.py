"""What every formulation has in common."""

from __future__ import annotations

import pytest

from fairlead.algebra.records import WORK, Schema, Table
from fairlead.formulations import EXPORTING, NAMES, compile_system
from fairlead.formulations.contract import Layout
from fairlead.formulations.kernel_compiled import KernelCompiled, places_along
from fairlead.shape.layout import first_geometry

from .test_short_runs import wire


def test_a_part_of_the_state_that_is_not_there_is_named_with_those_that_are():
    layout = Layout.of(("position", 6, "m", 1.0), ("steps", 1, "1", 0.0))
    assert layout["steps"] == slice(6, 7)
    with pytest.raises(KeyError, match="no part of the state is called 'velocity'; there are: position, steps"):
        layout["velocity"]


def compiled(formulation: str) -> KernelCompiled:
    system = wire(formulation)
    found = compile_system(system, first_geometry(system))
    assert isinstance(found, KernelCompiled)
    return found


@pytest.mark.parametrize("formulation", [name for name in NAMES if name != "reduced"])
def test_every_status_of_a_kernel_is_told_in_words_with_time_place_and_cure(formulation):
    system = compiled(formulation)
    fault = system.tables(system._y0).block("fault")
    for status in system.statuses:
        fault[0] = (1.5, 0, 3)
        if not system.places(status):
            continue  # it happens at junctions, and there are none
        told = system.failure(status, 1.5, system.initial_state())
        assert told.time == 1.5
        assert "wire" in told.place or "'A'" in told.place
        assert told.what
        assert told.cause
        assert any(word in told.cure for word in ("use", "check", "give"))


def test_places_are_counted_as_the_file_does_whichever_way_a_cable_is_stored():
    there, back = places_along(("a", "b"), (3, 2), "element", (False, True))
    assert there == tuple(f"cable 'a', element {k} of 3" for k in (1, 2, 3))
    assert back == ("cable 'b', element 2 of 2", "cable 'b', element 1 of 2")
    assert places_along(("a",), (1,), "node", first=0) == (("cable 'a', node 0 of 1", "cable 'a', node 1 of 1"),)


def test_the_formulations_that_can_be_an_fmu_say_so_themselves():
    able = {name for name in NAMES if name != "reduced" and compiled(name).exports}
    assert able == set(EXPORTING)


def test_a_formulation_without_a_place_for_faults_or_for_the_adaptive_step_is_no_formulation():
    class Kernels(KernelCompiled):  # the words are not asked for here
        schema = Schema("toy", "nodes", "", Table("fault", WORK, "time place part"))

    with pytest.raises(TypeError, match="no table 'fault'"):

        class NoFault(Kernels):
            schema = Schema("toy", "nodes", "", Table("scratch", WORK, "number"))

    with pytest.raises(TypeError, match="no table 'adaptive_step'"):

        class NoStep(Kernels):
            rhs = staticmethod(lambda *_: 0)
