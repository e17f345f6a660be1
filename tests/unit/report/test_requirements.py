"""A requirement is verified only when all of its tests are known to be good."""

from __future__ import annotations

import pytest

from tierwise.domain import Outcome
from tierwise.errors import ConfigError, ExitCode
from tierwise.records import LinkRow
from tierwise.report.requirement_file import Requirement, read_requirements
from tierwise.report.requirements import Proof, draw_matrix, exit_code_of

R1, R2 = Requirement(id="R-1", text="One."), Requirement(id="R-2", text="Two.")


def link(
    requirement: str = "R-1",
    outcome: Outcome | None = Outcome.PASSED,
    code: str = "now",
    attempts: int = 1,
) -> LinkRow:
    """Return a test that is evidence for a requirement."""
    return LinkRow(
        nodeid="t.py::test",
        requirement=requirement,
        outcome=outcome,
        code_hash=code,
        attempts=attempts,
    )


def test_a_requirement_whose_tests_all_passed_here_is_verified() -> None:
    """All of them, on the present state of the code."""
    (row,) = draw_matrix([R1], [link(), link()], code_hash="now")
    assert (row.proof, row.code) == (Proof.VERIFIED, ExitCode.OK)
    assert row.reason == "2 tests passed on this state of the code"


@pytest.mark.parametrize(
    ("bad", "reason", "code"),
    [
        (link(outcome=Outcome.FAILED), "1 failed", ExitCode.FAILED),
        (link(outcome=Outcome.ERROR), "1 error", ExitCode.FAILED),
        (link(outcome=Outcome.UNOBSERVABLE), "1 unobservable", ExitCode.NOTHING_OBSERVED),
        (link(outcome=Outcome.NOT_RUN), "1 not run", ExitCode.NOTHING_OBSERVED),
        (link(outcome=None), "1 not run", ExitCode.NOTHING_OBSERVED),
        (link(code="old"), "1 from another state of the code", ExitCode.STALE),
        (link(attempts=2), "1 passed only when tried again", ExitCode.FAILED),
    ],
)
def test_one_test_in_doubt_leaves_it_unverified(bad: LinkRow, reason: str, code: ExitCode) -> None:
    """Failed, not observed, not run or of other code: whatever the other tests say."""
    (row,) = draw_matrix([R1], [link(), bad], code_hash="now")
    assert (row.proof, row.reason, row.code) == (Proof.UNVERIFIED, reason, code)
    assert exit_code_of([row]) is code


def test_where_the_code_is_not_known_nothing_is_verified() -> None:
    """Two states that nobody could read are not one."""
    (row,) = draw_matrix([R1], [link(code="")], code_hash="")
    assert row.proof is Proof.UNVERIFIED


def test_orphans_on_both_sides_are_named() -> None:
    """A requirement without a test, and a test for a requirement that is not in the file."""
    rows = draw_matrix([R1, R2], [link("R-2"), link("R-11")], code_hash="now")
    assert [(row.id, row.proof, row.reason) for row in rows] == [
        ("R-1", Proof.UNTESTED, "no test names it"),
        ("R-2", Proof.VERIFIED, "1 test passed on this state of the code"),
        ("R-11", Proof.UNKNOWN, "the file does not have it: did you mean R-1?"),
    ]
    assert exit_code_of(rows[:1]) is exit_code_of(rows[2:]) is ExitCode.FAILED


def test_without_a_file_the_tests_say_what_is_required() -> None:
    """Nothing is unknown then, and nothing untested."""
    rows = draw_matrix(None, [link("R-2"), link("R-1")], code_hash="now")
    assert [(row.id, row.proof) for row in rows] == [
        ("R-1", Proof.VERIFIED),
        ("R-2", Proof.VERIFIED),
    ]


def test_no_requirement_at_all_is_nothing_observed() -> None:
    """A check of nothing does not pass."""
    assert exit_code_of(draw_matrix(None, [], code_hash="now")) is ExitCode.NOTHING_OBSERVED


def test_the_worst_decides_what_a_check_ends_with() -> None:
    """Failed before unobserved before stale."""
    links = [link("R-1", code="old"), link("R-1", None), link("R-2", Outcome.FAILED)]
    rows = draw_matrix([R1, R2], links, code_hash="now")
    assert rows[0].code is ExitCode.NOTHING_OBSERVED
    assert exit_code_of(rows) is ExitCode.FAILED


MARKDOWN = """
# Product

| Phase | Done |
| --- | --- |
| 1 | yes |

| ID | Requirement | Phase |
|:---|:-----------:|------:|
| `R-1` | Nobody reads what \\| is not theirs. | 1 |
| **R-2** | Two. | 2 |

```text
| ID | Requirement |
| --- | --- |
| R-9 | In a block of code. |
```

ID | Text
--- | ---
R-3 | Three.
R-4
# The end
R-5
"""


def test_requirements_are_read_from_tables_with_an_id() -> None:
    """All such tables of a document, none in a block of code, other tables left alone."""
    found = read_requirements(MARKDOWN, "PRODUCT.md")
    assert [(one.id, one.text, one.line) for one in found] == [
        ("R-1", "Nobody reads what | is not theirs.", 10),
        ("R-2", "Two.", 11),
        ("R-3", "Three.", 21),
        ("R-4", "", 22),
    ]


def test_an_id_may_be_a_link_and_stand_anywhere_in_its_row() -> None:
    """To its ticket, say; the words are those behind the id, or else before it."""
    text = "|No|ID|What|\n|-|-|-|\n|1|[R-1](http://t/1)|One.|\n|2|[`R-2`][x]|Two.|\n"
    found = read_requirements(text, "PRODUCT.md")
    assert [(one.id, one.text) for one in found] == [("R-1", "One."), ("R-2", "Two.")]
    (last,) = read_requirements("|What|ID|\n|-|-|\n|One.|R-1|\n", "PRODUCT.md")
    assert (last.id, last.text) == ("R-1", "One.")


@pytest.mark.parametrize(
    "text",
    [
        "R-1: One.\nno: Two.\n1.10: Three.\n",
        "requirements:\n  R-1: One.\n  no: {title: Two.}\n  1.10: {text: Three., by: me}\n",
        "- {id: R-1, text: One.}\n- {id: no, title: Two.}\n- id: 1.10\n  description: Three.\n",
    ],
)
def test_requirements_are_read_from_yaml(text: str) -> None:
    """By id, or as a list; an id stays the text that it is."""
    pytest.importorskip("yaml")
    found = [(one.id, one.text) for one in read_requirements(text, "r.yaml")]
    assert found == [("R-1", "One."), ("no", "Two."), ("1.10", "Three.")]


def test_a_list_of_ids_is_enough() -> None:
    """Whoever keeps the words elsewhere names the ids alone."""
    pytest.importorskip("yaml")
    assert [one.id for one in read_requirements("- R-1\n- R-2\n", "r.yml")] == ["R-1", "R-2"]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("", "r.md", "r.md holds no requirement"),
        ("| Name |\n| --- |\n| x |\n", "r.md", "holds no requirement"),
        ("|ID|\n|-|\n|A|\n|A|\n", "r.md", "line 4: the requirement 'A' stands in line 3, too"),
        ("|ID|T|\n|-|-|\n||x|\n", "r.md", "line 3: a requirement has no id"),
        ("R: x", "r.txt", "neither .md nor .yaml"),
        ("", "r.yaml", "holds no requirement"),
        ("R-1: [", "r.yaml", "is no plain YAML"),
        ("R-1: [a]", "r.yaml", "line 1 holds a list or a table where a text was expected"),
        ("- {text: x}", "r.yaml", "without the key `id`"),
        ("- [x]", "r.yaml", "a list within the list"),
        ("text", "r.yaml", "holds a value"),
        ("A: x\nA: y", "r.yaml", "line 2: the requirement 'A' stands in line 1, too"),
        ("[" * 5000, "r.yaml", "is no plain YAML"),
        ("a: &a x\nb: *c", "r.yaml", "is no plain YAML"),
    ],
)
def test_a_file_that_is_not_understood_is_refused(text: str, where: str, message: str) -> None:
    """Nothing read is never nothing required; the line is named."""
    pytest.importorskip("yaml")
    with pytest.raises(ConfigError) as told:
        read_requirements(text, where)
    assert message in str(told.value)
