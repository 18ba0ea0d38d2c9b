"""Files that are no reduced model get one sentence, whatever is wrong with them."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import xarray as xr

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.reduced.model_file import ReducedModel, open_model

NUMBERS = {
    "along": np.linspace(0.0, 1.0, 3), "mean": np.zeros((3, 3)), "modes": np.ones((3, 3, 2)),
    "tensions": np.ones((2, 1)), "singular_values": np.ones(2), "tension_values": np.ones(1),
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    model = ReducedModel(cables=("line",), source="lumped", element="straight", identity={}, **NUMBERS)
    return model.save(tmp_path / "line.rom.nc")


def rewritten(**changes):
    """The file with other variables or attributes, written by someone else, so that no hash betrays it."""

    def act(path):
        with xr.open_dataset(path, engine="h5netcdf") as lazy:
            dataset = lazy.load()
        for name, value in changes.items():
            if name in dataset.attrs:
                dataset.attrs = {k: v for k, v in dataset.attrs.items() if k != name}
                dataset.attrs |= {} if value is None else {name: value}
            else:
                dataset = dataset.drop_vars(name)
                dataset = dataset if value is None else dataset.assign({name: value})
        path.unlink()
        dataset.to_netcdf(path, engine="h5netcdf")

    return act


def declared(path):
    with h5py.File(path, "w") as file:
        file.attrs["kind"] = "fairlead reduced model"
        for name in NUMBERS:
            file.create_dataset(name, shape=(30_000, 1_000_000), chunks=(1, 1000), dtype="f8")


FOREIGN = {
    "a model": None,
    "text": lambda path: path.write_text("hello"),
    "nothing": lambda path: path.write_bytes(b""),
    "half of it": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "one byte changed": lambda path: path.write_bytes(path.read_bytes().replace(b"straight", b"strbight")),
    "weather": lambda path: xr.Dataset({"t": ("x", [1.0])}).to_netcdf(path, engine="h5netcdf"),
    "huge": declared,
    "no cables": rewritten(cables=None),
    "cables that are no JSON": rewritten(cables="line"),
    "cables that are a number": rewritten(cables="3"),
    "other cables": rewritten(cables='["a", "b"]'),
    "no element": rewritten(element=None),
    "another element": rewritten(element="cubic"),
    "no source": rewritten(source=None),
    "an identity that is a list": rewritten(identity="[1]"),
    "an identity that is no JSON": rewritten(identity="{"),
    "notes that are no JSON": rewritten(notes="]"),
    "no modes": rewritten(modes=None),
    "modes in a plane": rewritten(modes=(("node", "mode"), np.ones((3, 2)))),
    "a mean of words": rewritten(mean=(("node", "axis"), np.full((3, 3), "word"))),
    "a mean that is no number": rewritten(mean=(("node", "axis"), np.full((3, 3), np.nan))),
    "modes of other nodes": rewritten(modes=(("n", "a", "m"), np.ones((5, 3, 2)))),
    "tensions of other elements": rewritten(tensions=(("e", "t"), np.ones((7, 1)))),
    "a scalar": rewritten(along=((), 1.0)),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_file_is_told_in_a_sentence(path, kind):
    if FOREIGN[kind] is None:
        assert open_model(path).cables == ("line",)
        return
    FOREIGN[kind](path)
    with pytest.raises(UnsupportedSystem) as caught:
        open_model(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert "\n" not in text
    assert "make it again" in text or "make one of a run" in text
