"""FMUs made once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.model import load_text

from .host import Host
from .systems import LINE, OUTPUTS

VERSIONS = ("2.0", "3.0")


@pytest.fixture(scope="session")
def line_fmus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The small system as an FMU for this machine, by version of FMI."""
    folder, system = tmp_path_factory.mktemp("fmus"), load_text(LINE, "line.yaml")
    for version in VERSIONS:
        fmu.export(system, folder / f"line{version[0]}.fmu", version, outputs=OUTPUTS, targets=[link.host()])
    return {version: folder / f"line{version[0]}.fmu" for version in VERSIONS}


@pytest.fixture(params=VERSIONS)
def path(request: pytest.FixtureRequest, line_fmus: dict[str, Path]) -> Path:
    """The small system as an FMU, once for each version of FMI."""
    return line_fmus[request.param]


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[[], Host]]:
    """Opens instances of it that are freed in the end."""
    hosts: list[Host] = []

    def open_one() -> Host:
        hosts.append(Host(path))
        return hosts[-1]

    yield open_one
    for host in hosts:
        host.close()
