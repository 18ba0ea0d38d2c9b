"""A command's shortcuts through its imports: what is imported behaves as ever."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys

import pytest

from fairlead.cli.quick_imports import import_quickly


@pytest.fixture
def quickly(monkeypatch):
    """The shortcuts, for a while."""
    if hasattr(dataclasses, "_create_fn"):
        monkeypatch.setattr(dataclasses, "_create_fn", dataclasses._create_fn)
    monkeypatch.setitem(sys.modules, "pydantic.plugin._loader", sys.modules.get("pydantic.plugin._loader"))
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "__all__")
    import_quickly()


@pytest.mark.usefixtures("quickly")
def test_a_dataclass_compares_hashes_shows_and_freezes_as_ever():
    @dataclasses.dataclass(frozen=True, order=True)
    class Shackle:
        load: float
        name: str = "bow"

    one, same, other = Shackle(2.0), Shackle(2.0), Shackle(3.0, "dee")
    for _ in range(2):  # the first call writes a method, the second finds it
        assert one == same
        assert one != other
        assert one < other
        assert hash(one) == hash(same)
        assert repr(other).endswith("Shackle(load=3.0, name='dee')")
        assert one.__eq__("a shackle") is NotImplemented
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'load'"):
            one.load = 1.0
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
            del one.name
    assert Shackle.__eq__.__qualname__.endswith("Shackle.__eq__")
    assert dataclasses.replace(one, load=3.0, name="dee") == other


def test_reading_a_file_looks_for_no_plug_in_and_what_looks_for_them_is_not_loaded():
    script = (
        "import sys\n"
        "from fairlead.cli.quick_imports import import_quickly; import_quickly()\n"
        "import fairlead.model; fairlead.model.System.model_rebuild()\n"
        "print('importlib.metadata' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
