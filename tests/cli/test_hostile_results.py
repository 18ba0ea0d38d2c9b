"""Damaged, foreign and changed results through every command that reads one: a sentence each, and never a traceback."""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from view.spreads import lowered_load

from fairlead.results import Restart
from fairlead.results.required import TOGETHER
from fairlead.results.stored import Stored
from fairlead.results.variables import PEAKS

COMMANDS = {
    "report": ("report", "run.nc", "-o", "page.html", "--no-open", "--tension-max", "60kN"),
    "view": ("view", "run.nc", "-o", "page.html", "--no-open"),
    "film": ("film", "run.nc", "-o", "film.gif", "--size", "160x120", "--rate", "1", "--speed", "60"),
    "plot": ("plot", "run.nc", "-o", "pictures", "--kind", "envelopes"),
    "csv": ("export", "run.nc", "-o", "run.csv"),
    "vtk": ("export", "run.nc", "-o", "run.vtk"),
    "reduce": ("reduce", "run.nc", "-o", "run.rom.nc"),
    "resume": ("run", "chain.yaml", "-o", "run.nc", "--resume", "--duration", "2", "--quiet"),
}
OF_MODELS = {name: (name, "run.nc") for name in ("check", "run", "statics", "modes", "converge", "compare", "cosim")}
"""Commands that read a model, or a set-up of several, given a result by mistake."""
CURES = ("run its input file again", "take it as it was", "start a new run", "start the run again", "name a",
         "name the", "check its", "check the", "run it again", "give a longer duration")  # fmt: skip


@pytest.fixture(scope="module")
def kept() -> dict[str, bytes]:
    """The result that the first of these tests has made."""
    return {}


@pytest.fixture
def ran(fairlead, chain_file, toy_formulation, kept) -> Path:
    """A whole result in the working folder, which is left for each case."""
    if not kept:
        fairlead("run", chain_file, "--duration", "1", "-o", "run.nc", "--quiet")
        kept["run.nc"] = Path("run.nc").read_bytes()
    Path("run.nc").write_bytes(kept["run.nc"])
    return Path("run.nc")


def told(fairlead, command: str) -> str:
    """The one sentence that a command refuses with."""
    done = fairlead(*COMMANDS[command])
    assert done.exit_code == 2, (command, done.output)
    assert done.stdout == ""
    line = done.stderr.strip().splitlines()[-1]
    assert any(cure in line for cure in CURES), line
    assert len(line) < 400
    return line


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def a_bit(path: Path) -> None:
    """In the middle of what is stored of the places."""
    with h5py.File(path, "r") as file:
        data = file["position"]
        start = data.id.get_offset() if data.chunks is None else data.id.get_chunk_info(0).byte_offset
    content = bytearray(path.read_bytes())
    content[start + 48] ^= 1
    path.write_bytes(bytes(content))


def replaced(make):
    def act(path: Path) -> None:
        path.unlink()
        make(path)

    return act


def huge(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file.create_dataset("position", shape=(30_000, 1_000_000), chunks=(1, 1000), dtype="f8")


def linked_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


FILES = {
    "half of it": cut,
    "a flipped bit": a_bit,
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("hello, I am no result"),
    "classic NetCDF": lambda path: path.write_bytes(b"CDF\x01 and so on"),
    "the signature alone": lambda path: path.write_bytes(b"\x89HDF\r\n\x1a\n"),
    "zeros": lambda path: path.write_bytes(bytes(5000)),
    "another HDF5 file": replaced(lambda path: h5py.File(path, "w").close()),
    "more than it can hold": replaced(huge),
    "a folder": replaced(lambda path: path.mkdir()),
    "a pipe": replaced(os.mkfifo),
    "a link to itself": replaced(linked_to_itself),
    "a device": replaced(lambda path: path.symlink_to("/dev/zero")),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_no_whole_result(fairlead, ran, kind):
    FILES[kind](ran)
    for command in COMMANDS:
        if command == "resume" and kind == "a link to itself":
            continue  # no such file: it is said that there is nothing to go on from
        assert "run.nc" in told(fairlead, command), command


@pytest.mark.parametrize("kind", [None, *FILES])
def test_a_result_where_a_model_belongs(fairlead, ran, kind):
    """Whole or damaged: one sentence that names the file, at once and without reading all of it."""
    if kind is not None:
        FILES[kind](ran)
    for command, words in OF_MODELS.items():
        done = fairlead(*words)
        assert done.exit_code == 2, (command, done.output)
        assert "run.nc" in done.stderr, command
        assert "Traceback" not in done.output, command
        assert len(done.stderr) < 2000, command


def test_a_link_to_a_result_is_that_result(fairlead, ran):
    ran.rename("there.nc")
    ran.symlink_to("there.nc")
    for command in ("csv", "view", "resume"):
        assert fairlead(*COMMANDS[command]).exit_code == 0


def test_a_file_that_may_not_be_read(fairlead, ran, monkeypatch):
    plain = os.open

    def refuse(path, *rest):
        if Path(path).name == "run.nc":
            raise PermissionError(13, "Permission denied")
        return plain(path, *rest)

    with monkeypatch.context() as patch:
        patch.setattr("fairlead.results.stored.os.open", refuse)
        said = {command: told(fairlead, command) for command in ("report", "csv", "resume")}
    assert all("cannot be read (Permission denied); check its permissions" in line for line in said.values())


def changed_state(**changes):
    """A state that someone has put another one in the place of, with the right hash."""

    def act(path: Path) -> None:
        with h5py.File(path, "r+") as file:
            group = file["restart"]
            numbers = {name: np.asarray(group.attrs[name]).item() for name in ("time", "steps", "samples")}
            texts = {name: str(group.attrs[name]) for name in ("layout", "input_hash")}
            new = replace(Restart(y=group["y"][...], **numbers, **texts), **changes)
            del group["y"]
            group["y"] = new.y
            for name in ("time", "steps", "samples", "layout", "input_hash", "seal"):
                group.attrs[name] = getattr(new, name)

    return act


def within(act):
    def change(path: Path) -> None:
        with h5py.File(path, "r+") as file:
            act(file)

    return change


STATES = {
    "no number": (changed_state(y=np.full(44, np.nan)), "number 0 of 'position' is not finite"),
    "too short": (changed_state(y=np.zeros(43)), r"has shape (44,), not (43,)"),
    "a table": (changed_state(y=np.zeros((44, 1))), r"has shape (44,), not (44, 1)"),
    "samples that are not there": (changed_state(samples=12, time=1.1), "holds 11 samples of the 12"),
    "no samples": (changed_state(samples=0), "is none of the samples asked for"),
    "a time that is none": (changed_state(time=float("nan")), "is none of the samples asked for"),
    "another system": (changed_state(layout="other"), "was written with another layout"),
    "another input": (changed_state(input_hash="other"), "the input differs"),
    "no state": (within(lambda file: file.pop("restart")), "holds no state to resume from"),
    "another hash": (within(lambda file: file["restart"].attrs.update(seal="0" * 64)), "damaged"),
    "no time": (within(lambda file: file["restart"].attrs.pop("time")), "damaged"),
    "no seals": (within(lambda file: file.pop("seals")), "another program has changed the file"),
    "a journal elsewhere": (
        within(lambda file: file.create_group("journal").attrs.update(name="../x", identity="0", samples=1, seal="0")),
        "damaged",
    ),
}


@pytest.mark.parametrize("kind", STATES)
def test_a_state_that_no_run_left(fairlead, ran, kind, monkeypatch):
    """It is refused, and the file is left as it is, with nobody holding it open."""
    act, words = STATES[kind]
    act(ran)
    before = ran.read_bytes()
    opened = []
    monkeypatch.setattr(Stored, "__enter__", lambda stored: opened.append(stored) or stored)
    assert words in told(fairlead, "resume")
    assert ran.read_bytes() == before
    assert opened
    assert all(stored._file.closed for stored in opened)


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """`changed(dataset)`: what the file run.nc holds, as if another program had written it."""
    monkeypatch.chdir(tmp_path)
    h5py.File("run.nc", "w").close()
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    return lambda dataset: monkeypatch.setattr(Stored, "_opened", lambda self: dataset.copy())


def assigned(name: str, change):
    return lambda run: run.assign({name: change(run[name])})


def told_otherwise(*path: str | int):
    """The settings with a word where something else is told."""

    def act(run):
        settings = json.loads(run.attrs["settings"])
        inner = settings
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = "word"
        return run.assign_attrs(settings=json.dumps(settings))

    return act


REFUSED = {
    **{f"no {name}": (lambda run, name=name: run.drop_vars(name)) for name in ("cable", "time", "velocity")},
    **{f"no {name}": (lambda run, name=name: run.drop_vars(name)) for name in ("point_position", "arc_length")},
    **{f"no {names[0]}": (lambda run, name=names[0]: run.drop_vars(name)) for names in TOGETHER},
    "turned about": assigned("tension_effective_max", lambda v: v.transpose()),
    "a mean": assigned("force_end_max", lambda v: v.mean("end")),
    "energy once": lambda run: run.drop_vars("work_drag").assign(work_drag=3.0),
    "a winch without time": lambda run: run.drop_vars("wire.winch.length").assign({"wire.winch.length": 3.0}),
    "whole numbers": assigned("velocity", lambda v: v.astype(int)),
    "no samples": lambda run: run.isel(time=slice(0)),
    "no cables": lambda run: run.isel(cable=slice(0)),
    "one node": lambda run: run.isel(node=slice(1)),
    "no nodes": lambda run: run.assign_coords(node_count=("cable", [0])),
    "a plane": lambda run: run.isel(axis=slice(2)),
    "time that stands": lambda run: run.assign_coords(time=0.0 * run.time),
    "lengths that are no numbers": assigned("arc_length", lambda v: v * np.nan),
    "lengths backwards": assigned("arc_length", lambda v: -v),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_result_that_another_program_has_spoilt(fairlead, changed, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        changed(REFUSED[kind](lowered_load(samples=5)))
    for command in ("report", "view", "film", "plot", "csv", "vtk", "reduce"):
        assert told(fairlead, command).startswith("run.nc: is not a result of Fairlead ("), command


HARMLESS = {
    "no angles of pull": lambda run: run.drop_vars("uplift_angle"),
    "no speeds of points": lambda run: run.drop_vars("point_velocity"),
    "one sample": lambda run: run.isel(time=slice(1)),
    "no title": lambda run: run.assign_attrs(title=np.arange(3.0)),
    "of another version": lambda run: run.assign_attrs(fairlead_version="99.9", formulation="unheard_of"),
    "settings that are a list": lambda run: run.assign_attrs(settings="[1]"),
    "settings without end": lambda run: run.assign_attrs(settings="[" * 20_000),
    "waves without end": lambda run: run.assign_attrs(wave_components="[" * 20_000),
    "no extremes": lambda run: run.drop_vars([p.name for p in PEAKS if p.name in run]),
    "tensions that are no numbers": assigned("tension_effective", lambda v: v * np.nan),
    "tensions without measure": assigned("tension_effective", lambda v: v * 0.0 + 1e300),
    "energy without measure": assigned("energy_elastic", lambda v: v + np.inf),
    "the same name twice": lambda run: run.assign_coords(point=["load", "load"]),
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_a_result_that_is_strange_and_whole(fairlead, changed, kind):
    changed(HARMLESS[kind](lowered_load(samples=5)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for command in ("report", "view", "csv", "vtk"):
            done = fairlead(*COMMANDS[command])
            assert done.exit_code == 0, (command, done.output)
            assert done.stderr == ""


@pytest.mark.parametrize("command", ["film", "plot"])
def test_no_numbers_at_all_are_drawn_or_refused(fairlead, changed, command):
    run = lowered_load(samples=3)
    nothing = {name: v * np.nan for name, v in run.data_vars.items() if v.dtype.kind == "f"}
    changed(run.assign(nothing))
    done = fairlead(*COMMANDS[command])
    assert done.exit_code in (0, 2), done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "path",
    [("environment", "seabed", "depth"), ("bodies", "load", "volume"), ("cables", "wire", "attachments", 0, "at")],
)
def test_settings_that_another_program_has_changed_are_told_of_the_file(fairlead, changed, path):
    changed(told_otherwise(*path)(lowered_load(samples=3)))
    line = told(fairlead, "view")
    assert line.startswith("run.nc: this cannot be made of it (ValueError: could not convert string to float: 'word')")
    assert "another program has written or changed the file" in line


def test_a_fault_of_the_program_is_not_put_on_a_sealed_file(fairlead, ran, monkeypatch):
    def broken(*_, **__):
        raise KeyError("a fault")

    monkeypatch.setattr("fairlead.exchange.export", broken)
    with pytest.raises(KeyError, match="a fault"):
        fairlead(*COMMANDS["csv"])
