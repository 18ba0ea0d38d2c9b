"""Coefficients that are damaged or in wrong units: the message names file, line, cause and cure."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from fairlead.floaters import CoefficientError, Coefficients, read
from fairlead.floaters import nemoh as nemoh_reader
from fairlead.floaters.checks import findings, haskind_ratio
from fairlead.floaters.rows import is_title
from fairlead.floaters.soundness import require_sound

from .wamit_files import write


@pytest.fixture
def root(tmp_path: Path, ball: Coefficients) -> Path:
    return write(tmp_path / "ball", ball)


def rewrite(path: Path, change) -> None:
    path.write_bytes(change(path.read_bytes()))


def test_text_in_utf_16_is_read(root: Path, ball: Coefficients) -> None:
    """As Windows' editors save it, with a mark in its first bytes."""
    rewrite(root.with_name("ball.1"), lambda data: data.decode().encode("utf-16"))
    np.testing.assert_allclose(read(root).added_mass, ball.added_mass, rtol=1e-9, atol=1e-3)


def test_text_in_utf_16_without_its_mark(root: Path) -> None:
    rewrite(root.with_name("ball.3"), lambda data: data.decode().encode("utf-16-le"))
    with pytest.raises(CoefficientError, match=r"ball\.3:1: is in UTF-16 without its mark; save the file as plain"):
        read(root)


def test_nul_bytes_are_named_with_their_line(root: Path) -> None:
    def act(data: bytes) -> bytes:
        lines = data.splitlines(keepends=True)
        lines[4] = b"\0" * len(lines[4])
        return b"".join(lines)

    rewrite(root.with_name("ball.1"), act)
    with pytest.raises(CoefficientError, match=r"ball\.1:5: holds NUL bytes, .* the file is damaged or binary"):
        read(root)


@pytest.mark.parametrize("damage", [(b"1", b"x"), (b"D", b"?"), (b".", b",")])
def test_a_damaged_first_row_is_no_title(root: Path, damage: tuple[bytes, bytes]) -> None:
    """It was passed over, and with it the row of surge at the infinite frequency."""

    def act(data: bytes) -> bytes:
        first, rest = data.split(b"\n", 1)
        words = first.split()
        words[-1] = words[-1].replace(*damage, 1)
        return b" ".join(words) + b"\n" + rest

    rewrite(root.with_name("ball.1"), act)
    with pytest.raises(CoefficientError, match=r"ball\.1:1: .*(damaged row, not a title|numbers belong)"):
        read(root)


@pytest.mark.parametrize(
    "line",
    ["WAMIT Numeric Output -- Filename  ball.1", "PER I J A B", "run of 12-Nov-2020 16:47, mesh 2", "# 4 columns"],
)
def test_titles(line: str) -> None:
    assert is_title(line)


@pytest.mark.parametrize("word", ["inf", "nan", "1e300", "-1e999"])
def test_numbers_that_are_none(root: Path, word: str) -> None:
    lines = root.with_name("ball.1").read_text().splitlines()
    words = lines[20].split()
    lines[20] = " ".join([*words[:3], word, *words[4:]])
    root.with_name("ball.1").write_text("\n".join(lines))
    with pytest.raises(CoefficientError, match=r"ball\.1:21: holds the number .* which is"):
        read(root)


def test_motions_that_are_none(root: Path) -> None:
    text = root.with_name("ball.hst").read_text()
    root.with_name("ball.hst").write_text(text.replace("1 1", "1 1.5", 1))
    with pytest.raises(CoefficientError, match=r"names the motion 1\.5"):
        read(root)


IMPOSSIBLE = {
    "added_mass": (lambda v: np.where(np.arange(v.shape[-1]) == 2, np.inf, v), "added mass holds inf at 1, 1, 3"),
    "damping": (lambda v: v * np.nan, "damping holds nan"),
    "excitation": (lambda v: v * 1e300, "excitation holds"),
    "density": (lambda _: -1025.0, r"density of the water is -1025 kg/m\^3"),
    "gravity": (lambda _: 1e6, r"gravity is 1e\+06"),
    "depth": (lambda _: math.nan, "water is nan m deep"),
    "omega": (lambda v: np.concatenate([v[:1], v[:-1]]), "is there twice"),
    "headings": (lambda v: v * np.nan, "headings holds nan"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_numbers_of_any_reader_are_finite_and_possible(ball: Coefficients, name: str) -> None:
    change, words = IMPOSSIBLE[name]
    assert require_sound(ball) is ball
    with pytest.raises(CoefficientError, match=words):
        require_sound(replace(ball, source="ball", **{name: change(getattr(ball, name))}))


def test_an_error_nobody_foresaw_is_told_with_its_place_and_keeps_its_cause(root: Path, monkeypatch) -> None:
    def broken(path: Path) -> None:
        raise IndexError("index 7 is out of bounds")

    monkeypatch.setattr(nemoh_reader, "read", broken)
    with pytest.raises(CoefficientError, match=r"IndexError at test_damaged_files\.py:\d+.*report this as") as caught:
        read(root, "nemoh")
    assert isinstance(caught.value.__cause__, IndexError)
    monkeypatch.setattr(nemoh_reader, "read", lambda path: path.no_such_thing)
    with pytest.raises(AttributeError):  # a fault of the program alone, which no content causes
        read(root, "nemoh")


def test_a_file_of_another_program_that_declares_too_much(tmp_path: Path) -> None:
    for name in ("ball.h5", "ball.nc"):
        with h5py.File(tmp_path / name, "w") as file:
            file.create_dataset("omega", shape=(30_000, 1_000_000), chunks=(1, 1000), dtype="f8")
        with pytest.raises(CoefficientError, match="which cannot be"):
            read(tmp_path / name)


def checks(data: Coefficients) -> dict[str, str]:
    return {one.check: str(one) for one in findings(data)}


def test_headings_in_radians(root: Path, ball: Coefficients) -> None:
    """A column of 0, 0.1745, ... instead of 0, 10, ... degrees."""
    lines = [line.split() for line in root.with_name("ball.3").read_text().splitlines()]
    rows = [" ".join([w[0], f"{math.radians(float(w[1].replace('D', 'e'))):.5f}", *w[2:]]) for w in lines]
    assert "headings" not in checks(read(root))
    root.with_name("ball.3").write_text("\n".join(rows))
    said = checks(read(root))["headings"]
    assert "are taken for degrees, and are even as radians" in said
    assert "multiply the column of headings by 57.2958" in said
    of_capytaine = replace(ball, format="capytaine")
    assert "headings" not in checks(of_capytaine)
    assert "they are degrees" in checks(replace(of_capytaine, headings=np.degrees(ball.headings)))["headings"]


@pytest.mark.parametrize("degrees", [(0.0, 1.0, 2.0), (0.0, 5.0), (0.0, 0.5, 1.0), (-6.0, 6.0)])
def test_small_headings_that_are_degrees(ball: Coefficients, degrees: tuple[float, ...]) -> None:
    few = replace(ball, headings=np.radians(degrees), excitation=ball.excitation[: len(degrees)], format="wamit")
    assert "headings" not in checks(few)


def test_motions_that_are_off_each_by_itself_are_not_called_alike(ball: Coefficients) -> None:
    """1.07, 0.97 and 1.03 have no common factor: no length and no density explains them."""
    off = np.sqrt([1.07, 0.97, 1.03, 1.0, 1.0, 1.0])
    said = checks(replace(ball, format="wamit", excitation=off * ball.excitation))["Haskind"]
    assert "differ from one another (1.07, 0.97, 1.03)" in said
    assert "alike" not in said


def test_a_wrong_length_is_named_with_the_one_that_fits(root: Path, ball: Coefficients) -> None:
    """Of a file in units of length the ratio goes with the length: 1.25 m instead of 1 m makes it 1.25."""
    wrong = read(root, length=1.25)
    np.testing.assert_allclose(haskind_ratio(wrong), 1.25 * haskind_ratio(ball), rtol=1e-4)
    said = checks(wrong)["Haskind"]
    assert "off alike, by a factor of 1.25: 'length' is wrong (WAMIT's ULEN), 0.8 times as long fits" in said


def test_a_wrong_density_of_a_file_in_newtons(ball: Coefficients) -> None:
    said = checks(replace(ball, format="nemoh", density=1.25 * ball.density))["Haskind"]
    assert f"the density of the water in the file ({1.25 * ball.density:g} kg/m^3) is wrong" in said
    assert f"{ball.density:g} fits" in said
