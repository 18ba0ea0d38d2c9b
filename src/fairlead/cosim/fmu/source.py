"""The compiled system as C: `model.c`, which `native/model.h` describes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.formulations.contract import Exportable
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.results import NODE_COLUMNS
from fairlead.rigging.anchor_pull import AnchorPulls
from fairlead.rigging.states import UNIT_TOLERANCE, StateRules
from fairlead.simulate import health

from .parameters import KEPT, Parameters
from .start import Start
from .variables import INPUT_LIMIT, Variable

_PER_LINE = 6


@dataclass(frozen=True)
class Content:
    """All that is compiled into an FMU."""

    compiled: KernelCompiled
    exportable: Exportable
    state: np.ndarray
    """At the start, (state,)."""
    start: Start
    parameters: Parameters
    step: float
    """Longest step, s."""
    variables: tuple[Variable, ...]
    """In the order of their value references, from 1 on; reference 0 is the time."""
    token: str
    fingerprint: int
    """64 bits that tell states of this FMU from those of others."""


def model_source(content: Content) -> str:
    """The text of `model.c`."""
    compiled = content.compiled
    sizes = {
        "state": content.state, "inputs": compiled.initial_inputs(), "ints": compiled.ints, "reals": compiled.reals,
        "work": compiled.work, "row": compiled.shape.empty_row(),
    }  # fmt: skip
    constants = [*compiled.reals.tolist(), *content.parameters.constants.tolist()]
    return "\n".join(
        [
            "/* The compiled system; written by Fairlead, not by hand. */",
            '#include <math.h>\n#include "model.h"',
            f"const char *const model_token = {text(content.token)};",
            f"const uint64_t model_fingerprint = {content.fingerprint:#x}u;",
            f"const double model_step = {real(content.step)};",
            f"const int64_t model_kind = {content.exportable.kind};",
            f"const int64_t model_substeps = {content.exportable.substeps};",
            *(f"const int64_t model_n_{name} = {len(values)};" for name, values in sizes.items()),
            array("int64_t", "ints", map(str, compiled.ints.tolist())),
            f"const int64_t model_n_constants = {len(constants)};",
            array("double", "reals", map(real, constants)),
            array("double", "state", map(real, content.state.tolist())),
            _nodes(compiled.shape.node_block.start, compiled.shape.node_block.stop),
            *_anchors(AnchorPulls.of(compiled.system, compiled.shape)),
            *_variables(content.variables),
            *_inputs(content),
            *_rules(compiled.state_rules()),
            *_parameters(content.parameters),
            *_start(content.start, content.parameters.start, compiled.reals),
            *_faults(content),
        ]
    )


def signals_source(
    variables: Sequence[Variable], ints: np.ndarray, reals: np.ndarray, token: str, fingerprint: int
) -> str:
    """The text of `model.c` for signals of time (`native/signals.c`): nothing to integrate, nothing to go wrong."""
    row = sum(len(v.columns) for v in variables)
    return "\n".join(
        [
            "/* Signals of time; written by Fairlead, not by hand. */",
            '#include <math.h>\n#include "model.h"',
            f"const char *const model_token = {text(token)};",
            f"const uint64_t model_fingerprint = {fingerprint:#x}u;",
            "const double model_step = 1.0;\nconst int64_t model_kind = 0;",
            "const int64_t model_n_state = 0, model_n_inputs = 0, model_n_work = 0;",
            f"const int64_t model_n_ints = {len(ints)}, model_n_reals = {len(reals)}, model_n_row = {row};",
            array("int64_t", "ints", map(str, ints.tolist())),
            f"const int64_t model_n_constants = {len(reals)};",
            array("double", "reals", map(real, reals.tolist())),
            array("double", "state", []),
            _nodes(0, 0),
            *_anchors(None),
            *_variables(variables),
            *_input_lines(np.empty(0), []),
            *_rules(StateRules()),
            *_parameters(Parameters()),
            *_start(Start(), KEPT, reals),
            "const int64_t model_n_faults = 1, model_fault_at = 0, model_n_blocks = 0, model_substeps = 1;",
            "const double model_first = 0.0;",
            *(f"const model_fault model_{name}[] = {{{{0}}}};" for name in ("faults", "first_faults")),
            "const model_fault model_not_finite = {0};",
            "const int64_t model_fault_place[] = {0};\nconst model_place model_fault_parts[] = {{0}};",
            "const char *const model_places[] = {0};\nconst model_block model_blocks[] = {{0}};",
        ]
    )


def _variables(variables: Sequence[Variable]) -> list[str]:
    records, columns = ['{"time", TIME, 0, 1}'], [0]
    for v in variables:
        records.append(f"{{{text(v.name)}, {v.causality.upper()}, {len(columns)}, {len(v.columns)}}}")
        columns += v.columns
    return [
        f"const int64_t model_n_variables = {len(records)};",
        array("model_variable", "variables", records),
        array("int64_t", "columns", map(str, columns)),
    ]


def _nodes(first: int, stop: int) -> str:
    numbers = {"first": first, "stop": stop, "columns": NODE_COLUMNS}
    return "\n".join(f"const int64_t model_node_{name} = {number};" for name, number in numbers.items())


def _anchors(pulls: AnchorPulls | None) -> list[str]:
    """Ends from whose forces the bed's share is taken off, as `Compiled.look` does it."""
    ends = () if pulls is None else zip(pulls.places, pulls.extremes, pulls.normals, strict=True)
    records = [
        f"{{{force.start}, {push.start}, {least[0]}, {least[1]}, {{{', '.join(map(real, normal.tolist()))}}}}}"
        for (force, push), least, normal in ends
    ]
    return [
        f"const int64_t model_n_anchors = {len(records)};",
        array("model_anchor", "anchors", records, "{0}"),
    ]


def _inputs(content: Content) -> list[str]:
    places = sorted(content.compiled.inputs.values(), key=lambda place: place.start)
    starts = np.zeros(len(content.compiled.initial_inputs()))
    for v in content.variables:
        if v.causality == "input":
            starts[list(v.columns)] = v.start
    return _input_lines(starts, [place.start for place in places])


def _input_lines(starts: np.ndarray, begins: Sequence[int]) -> list[str]:
    return [
        array("double", "starts", map(real, starts.tolist())),
        f"const int64_t model_n_groups = {len(begins)};",
        array("int64_t", "groups", map(str, [*begins, len(starts)])),
        f"const double model_input_limit = {real(INPUT_LIMIT)};",
    ]


def _rules(rules: StateRules) -> list[str]:
    bounds = (
        f"{{{b.place}, {int(b.whole)}, {b.count}, "
        + ", ".join(real(float(x)) for x in (b.low, b.high, b.low_slope, b.high_slope))
        + "}"
        for b in rules.bounds
    )
    return [
        f"const int64_t model_n_bounds = {len(rules.bounds)}, model_n_units = {len(rules.units)};",
        array("model_bound", "bounds", bounds, "{0}"),
        array("model_unit", "units", (f"{{{u.place}, {u.width}, {int(u.or_zero)}}}" for u in rules.units), "{0}"),
        f"const double model_unit_tolerance = {real(UNIT_TOLERANCE)};",
    ]


def _parameters(parameters: Parameters) -> list[str]:
    numbers = [
        f"{{{real(n.start)}, {real(n.low)}, {real(n.candidate.high)}, {int(n.shapes)}}}" for n in parameters.numbers
    ]
    tape = parameters.tape
    values, operations, conditions, found = ([], [], [], [])
    if tape is not None:
        values, operations, conditions = tape.values.tolist(), tape.operations.tolist(), tape.conditions.tolist()
        found = np.stack([tape.places, tape.of], axis=1).tolist()
    tables = {"operation": operations, "condition": conditions, "found": found}
    return [
        f"const int64_t model_n_parameters = {len(numbers)}, model_n_values = {len(values)};",
        array("model_parameter", "parameters", numbers or ["{0}"]),
        array("double", "values", map(real, values)),
        *(f"const int64_t model_n_{name}s = {len(rows)};" for name, rows in tables.items()),
        *(
            array(f"model_{name}", f"{name}s", (f"{{{', '.join(map(str, row))}}}" for row in rows), "{0}")
            for name, rows in tables.items()
        ),
    ]


def _start(start: Start, kind: str, reals: np.ndarray) -> list[str]:
    still, shapes, first = start.still, [], len(reals)
    for cable in start.cables:
        p, n = cable.place, cable.elements
        ends = ", ".join(_row(end) for end in (cable.start, cable.end))
        directions = f"{{{_row(p.directions[0])}, {_row(p.directions[1])}}}"
        where = f"{p.bodies}, {p.stride}, {p.multipliers}, {{{p.clamps[0]}, {p.clamps[1]}}}, {directions}"
        shapes.append(f"{{{text(cable.name)}, {n}, {int(p.reversed)}, {first}, {ends}, {where}}}")
        first += 7 * n + 3
    stills = [] if still is None else np.flatnonzero(still.reals != reals).tolist()
    kept = [] if still is None else [str(k) for pair in still.kept for k in pair]
    rates, moves = ([], []) if still is None else ([*map(str, still.rates)], [*map(str, still.moves)])
    return [
        f"const enum start_kind model_start = {kind};",
        f"const int64_t model_n_shapes = {len(shapes)};",
        array("model_shape", "shapes", shapes or ["{0}"]),
        f"const int64_t model_has_bed = {int(start.bed_slope is not None)};",
        array("double", "bed_slope", map(real, start.bed_slope or (0.0, 0.0))),
        f"const double model_relaxation_step = {real(start.step)};",
        f"const int64_t model_still_kind = {still.kind if still else 0};",
        array("int64_t", "still_ints", map(str, still.ints.tolist() if still else [])),
        f"const int64_t model_n_stills = {len(stills)};",
        array("model_still", "stills", [f"{{{k}, {real(float(still.reals[k]))}}}" for k in stills if still] or ["{0}"]),
        f"const int64_t model_n_rates = {len(rates)}, model_n_moves = {len(moves)};",
        array("int64_t", "rates", rates),
        array("int64_t", "moves", moves),
        f"const int64_t model_n_kept = {len(kept)};",
        array("int64_t", "kept", kept),
    ]


def _row(numbers: Iterable[float]) -> str:
    return f"{{{', '.join(real(float(x)) for x in numbers)}}}"


def _faults(content: Content) -> list[str]:
    """What the statuses of the kernel mean, in the words of the formulation, and names for the places of faults."""
    compiled, told = content.compiled, content.exportable
    every = range(1 + max(told.statuses))

    def meanings(time: float) -> list[str]:
        return [_fault(*compiled.words(s, time)) if s in told.statuses else "{0}" for s in every]

    names: list[str] = []
    parts: list[str] = []
    firsts = []
    for status in every:
        firsts.append(len(parts))
        for row in compiled.places(status) if status in told.statuses else ():
            parts.append(f"{{{len(names)}, {len(row)}}}")
            names += row
    blocks = [f"{{{text(b.name)}, {b.start}, {b.stop}}}" for b in compiled.layout.blocks]
    return [
        f"const int64_t model_n_faults = {len(every)}, model_fault_at = {told.fault};",
        array("model_fault", "faults", meanings(math.inf)),
        array("model_fault", "first_faults", meanings(0.0)),
        f"const double model_first = {real(compiled.first_steps)};",
        f"const model_fault model_not_finite = {_fault('a number is no longer finite', health.CAUSE, health.CURE)};",
        array("int64_t", "fault_place", map(str, [*firsts, len(parts)])),
        array("model_place", "fault_parts", parts, "{0}"),
        array("char *const", "places", map(text, names)),
        f"const int64_t model_n_blocks = {len(blocks)};",
        array("model_block", "blocks", blocks),
    ]


def _fault(what: str, cause: str, cure: str) -> str:
    return f"{{{text(what)}, {text(cause)}, {text(cure)}}}"


def array(kind: str, name: str, items: Iterable[str], zero: str = "0", prefix: str = "model") -> str:
    """A C array; an empty one gets one zero, since C has no empty arrays."""
    values = list(items) or [zero]
    lines = [", ".join(values[k : k + _PER_LINE]) for k in range(0, len(values), _PER_LINE)]
    return f"const {kind} {prefix}_{name}[] = {{\n    " + ",\n    ".join(lines) + "};"


def real(value: float) -> str:
    """A double, to the last bit."""
    if math.isfinite(value):
        return value.hex()
    return "NAN" if math.isnan(value) else ("INFINITY" if value > 0 else "-INFINITY")


def text(value: str) -> str:
    """A C string, in UTF-8; bytes beyond ASCII as octal, which ends after three digits whatever follows."""
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in value.encode())
    return f'"{"".join(plain)}"'
