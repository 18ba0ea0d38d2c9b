"""Figures say what the result says, whatever it holds, and leave no trace behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from fairlead import view
from fairlead.results import ResultError, energy_balance

from .systems import straight_cables


def pixels(figure) -> np.ndarray:
    figure.set_dpi(50)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3]


def texts(figure) -> list[str]:
    return [t.get_text() for t in figure.findobj(matplotlib.text.Text)]


@pytest.mark.parametrize("kind", view.KINDS)
def test_every_figure_draws_something_and_labels_its_axes(dataset, kind):
    figure = view.figures(dataset, [kind])[kind]
    ink = (pixels(figure) < 200).any(axis=-1).mean()
    assert 0.005 < ink < 0.6
    assert any("Two joined cables sinking" in text for text in texts(figure))
    for axes in figure.axes:
        for label in (axes.get_xlabel(), axes.get_ylabel()):
            assert label == "" or label.endswith(")"), label


def test_figures_are_written_in_each_format(dataset, tmp_path):
    for suffix, start in ((".png", b"\x89PNG"), ("svg", b"<?xml"), (".pdf", b"%PDF")):
        written = view.save_all(dataset, tmp_path / "new" / "folder", ["tension_along"], suffix, stem="run_")
        assert list(written) == ["tension_along"]
        assert written["tension_along"].read_bytes().startswith(start)
        assert written["tension_along"].name == f"run_tension_along.{suffix.strip('.')}"


def test_the_same_result_gives_the_same_file(dataset, tmp_path):
    first = view.save(view.tension_history(dataset), tmp_path / "one.svg").read_bytes()
    assert view.save(view.tension_history(dataset), tmp_path / "two.svg").read_bytes() == first


def test_drawing_changes_neither_the_result_nor_the_settings_of_the_user(dataset):
    before = dataset.copy(deep=True)
    settings = dict(matplotlib.rcParams)
    view.figures(dataset)
    assert dataset.identical(before)
    assert dict(matplotlib.rcParams) == settings


def test_settings_of_the_user_do_not_change_the_figures(dataset, tmp_path):
    plain = view.save(view.tension_along(dataset), tmp_path / "plain.svg").read_bytes()
    with matplotlib.rc_context({"font.size": 30, "axes.grid": False, "lines.linewidth": 9}):
        assert view.save(view.tension_along(dataset), tmp_path / "loud.svg").read_bytes() == plain


def test_matplotlib_loads_late_and_pyplot_never(tmp_path):
    code = (
        "import sys, fairlead.view as view; assert 'matplotlib' not in sys.modules\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from view.systems import straight_cables\n"
        "written = view.save_all(straight_cables([((0, 0, 0), (5, 0, -9))]), sys.argv[2])\n"
        "assert list(written) == list(view.KINDS) and all(path.is_file() for path in written.values())\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    tests = str(Path(__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code, tests, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_wishes_that_cannot_be_met_say_what_can(dataset, tmp_path):
    with pytest.raises(ResultError, match=r"no figure called spectrum; there are geometry, .*energy"):
        view.figures(dataset, ["spectrum"])
    with pytest.raises(ResultError, match=r"'\.gif'; choose one of \.png"):
        view.save_all(dataset, tmp_path, suffix="gif")
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultError, match="cannot make this folder"):
        view.save_all(dataset, tmp_path / "file" / "folder")


def test_a_result_without_energies_has_the_other_figures(dataset):
    bare = dataset.drop_vars([n for n in dataset.data_vars if str(n).startswith(("energy_", "work_"))])
    assert set(view.figures(bare)) == set(view.KINDS) - {"energy"}
    with pytest.raises(ResultError, match=r"outputs\.energy"):
        view.figures(bare, ["energy"])


def test_awkward_names_are_shown_as_text():
    hostile = straight_cables(
        [((0, 0, 0), (0, 0, -10)), ((0, 0, -10), (0, 0, -20))],
        names=["_hidden $x$", "<script>alert(1)</script> and on and on"],
        points=["$A_{", "\\frac B\\$"],
        samples=1,
        title="$ 5 <b>bold</b> $ \\frac{ " + "very long " * 40,
    )
    for figure in view.figures(hostile).values():
        pixels(figure)
    legend = texts(view.tension_history(hostile))
    assert any(text.strip() == r"_hidden \$x\$" for text in legend)


def test_a_run_that_went_wrong_can_still_be_looked_at(dataset):
    wrong = dataset.copy(deep=True)
    for name in ("position", "velocity", "tension_effective", "force_end", "energy_kinetic", "work_drag"):
        wrong[name].values[-1] = np.inf
        wrong[name].values[-2] = np.nan
    wrong.attrs["status"] = "stopped: cable left, element 3: not finite"
    assert not np.isfinite(energy_balance(wrong).error)
    for figure in view.figures(wrong).values():
        pixels(figure)
        assert any("not finite" in text for text in texts(figure))


def test_cables_still_on_a_winch_leave_the_rest_visible(dataset):
    reeled = dataset.copy(deep=True)
    reeled["tension_effective"].values[:, 1] = np.nan
    reeled["position"].values[:, 1] = np.nan
    reeled["tension_effective"].values[:30, 0, 20:] = np.nan
    reeled["position"].values[:30, 0, 20:] = np.nan
    for figure in view.figures(reeled, ["geometry", "tension_history", "tension_along"]).values():
        pixels(figure)
