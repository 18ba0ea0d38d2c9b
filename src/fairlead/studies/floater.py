"""A floater by its coefficients, in the frequency domain: periods, responses, checks; with its lines, from its file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead import __version__
from fairlead.floaters import DOFS, CoefficientError, Coefficients, RadiationFit, fit_radiation, read
from fairlead.floaters.checks import Finding, findings, haskind_ratio, is_round
from fairlead.floaters.equilibrium import AtRest, closing
from fairlead.floaters.frequency import (
    Floater,
    Impedance,
    Mode,
    natural_modes,
    paired,
    responses,
    rigid_mass,
    spectrum,
    standard_deviations,
    weight_stiffness,
)
from fairlead.floaters.kernels import infinite_added_mass, memory
from fairlead.floaters.reading import MESHES
from fairlead.floaters.surroundings import step_findings
from fairlead.floaters.waters import Water, water_findings, waters_of
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import FloatingBody, JonswapWaves, ModelError, System, load
from fairlead.model.bodies import rotation_matrix
from fairlead.statics import StaticsError
from fairlead.statics.mooring import Mooring, moorings

from .floater_lines import DynamicLines

if TYPE_CHECKING:
    import xarray as xr

FREQUENCIES = 300
MEMORY = 60.0
"""Length of K(t) that is shown, s."""
ROUNDING = 1e-9
STILL = "with the stiffness of the lines at rest"


@dataclass(frozen=True)
class FloaterReport:
    """What coefficients say of one water: of its floaters with and without their lines where a system tells more."""

    title: str
    names: tuple[str, ...]
    coefficients: Coefficients
    fit: RadiationFit
    findings: tuple[Finding, ...]
    heading: float
    """Direction the waves of the responses run towards, in the floaters' axes, rad."""
    omega: np.ndarray
    """(n,) of the responses, rad/s."""
    modes: tuple[Mode, ...] = ()
    """Without lines."""
    moored_modes: tuple[Mode, ...] = ()
    pairs: tuple[tuple[Mode | None, Mode | None], ...] = ()
    """Modes without and with lines that are most alike; alone where there is none."""
    free: np.ndarray | None = None
    """Responses (n, 6N) without lines."""
    moored: np.ndarray | None = None
    """With the lines' impedance, inertia and linearised drag in it, and with power take-offs."""
    lines: tuple[Mooring, ...] = ()
    sea: dict[str, Any] | None = None
    """Standard deviations and mean drift in the sea of the file."""
    line_words: str = ""
    """What the moored responses hold of the lines."""

    @property
    def haskind(self) -> np.ndarray | None:
        """Damping by Haskind over that of the file, of surge, sway and heave; None without headings all round."""
        return haskind_ratio(self.coefficients) if is_round(self.coefficients) else None

    @property
    def periods(self) -> list[dict[str, Any]]:
        """Natural periods without lines beside those of the most similar mode with lines; the damping is the last's."""
        found = []
        for pair in self.pairs:
            free, moored = (None if mode is None else mode.period for mode in pair)
            last = next(mode for mode in reversed(pair) if mode is not None)
            found.append(
                {"motion": last.motion, "without_lines": free, "with_lines": moored,
                 "damping_ratio": last.damping_ratio}
            )  # fmt: skip
        return found

    def _motion(self, i: int) -> str:
        """The name of a motion, of several bodies with whose it is."""
        if self.coefficients.bodies == 1:
            return DOFS[i % 6]
        return f"{DOFS[i % 6]} of {self.names[i // 6] if self.names else f'body {i // 6 + 1}'}"

    def summary(self) -> dict[str, Any]:
        """Everything as plain values in SI units, angles in degrees, ready for JSON."""
        data, fit = self.coefficients, self.fit
        ratio = self.haskind
        return {
            "title": self.title,
            "bodies": list(self.names) or data.bodies,
            "coefficients": {
                "source": data.source,
                "format": data.format,
                "frequencies": [float(data.omega[0]), float(data.omega[-1]), len(data.omega)],
                "headings_deg": np.degrees(data.headings).tolist(),
                "depth": data.depth,
                "water_density": data.density,
                "gravity": data.gravity,
                "notes": list(data.notes),
            },
            "radiation": {
                "blocks": [[self._motion(i) for i in block] for block in fit.blocks],
                "orders": list(fit.orders),
                "errors": list(fit.errors),
                "met": fit.met,
                "added_mass_infinite": fit.added_mass_infinite.tolist(),
            },
            "haskind": None if ratio is None else ratio.tolist(),
            "ogilvie": _ogilvie(data),
            "modes": [_mode(mode) for mode in self.modes],
            "modes_moored": [_mode(mode) for mode in self.moored_modes],
            "periods": self.periods,
            "mooring": [
                {"name": name, "pull": line.pull.tolist(), "stiffness": without_rounding(line.stiffness).tolist()}
                for name, line in zip(self.names, self.lines, strict=False)
            ],
            "responses": None if self.free is None else self._responses(),
            "sea": self.sea,
            "findings": [
                {"level": one.level, "check": one.check, "text": one.text, "cure": one.cure} for one in self.findings
            ],
        }

    def _responses(self) -> dict[str, Any]:
        assert self.free is not None
        found: dict[str, Any] = {"heading_deg": math.degrees(self.heading), "omega": self.omega.tolist()}
        found["lines"] = self.line_words
        for name, table in (("free", self.free), ("moored", self.moored)):
            if table is not None:
                found[name] = {
                    "amplitude": np.abs(table).tolist(), "phase_deg": np.degrees(np.angle(table)).tolist(),
                }  # fmt: skip
        return found

    def dataset(self) -> xr.Dataset:
        """Responses, coefficients and the memory of the water, to be drawn or kept."""
        import xarray as xr

        data, size = self.coefficients, self.coefficients.stiffness.shape[0]
        bodies = self.names or tuple(str(i + 1) for i in range(data.bodies))
        motion = [f"{body}.{dof}" if len(bodies) > 1 else dof for body in bodies for dof in DOFS]
        time = np.linspace(0.0, MEMORY, 301)
        own = np.arange(size)
        fitted = replace(data, damping=self.fit.transfer(data.omega).real)  # within the data: beyond they tell nothing
        found = xr.Dataset(
            {
                "added_mass": (("omega", "motion"), data.added_mass[:, own, own]),
                "damping": (("omega", "motion"), data.damping[:, own, own]),
                "memory": (("lag", "motion"), memory(data, time)[:, own, own]),
                "memory_fitted": (("lag", "motion"), memory(fitted, time)[:, own, own]),
                "damping_fitted": (("omega", "motion"), fitted.damping[:, own, own]),
            },
            {"omega": data.omega, "motion": motion, "lag": time},
            {"title": self.title, "heading_deg": math.degrees(self.heading), "fairlead_version": __version__},
        )
        for name, table in (("free", self.free), ("moored", self.moored)):
            if table is not None:
                dims = ("response_omega", "motion")
                found[f"response_{name}"] = (dims, np.abs(table))
                found[f"phase_{name}"] = (dims, np.degrees(np.angle(table)))
        if self.free is not None:
            found = found.assign_coords(response_omega=self.omega)
        return found


def without_rounding(stiffness: np.ndarray) -> np.ndarray:
    """A matrix with 0 for what is nothing but rounding, next to its diagonal."""
    size = np.sqrt(np.abs(np.diag(stiffness)))
    return np.where(np.abs(stiffness) > ROUNDING * np.outer(size, size), stiffness, 0.0)


def _mode(mode: Mode) -> dict[str, Any]:
    return {
        "motion": mode.motion, "period": mode.period, "damping_ratio": mode.damping_ratio, "shape": mode.shape.tolist(),
    }  # fmt: skip


def _ogilvie(data: Coefficients) -> list[float] | None:
    """A∞ made from A and B over that of the file, of surge, sway and heave."""
    if data.added_mass_infinite is None:
        return None
    made = np.diag(infinite_added_mass(data).value)[:3]
    given = np.diag(data.added_mass_infinite)[:3]
    return [float(a / b) if b else math.nan for a, b in zip(made, given, strict=True)]


def of_file(path: str | Path, heading: float = 0.0, **options: Any) -> FloaterReport:
    """A report on a file of coefficients alone; options are those of `fairlead.floaters.read`.

    Of a mesh (.stl, .obj, ...) the coefficients are computed, where capytaine is installed; with a `format` the file
    holds them, whatever its name. A mesh knows `water_density`, `gravity` and `depth` alone.
    """
    options = {name: value for name, value in options.items() if value is not None}
    if "format" not in options and Path(path).suffix.lower() in MESHES:
        from fairlead.hydro.by_capytaine import coefficients_of

        data = coefficients_of(path, **options)
    else:
        data = read(path, **options)
    found = (*findings(data), *_missing(data))
    return FloaterReport(Path(path).name, (), data, fit_radiation(data), found, heading, _frequencies(data))


def _missing(data: Coefficients) -> Iterator[Finding]:
    """What coefficients alone cannot tell."""
    if not data.has_excitation:
        text = "there are no forces of waves among them, and none would move it"
        yield Finding("note", "excitation", text, "compute them too (WAMIT and HAMS write them to .3)")
    text = "periods and responses need its mass and its lines"
    yield Finding("note", "mass", text, "describe it in a file as a body of 'kind: floating'")


def of_system(
    system: System | str | Path, heading: float | None = None, refine: bool = True, dynamic_lines: bool = True
) -> list[FloaterReport]:
    """Reports on the floaters of a system, one for all that share a water; `heading` [rad] is that of its waves.

    refine         whether the stiffness of lines that touch down is that of short elements (see `statics.refinement`)
    dynamic_lines  whether moored responses hold inertia and drag of the lines, or their stiffness at rest alone
    """
    system = load(system) if isinstance(system, (str, Path)) else system
    waters = waters_of(system, checked=False)
    if not waters:
        raise CoefficientError("the system has no body of 'kind: floating'")
    lines = moorings(system, refine)
    return [_report(system, water, lines, heading, dynamic_lines) for water in waters]


def refused(system: System) -> list[str]:
    """What `fairlead floater` warns of in a system to be run; what it calls an error is raised as a `ModelError`.

    A floater that sinks, trims or capsizes, coefficients that cannot be right, a step too long; nothing without one.
    """
    if not any(isinstance(body, FloatingBody) for body in system.bodies.values()):
        return []
    waters_of(system)
    reports = of_system(system, refine=False, dynamic_lines=False)
    found = [(_place(report.names, one), one) for report in reports for one in report.findings]
    problems = [system.problem(place, one.text, one.cure) for place, one in found if one.level == "error"]
    if problems:
        raise ModelError(problems)
    return [f"{place}: {one}" for place, one in found if one.level == "warning"]


def unsteady(system: System) -> list[str]:
    """Of the same what statics is about: a floater that sinks, trims or capsizes far from where its coefficients are
    for is raised as a `ModelError`, as before a run; those a little off are told."""
    lines = moorings(system, refine=False)
    found: list[tuple[str, Finding]] = []
    for water in waters_of(system, checked=False):
        for i, name in enumerate(water.names):
            body = system.bodies[name]
            assert isinstance(body, FloatingBody)
            at_rest = _at_rest(system, body, name, water.coefficients, i, lines[name])
            found += [(f"bodies.{name}", one) for one in closing(at_rest)]
    problems = [system.problem(place, one.text, one.cure) for place, one in found if one.level == "error"]
    if problems:
        raise ModelError(problems)
    return [f"{place}: {one}" for place, one in found if one.level == "warning"]


def _place(names: tuple[str, ...], finding: Finding) -> str:
    """Where in the file a finding about these floaters belongs: it names the one it is about, or is about all."""
    if finding.check == "step":
        return "simulation.step"
    return f"bodies.{next((name for name in names if repr(name) in finding.text), names[0])}"


def _frequencies(data: Coefficients) -> np.ndarray:
    """Even in frequency for short waves, in period for long ones."""
    low, high = float(data.omega[0]), float(data.omega[-1])
    return np.unique(np.concatenate([np.linspace(low, high, FREQUENCIES), np.geomspace(low, high, FREQUENCIES)]))


def _report(
    system: System, water: Water, lines: dict[str, Mooring], heading: float | None, dynamic_lines: bool
) -> FloaterReport:
    names, data = water.names, water.coefficients
    size = 6 * len(names)
    mass, weight, damping, mooring = (np.zeros((size, size)) for _ in range(4))
    found: list[Finding] = [one for _, one in water_findings(system, water)]
    environment = system.environment
    for i, name in enumerate(names):
        body, own = system.bodies[name], slice(6 * i, 6 * i + 6)
        assert isinstance(body, FloatingBody)
        centre = np.array(body.centre_of_mass)
        mass[own, own] = rigid_mass(body.mass, centre, np.array(body.inertia))
        weight[own, own] = weight_stiffness(body.mass * environment.gravity, centre)
        if body.damping.linear is not None:
            damping[own, own] = np.array(body.damping.linear)
        mooring[own, own] = lines[name].stiffness
        found += closing(_at_rest(system, body, name, data, i, lines[name]))
    floater = Floater(data.symmetric(), mass, weight, damping)
    stiffened, damped = _take_offs(system, names)
    on_lines = natural_modes(floater, mooring)  # take-offs may be as stiff as guides: steps take them implicitly
    held, mooring = replace(floater, damping=damping + damped), mooring + stiffened
    modes, moored_modes = natural_modes(floater, None, names), natural_modes(held, mooring, names)
    pairs = paired(modes, moored_modes, mass + floater.coefficients.added_mass_at(np.inf))
    waves = environment.waves
    periods = [mode.period for mode in on_lines]
    found += step_findings(system.simulation.step, periods, None if waves is None else waves.main_period)
    first = system.bodies[names[0]]
    yaw = math.radians(first.orientation_deg[2])
    if heading is None:
        heading = (math.radians(waves.direction_deg) if waves is not None else 0.0) - yaw
    omega = _frequencies(data)
    free = moored = None
    words = STILL
    try:
        if data.has_excitation:
            free, holding = responses(floater, omega, heading), mooring
            if dynamic_lines and system.cables:
                holding, words, more = _dynamic(system, names, held, mooring, stiffened, omega, heading)
                found += more
            moored = responses(held, omega, heading, holding)
    except CoefficientError as reason:
        found.append(Finding("warning", "heading", str(reason)))
    fit = water.fit if water.fit is not None and len(water.fit.poles) else fit_radiation(data)
    order = ("error", "warning", "note")
    unique = tuple(sorted(dict.fromkeys(found), key=lambda one: order.index(one.level)))
    return FloaterReport(
        system.title or names[0], names, data, fit, unique, heading, omega, tuple(modes), tuple(moored_modes),
        tuple(pairs), free, moored, tuple(lines[name] for name in names),
        _sea(system, water, held, mooring, heading, omega, moored), words,
    )  # fmt: skip


def _dynamic(
    system: System, names: tuple[str, ...], held: Floater, mooring: np.ndarray, steady: np.ndarray, omega: np.ndarray,
    heading: float,
) -> tuple[Impedance, str, list[Finding]]:  # fmt: skip
    """The lines as an impedance, in words, and what is to be said: where there is none, their stiffness at rest."""
    steady = steady.copy()
    for i, name in enumerate(names):
        body = system.bodies[name]
        assert isinstance(body, FloatingBody)
        if body.mooring is not None:
            own = slice(6 * i, 6 * i + 6)
            steady[own, own] += np.array(body.mooring.matrix)
    try:
        lines = DynamicLines(system, names, held, steady, omega, heading)
    except (UnsupportedSystem, StaticsError) as reason:
        text = f"the moored responses leave out inertia and drag of the lines: {reason}"
        return mooring, STILL, [Finding("note", "lines", text)]
    return lines, f"with the inertia of the lines and {lines.words}", []


def _take_offs(system: System, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping (6N, 6N) of the power take-offs of floaters that share a water, to each other and to earth.

    ṡ = J V with J = [n, arm × n] of the second less that of the first, each in its own axes: k JᵀJ and c JᵀJ.
    """
    stiffness, damping = (np.zeros((6 * len(names), 6 * len(names))) for _ in range(2))
    for pto in system.ptos.values():
        ends = [(name, system.bodies[name]) for name in pto.between if name in system.bodies]
        if not all(name in names for name, _ in ends):
            continue
        first = ends[0][1]
        assert isinstance(first, FloatingBody)
        turn = np.array(rotation_matrix(first.orientation_deg))
        axis = turn @ np.array(pto.axis) / math.hypot(*pto.axis)
        place, J = np.array(first.position) + turn @ np.array(pto.at), np.zeros(6 * len(names))
        for sign, (name, body) in zip((-1.0, 1.0), ends, strict=False):
            assert isinstance(body, FloatingBody)
            back, at = np.array(rotation_matrix(body.orientation_deg)).T, 6 * names.index(name)
            arm, n = back @ (place - np.array(body.position)), back @ axis
            J[at : at + 6] = sign * np.concatenate([np.zeros(3), n] if pto.rotation else [n, np.cross(arm, n)])
        stiffness += pto.stiffness * np.outer(J, J)
        damping += pto.damping * np.outer(J, J)
    return stiffness, damping


def _at_rest(system: System, body: FloatingBody, name: str, data: Coefficients, i: int, line: Mooring) -> AtRest:
    environment, own = system.environment, slice(6 * i, 6 * i + 6)
    volume = body.volume if body.volume is not None else float(data.volume[i])
    centre = np.array(body.centre_of_mass)
    if body.centre_of_buoyancy is not None:
        buoyancy = np.array(body.centre_of_buoyancy)
    else:
        known = data.centre_of_buoyancy[i]
        buoyancy = known if np.isfinite(known).all() else np.array([centre[0], centre[1], 0.0])
    said = body.stiffness.includes_weight
    return AtRest(
        name, body.mass, centre, volume, buoyancy, environment.water_density, environment.gravity,
        data.stiffness[own, own], data.stiffness_has_weight if said is None else said, line.pull, line.stiffness,
    )  # fmt: skip


def _sea(
    system: System, water: Water, floater: Floater, mooring: np.ndarray, heading: float, omega: np.ndarray,
    moored: np.ndarray | None,
) -> dict[str, Any] | None:  # fmt: skip
    """Standard deviations in an irregular sea of the file, mean drift and the offset it causes."""
    waves = system.environment.waves
    if not isinstance(waves, JonswapWaves) or moored is None:
        return None
    density = spectrum(omega, waves.significant_height, waves.peak_period, waves.gamma)
    deviation = standard_deviations(moored, omega, density)
    found: dict[str, Any] = {
        "significant_height": waves.significant_height, "peak_period": waves.peak_period,
        "standard_deviation": deviation.tolist(), "drift": {},
    }  # fmt: skip
    for i, name in enumerate(water.names):
        drift = water.drift.get(name)
        if drift is None:
            continue
        nearest = int(np.abs(np.angle(np.exp(1j * (drift.headings - heading)))).argmin())
        force = drift.mean_force(omega, density, nearest)
        own = slice(6 * i, 6 * i + 6)
        held = (floater.restoring + mooring)[own, own]
        alive = np.diag(held) > 0.0
        offset = np.zeros(6)
        offset[alive] = np.linalg.solve(held[np.ix_(alive, alive)], force[alive])
        found["drift"][name] = {"force": force.tolist(), "offset": offset.tolist()}
    return found
