"""What a study file may say, and what is said to one that is wrong: place, cause and cure, all at once."""

from __future__ import annotations

import pytest

from fairlead.model import ModelError

SEEDS = "environment.waves.seed: {seeds: 2}"


def mistakes(study, changes) -> list[str]:
    with pytest.raises(ModelError) as error:
        study(changes)
    return str(error.value).splitlines()


def test_all_mistakes_come_at_once_each_with_its_line(study):
    found = mistakes(
        study,
        {
            "[1, 2 m]": "[1, 2 kg]",
            SEEDS: "types.chain.drag.normal: {normal: [1.2, 1]}",
            "line.tension@top": "lin.tension@top",
            "duration: 4": "duration: 4.01",
        },
    )
    places = [f"storm.yaml:{place}" for place in ("5:3", "6:29", "8:17", "10:3")]
    assert [line.split(": ")[0] for line in found] == places
    assert "'2 kg' is a mass, not a length" in found[0]
    assert "12 % of what would be drawn is refused: must be at least 0" in found[1]
    assert "truncate" in found[1]
    assert "not a whole number of steps" in found[2]
    assert "did you mean 'line.tension@top'?" in found[3]


def test_mistakes_of_form_come_together_with_those_of_values(study):
    """A key that is not known, a design that is not there, a value that is refused, a path and a channel misspelt."""
    found = mistakes(
        study,
        {
            "[1, 2 m]": "[1, 2 kg]",
            SEEDS: "types.chian.drag.normal: [1]\n  environment.waves.gamma: {range: [1, 2]}",
            "line.tension@top": "lin.tension@top",
            "seed: 7": "design: grid",
        },
    )
    told = "\n".join(found)
    assert "'2 kg' is a mass, not a length" in told
    assert "'types' has no 'chian'; did you mean 'chain'?" in told
    assert "range: unknown key" in told
    assert "product, or a mapping" in told
    assert "did you mean 'line.tension@top'?" in told
    lines = [int(line.split(":")[1]) for line in found]
    assert lines == sorted(lines)


def test_nothing_is_told_that_follows_from_another_mistake(study):
    """Of a sea with a range that is not known, and of a history of what is kept under a wrong name, nothing more."""
    found = mistakes(study, {SEEDS: "environment.waves.gamma: {range: [1, 2]}"})
    assert all("gamma" in line for line in found), found


def test_what_share_is_refused_is_told_of_what_the_file_leaves_out(study, folder):
    path = folder / "line.yaml"
    path.write_text(path.read_text().replace(" drag: {normal: 1.4, axial: 0.1},", ""))
    drags = "types.chain.drag.normal: {normal: [1.2, 1]}\n  types.chain.drag.axial: {uniform: [0.1, 0.2]}"
    (found,) = mistakes(study, {SEEDS: drags})
    assert "12 % of what would be drawn is refused: must be at least 0" in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("waves.significant_height", "waves.significant_heigth", "unknown key; did you mean 'significant_height'?"),
        (SEEDS, "types.chian.drag.normal: [1]", "'types' has no 'chian'; did you mean 'chain'?"),
        (SEEDS, "cables: {lose: [lime]}", "there is no cable 'lime'; did you mean 'line'?"),
        (SEEDS, "cables: {lose: each, seeds: 3}", "cannot stand beside"),
        (SEEDS, "environment.waves: {scatter: none.csv, columns: [gamma]}", "there is no such file"),
        (SEEDS, "environment.waves.gamma: {uniform: [3, 2]}", "its largest, 2, is below its least, 3"),
        (SEEDS, "environment.waves.gamma: {normal: [3, 2], truncate: [40, 50]}", "8 standard deviations"),
        (SEEDS, "environment.waves.gamma: {uniform: [0, 2]}", "50 % of what would be drawn is refused"),
        (SEEDS, "environment.waves.significant_height: [3]", "already given in line 5"),
        ("[mean, std, max, min]", "[mean, medan]", "unknown key"),
        ("[mean, std, max, min]", "[{exceeds: [20 m]}]", "'20 m' is a length, not a force"),
        ("[mean, std, max, min]", "[{block_maxima: 10}]", "longer than what is kept"),
        ("[mean, std, max, min]", "[mean]\n  histories: {scenarios: worst 2 of line.tension@top}", "'max' of"),
        ("seed: 7", "design: {sample: 0}", "at least 1"),
        ("seed: 7", "design: grid", "product, or a mapping"),
        ("seed: 7", "stop: {converged: {line.tension@top: soon}}", "write `p99 within 2 %`"),
        ("discard: 1", "discard: 5", "leave nothing of a run of 4 s"),
        ("system: line.yaml", "system: lime.yaml", "did you mean"),
    ],
)
def test_what_is_wrong_is_told_with_its_cure(study, old, new, said):
    assert said in "\n".join(mistakes(study, {old: new}))


def test_the_tension_at_a_winch_is_told_as_a_force(study, folder):
    path = folder / "line.yaml"
    winch = "start: anchor, end: top, winch: {end: end, rate: 0.1}}"
    path.write_text(path.read_text().replace("start: anchor, end: top}", winch).replace("lumped", "multibody"))
    assert "nodes at a winch come and go; keep line.force@top" in mistakes(study, {})[0]
    assert len(study({"line.tension@top": "line.force@top"}).ready.wanted) == 1


def test_an_empty_design_is_a_mistake(study, folder):
    text = "vary:\n  environment.waves.significant_height: [1, 2 m]\n  environment.waves.seed: {seeds: 2}\nseed: 7"
    assert "nothing varies" in mistakes(study, {text: "seed: 7"})[0]
    (folder / "cases.csv").write_text("environment.waves.gamma\n")
    assert "no row below" in mistakes(study, {text: "design: {table: cases.csv}"})[0]
    (folder / "cases.csv").write_text("environment.waves.gamma,weight\n2,1\n99,2\n")
    assert "must be at most 20" in mistakes(study, {text: "design: {table: cases.csv}"})[0]


def test_patterns_stand_for_every_channel_they_match_and_an_end_goes_by_its_place(study):
    found = study({"line.tension@top: [mean": "'*.tension@end': [mean"}).ready.wanted
    assert [one.channel.name for one in found] == ["line.tension@end", "back.tension@end"]
    assert [one.channel.end for one in found] == [1, 1]
    assert study({"tension@top": "force@anchor"}).ready.wanted[0].channel.end == 0


def test_a_lost_cable_takes_its_anchor_with_it(study):
    made = study({SEEDS: "cables: {lose: each}"})
    systems = [made.scenario(i) for i in range(len(made))]
    assert [sorted(system.cables) for system in systems[:3]] == [["back", "line"], ["back"], ["line"]]
    assert [sorted(system.points) for system in systems[:3]] == [
        ["anchor", "other", "top"], ["other", "top"], ["anchor", "top"],
    ]  # fmt: skip
