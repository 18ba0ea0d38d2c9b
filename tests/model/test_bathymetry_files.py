"""Depths in files: grids as MoorDyn and MoorPy write them, soundings anywhere, and what is said of slips in them."""

import numpy as np
import pytest

from fairlead.model import ModelError, load_text
from fairlead.model.environment import Seabed

GRID = """3 2
-100 0 200
-50 50
-100 -50 {a}
-100 50 {b}
0 -50 {c}
0 50 {d}
200 -50 {e}
200 50 {f}
"""
HEIGHTS = dict(zip("abcdef", (-50, -52, -60, -61, -80, -85), strict=True))
ROWS = """--- MoorDyn Bathymetry Input File ---
nGridX 3
nGridY 2
-100 0 200
50   52 61 85
-50  50 60 80
"""


def bed(**survey):
    return Seabed.model_validate({"bathymetry": survey})


def written(folder, name, text):
    (folder / name).write_text(text)
    return str(folder / name)


@pytest.mark.parametrize(
    "text",
    [
        GRID.format(**HEIGHTS),
        GRID.format(**{k: -v for k, v in HEIGHTS.items()}),
        "a title\n" + GRID.format(**HEIGHTS),
        ROWS,
    ],
)
def test_grids_are_read_by_place_as_heights_or_as_depths(tmp_path, text):
    found = bed(file=written(tmp_path, "bed.txt", text))
    assert found.bathymetry.file is None  # what is kept is the grid
    for x, y, depth in ((-100, -50, 50), (-100, 50, 52), (0, -50, 60), (200, 50, 85)):
        assert found.level(x, y) == pytest.approx(-depth, abs=1e-12)
    assert found.depth == pytest.approx(60.5, abs=0.5)  # between the two at x = 0


def test_scattered_soundings_of_a_plane_give_the_plane_inside_their_hull(tmp_path):
    random = np.random.default_rng(1)
    x, y = random.uniform(-100, 100, (2, 400))
    lines = "\n".join(f"{a},{50 + 0.02 * a - 0.05 * b},{b}" for a, b in zip(x, y, strict=True))
    columns = {"file": written(tmp_path, "s.csv", "east,d,north\n" + lines), "x": "east", "y": "north", "depth": "d"}
    found = bed(soundings=columns)
    grid = found.bathymetry
    assert 300 < len(grid.x) * len(grid.y) < 600  # as many cells as soundings, about
    at = random.uniform(-80, 80, (2, 30))
    np.testing.assert_allclose(found.level(*at), -(50 + 0.02 * at[0] - 0.05 * at[1]), atol=1e-9)
    wide = bed(soundings={**columns, "spacing": 50.0})
    assert (len(wide.bathymetry.x), len(wide.bathymetry.y)) == (5, 5)


def test_soundings_on_a_grid_are_that_grid(tmp_path):
    rows = [(x, y, 30 + x + 2 * y) for y in (5.0, 0.0) for x in (1.0, 0.0, 3.0)]
    text = "x,y,depth\n" + "\n".join(",".join(map(str, row)) for row in rows)
    found = bed(soundings={"file": written(tmp_path, "s.csv", text)}).bathymetry
    assert (found.x, found.y) == ((0.0, 1.0, 3.0), (0.0, 5.0))
    assert found.depth == ((30.0, 40.0), (31.0, 41.0), (33.0, 43.0))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GRID.format(**HEIGHTS).replace("0 50 -61\n", ""), r"has no depth at x = 0, y = 50"),
        (GRID.format(**HEIGHTS).replace("-100 0 200", "-100 0"), "should have 3 growing values of x"),
        (GRID.format(**HEIGHTS).replace("0 -50 -60", "0 -50 sand"), "line 6: is no row x y depth"),
        ("nothing here\n", "holds no grid of depths"),
        (GRID.format(**HEIGHTS).replace("0 50 -61", "30 50 -61"), "line 7: x = 30, y = 50 is no node; its x and y"),
        (GRID.format(**HEIGHTS) + "0 50 -70\n", "line 10: the depth at x = 0, y = 50 is given a second time"),
        (ROWS.replace("50   52 61 85", "50   52 61"), "line 5: is no row of y and 3 depths"),
    ],
)
def test_a_grid_with_a_slip_is_refused_with_its_place(tmp_path, text, said):
    with pytest.raises(ModelError, match=said):
        bed(file=written(tmp_path, "bed.txt", text))


@pytest.mark.parametrize(
    ("survey", "said"),
    [
        ({"x": [0, 1], "y": [0], "depth": [[1.0]]}, "has 1 rows where x has 2 numbers"),
        ({"x": [0, 1], "y": [0], "depth": [[1.0], [1.0, 2.0]]}, r"depth\[1\]: holds 2 numbers where y has 1"),
        ({"x": [1, 0], "y": [0], "depth": [[1.0], [2.0]]}, "x: must grow from number to number"),
        ({"x": [0, 1], "depth": [[1.0], [2.0]]}, "'y' and 'depth' belong together"),
        ({"x": [0, 1], "y": [0], "depth": [[-1.0], [2.0]]}, "dry at x = y = 0"),
        ({"x": [0, 1], "y": [0], "depth": [[-50.0], [-60.0]]},
         "dry everywhere: no depth is above -50 m; depths count downwards: give 50, not -50"),
        ({"x": [0, 1], "file": "bed.txt"}, "x: cannot stand beside 'file'"),
        ({"y": [0, 1], "soundings": {"file": "s.csv"}}, "y: cannot stand beside 'soundings'"),
        ({"file": "none.txt"}, "there is no file none.txt"),
        ({"soundings": {"file": "none.csv"}}, "bathymetry.soundings.file: there is no file none.csv"),
        ({}, "needs one of 'depth' and 'file' and 'soundings'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_survey_is_told(survey, said):
    with pytest.raises(ModelError, match=said):
        bed(**survey)


def test_soundings_given_as_heights_are_refused_whatever_depth_stands_beside_them(tmp_path):
    survey = {"soundings": {"file": written(tmp_path, "s.csv", "x,y,depth\n0,0,-50\n0,9,-51\n9,0,-52\n9,9,-53\n")}}
    with pytest.raises(ModelError, match=r"bathymetry: is dry everywhere.*give 50, not -50"):
        Seabed.model_validate({"bathymetry": survey, "depth": 50.0})


def test_soundings_on_a_line_span_no_area(tmp_path):
    text = "x,y,depth\n" + "\n".join(f"{k},{2 * k},30" for k in range(9))
    with pytest.raises(ModelError, match="span no area"):
        bed(soundings={"file": written(tmp_path, "s.csv", text)})


def test_a_survey_and_a_slope_exclude_each_other():
    survey = {"x": [0, 1], "y": [0], "depth": [[3.0], [3.0]]}
    with pytest.raises(ModelError, match="slope: cannot stand beside 'bathymetry'"):
        Seabed.model_validate({"bathymetry": survey, "slope": [0.1, 0.0]})
    with pytest.raises(ModelError, match="seabed: 'depth' is missing"):
        load_text("environment: {seabed: {friction: 0.3}}\npoints: {}\ncables: {}")


def test_a_file_that_can_be_opened_and_not_read(tmp_path, monkeypatch):
    """As some files of the system are: a sentence with the name of the file."""
    from fairlead.model import csv_columns

    class Unread:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def __iter__(self):
            return self

        def __next__(self):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(csv_columns, "opened", lambda path: Unread())
    with pytest.raises(csv_columns.Unreadable, match=r"mem cannot be read: Input/output error"):
        csv_columns.read_columns(tmp_path / "mem", [("x", "x")])
