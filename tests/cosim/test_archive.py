"""FMUs from anywhere: what would write elsewhere or fill the disk is refused with a sentence before it is unpacked."""

from __future__ import annotations

import stat
import sys
import zipfile
from pathlib import Path

import pytest

from fairlead.cosim import archive
from fairlead.cosim.errors import CosimError
from fairlead.cosim.master import run_setup
from fairlead.cosim.setup import Setup
from fairlead.cosim.slave import Slave

DESCRIPTION = ("modelDescription.xml", "<fmiModelDescription/>")


def fmu(path: Path, *entries: tuple[str | zipfile.ZipInfo, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (DESCRIPTION, *entries):
            file.writestr(name, content)
    return path


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


PATHS = ("../evil.txt", "resources/../../evil.txt", "/tmp/fairlead_evil.txt", "C:/evil.txt", "resources\\evil.txt")


@pytest.mark.parametrize("entry", [*PATHS, link("resources/to")], ids=str)
def test_a_path_that_leads_out_is_refused_and_nothing_is_written(entry, tmp_path):
    path = fmu(tmp_path / "evil.fmu", (entry, "/etc/passwd"))
    setup = Setup.model_validate({"fmus": {"evil": "evil.fmu"}, "step": 1, "duration": 1})
    with pytest.raises(CosimError, match=r"fmus\.evil: .*evil\.fmu is no FMU .* illegal path .*have it made again"):
        run_setup(setup, path.parent)
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(CosimError, match="nothing was unpacked"):
        archive.unpack(path, inside)
    assert sorted(tmp_path.rglob("*")) == [path, inside]


def test_what_would_fill_the_disk_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 2**20)
    path = fmu(tmp_path / "bomb.fmu", ("resources/zeros", "0" * 2**21))
    assert path.stat().st_size < 2**14
    with pytest.raises(CosimError, match=r"bomb\.fmu .*would unpack to 2 MiB, more than 1"):
        Slave("bomb", path)
    monkeypatch.setattr(archive, "MOST_FILES", 3)
    with pytest.raises(CosimError, match="it holds 5 files, more than 3"):
        Slave("many", fmu(tmp_path / "many.fmu", *((f"resources/{k}", "") for k in range(4))))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"<html>not found</html>"])
def test_what_is_no_zip_file_is_told_so(content, tmp_path):
    (tmp_path / "no.fmu").write_bytes(content)
    with pytest.raises(CosimError, match=r"fmus\.no: .*no\.fmu is no FMU that can be read: it cannot be unpacked"):
        Slave("no", tmp_path / "no.fmu")


def test_without_fmpy_the_extra_that_has_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fmpy", None)
    with pytest.raises(CosimError, match=r"needs FMPy.*pip install 'fairlead\[cosim\]'"):
        Slave("any", fmu(tmp_path / "any.fmu"))
