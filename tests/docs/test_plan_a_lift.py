"""The numbers of the page on planning a lift are the program's, and its snippets are understood."""

import re
import shutil
from pathlib import Path

import pytest
from marks import slowly

import fairlead as fl

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plan_a_lift.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("height", ["4", *slowly("1", "2")])
def test_the_lift_in_other_seas_is_as_the_page_says(height, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "lowering_payload.yaml", tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    table = re.findall(r"\| (\d) m \| (\d+) to (\d+) kN \| (\d) \| ([\d.]+) m/s \|", PAGE)
    assert f"in ({', '.join(row[0] for row in table)}):" in block
    assert len(table) == 3
    exec(compile(re.sub(r"in \(.*\):", f"in ({height},):", block), "plan_a_lift.md", "exec"), {})
    said = re.findall(r"(\d) m: (\d+) to (\d+) kN, slack (\d) times, lands at ([\d.]+) m/s", capsys.readouterr().out)
    assert said == [row for row in table if row[0] == height]


def test_the_winch_with_heave_compensation_is_understood():
    (winch,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    text = (ROOT / "examples" / "lowering_payload.yaml").read_text(encoding="utf-8")
    first, rest = text.split("    winch:\n      end: start\n")
    lines = winch.rstrip().splitlines()
    shallow = len(lines[0]) - len(lines[0].lstrip())
    system = fl.load_text(first + "".join(f"    {line[shallow:]}\n" for line in lines) + rest)
    control = system.cables["wire"].winch.control
    assert control is not None
    assert control.kind == "heave_compensation"
