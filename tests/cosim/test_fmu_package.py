"""What is in the file: description, binaries, names, and clear errors for what cannot be exported."""

from __future__ import annotations

import zipfile

import fmpy
import pytest
from fmpy.validation import validate_fmu

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link, packing
from fairlead.model import load_text

from .host import run_by_fmpy
from .systems import LINE, OUTPUTS


def test_fmpy_finds_nothing_wrong_with_it(path):
    assert validate_fmu(str(path)) == []


def test_variables_have_names_units_and_descriptions(path):
    description = fmpy.read_model_description(str(path))
    found = {v.name: v for v in description.modelVariables}
    assert all(v.description for v in found.values())
    if description.fmiVersion == "2.0":
        expected = {
            "top.position.z": "m", "upper.force_start.x": "N", "upper.position[5].y": "m",
            "lower.tension_effective[0]": "N", "top.position_reached.x": "m", "tension_max": "N", "time": "s",
        }  # fmt: skip
    else:
        expected = {
            "top.position": "m", "upper.force_start": "N", "upper.position": "m",
            "lower.tension_effective": "N", "top.position_reached": "m", "tension_max": "N", "time": "s",
        }  # fmt: skip
        assert [int(d.start) for d in found["upper.position"].dimensions] == [6, 3]
    assert {name: found[name].unit for name in expected} == expected
    assert found["time"].causality == "independent"
    assert float(description.defaultExperiment.stopTime) == 4.0
    assert float(description.defaultExperiment.stepSize) == 0.25


def test_the_input_file_goes_with_it_and_the_library_is_where_hosts_look(path):
    version = fmpy.read_model_description(str(path)).fmiVersion
    with zipfile.ZipFile(path) as archive:
        assert archive.read("resources/system.yaml").decode() == LINE
        folder = "linux64" if version == "2.0" else link.host()
        assert f"binaries/{folder}/line{version[0]}.so" in archive.namelist()


def test_what_was_changed_before_it_was_exported_goes_with_it():
    """`--set` on the command line, settings and values in Python."""
    system = load_text(LINE, "line.yaml").with_values({"environment.viscosity": 2e-6}).with_settings(duration=2.0)
    text = packing._text_of(system)
    assert load_text(text) == system
    assert load_text(LINE) != system


def test_the_same_system_gives_the_same_file_to_the_last_byte(path, tmp_path):
    version = fmpy.read_model_description(str(path)).fmiVersion
    again = tmp_path / path.name
    fmu.export(load_text(LINE, "line.yaml"), again, version, outputs=OUTPUTS, targets=[link.host()])
    assert again.read_bytes() == path.read_bytes()


def test_one_machine_links_for_all_of_linux(tmp_path):
    made = fmu.export(load_text(LINE, "line.yaml"), tmp_path / "both.fmu")
    assert made.targets == ("x86_64-linux", "aarch64-linux")
    assert not made.missing
    with zipfile.ZipFile(made.path) as archive:
        machines = [archive.read(f"binaries/{target}/both.so")[18] for target in made.targets]
    assert machines == [62, 183]


def test_names_with_hyphens_and_other_letters_are_carried(tmp_path):
    text = LINE.replace("upper:", "løfte-line:").replace("clump", "kløft-1")
    made = fmu.export(load_text(text, "line.yaml"), tmp_path / "7 seas.fmu", targets=[link.host()])
    assert validate_fmu(str(made.path)) == []
    seen = run_by_fmpy(made.path, 0.5)
    assert "løfte-line.force_start" in seen.dtype.names


def test_a_system_without_inputs_and_without_outputs_can_be_exported(tmp_path):
    text = LINE.replace("kind: controlled", "kind: fixed").split("        motion")[0].rstrip(",\n") + "}\n"
    text += LINE[LINE.index("  clump:") :]
    system = load_text(text, "still.yaml")
    for version in ("2.0", "3.0"):
        made = fmu.export(system, tmp_path / "still.fmu", version, outputs=(), parameters=(), targets=[link.host()])
        assert validate_fmu(str(made.path)) == []
        assert made.variables == ()


@pytest.mark.parametrize(
    ("settings", "options", "words"),
    [
        ("", {"version": "1.0"}, ["1.0", "2.0, 3.0"]),
        ("", {"outputs": ["uper.force_end"]}, ["uper.force_end", "upper.force_end"]),
        ("", {"targets": []}, ["at least one", "x86_64-linux"]),
        ("", {"communication_step": -1.0}, ["communication_step", "positive"]),
        ("", {"targets": ["pdp11-unix"]}, ["pdp11-unix", "aarch64-linux"]),
        (", integrator: rk4", {}, ["rk4", "semi_implicit"]),
    ],
)
def test_what_cannot_be_exported_is_said_with_its_cure(settings, options, words, tmp_path):
    system = load_text(LINE.replace("output_every: 0.25", f"output_every: 0.25{settings}"), "line.yaml")
    with pytest.raises(fmu.FmuError) as told:
        fmu.export(system, tmp_path / "never.fmu", **options)
    assert all(word in str(told.value) for word in words)
    assert not (tmp_path / "never.fmu").exists()


def test_inputs_of_the_file_are_the_host_s_to_give(tmp_path):
    system = load_text(LINE + '\ninputs: {"top.position": {constant: [0, 0, 0]}}\n', "line.yaml")
    with pytest.raises(fmu.FmuError, match=r"top\.position.*host.*signals"):
        fmu.export(system, tmp_path / "never.fmu")


def test_the_compiler_of_this_machine_does_where_there_is_no_zig(tmp_path, monkeypatch):
    monkeypatch.setattr(link, "has_zig", lambda: False)
    made = fmu.export(load_text(LINE, "line.yaml"), tmp_path / "own.fmu")
    assert made.targets == (link.host(),)
    assert set(made.missing) == {"x86_64-linux", "aarch64-linux"} - {link.host()}
    assert run_by_fmpy(made.path, 0.5)["tension_max"].min() > 0


def test_without_zig_only_this_machine_is_a_target_and_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(link, "has_zig", lambda: False)
    every = tuple(fmu.TARGETS)
    other = next(target for target in every if target != link.host())
    with pytest.raises(fmu.FmuError, match=r"fairlead\[fmu\]"):
        fmu.export(load_text(LINE, "line.yaml"), tmp_path / "other.fmu", targets=[other])
    monkeypatch.setattr(link.shutil, "which", lambda name: None)
    with pytest.raises(fmu.FmuError, match="no C compiler"):
        fmu.export(load_text(LINE, "line.yaml"), tmp_path / "none.fmu")
    assert link.linkable(every) == ()
