"""Points on bodies are attachments, written where they are needed."""

import pytest

from fairlead.model import ModelError, load_text

TEXT = """
types: {rope: {diameter: 0.1, mass_per_length: 20, axial_stiffness: 1e7}}
bodies: {vessel: {kind: prescribed, position: [0, 0, 0], attachments: {tip: [9, 0, 0]}}}
points:
  A: {kind: fixed, position: [40, 0, -50]}
  bow: {body: vessel, position: [5, 0, 1]}
cables:
  one: {type: rope, length: 70, elements: 4, start: A, end: {point: {body: vessel, position: [1, 2, 3]}}}
  two: {type: rope, length: 70, elements: 4, start: {body: vessel, position: [1, -2, 3]}, end: A}
  three: {type: rope, length: 70, elements: 4, start: bow, end: A}
  four: {type: rope, length: 70, elements: 4, start: vessel.tip, end: A}
simulation: {duration: 10, step: 0.1}
"""


def test_they_are_attachments_of_the_body():
    system = load_text(TEXT)
    assert system.bodies["vessel"].attachments == {
        "tip": (9, 0, 0), "bow": (5, 0, 1), "one-end": (1, 2, 3), "two-start": (1, -2, 3),
    }  # fmt: skip
    ends = [system.cables[name].start.point for name in ("two", "three", "four")]
    assert ends == ["vessel.two-start", "vessel.bow", "vessel.tip"]
    assert system.cables["one"].end.point == "vessel.one-end"
    assert "bow" not in system.points
    assert load_text(system.to_yaml()) == system


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{body: ship, position: [1, -2, 3]}", "two.start"),
        ("{body: vessel, position: [1, -2]}", "must hold 3 numbers"),
    ],
)
def test_what_is_wrong_with_them_is_told(wrong, said):
    with pytest.raises(ModelError, match=said):
        load_text(TEXT.replace("{body: vessel, position: [1, -2, 3]}", wrong))
