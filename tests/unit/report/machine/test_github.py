from __future__ import annotations

import re

import pytest
from machine_facts import (
    CORPUS,
    TOUCH,
    entry,
    evaluation,
    every_outcome,
    expectation,
    facts,
    hostile,
)

from tierwise.domain import Outcome
from tierwise.report.machine.github import (
    MOST_SHOWN,
    Notice,
    _data,
    tame,
    write_annotations,
    write_command,
)
from tierwise.report.machine.places import Place
from tierwise.report.machine.text import one_line

LINE = re.compile(r"::(error|warning) ([^:\n]*)::([^\n]*)")


def obeyed(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Return the commands of a log as the runner of GitHub Actions finds them, line by line."""
    found = []
    for line in re.split(r"\r\n|\r|\n", text):
        if "##[" in line or "##vso[" in line:
            found.append(("old", {}, line))
        if line.strip().startswith("::"):
            head, _, data = line.strip()[2:].partition("::")
            command, _, given = head.partition(" ")
            pairs = (pair.split("=", 1) for pair in given.split(",") if "=" in pair)
            found.append((command, {name: _plain(value) for name, value in pairs}, _plain(data)))
    return found


def _plain(text: str) -> str:
    for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, char)
    return text


def test_a_violation_is_an_error_at_its_line() -> None:
    """File, line and what to do."""
    first = obeyed(write_annotations(every_outcome()))[0]
    command, given, text = first
    assert command == "error"
    assert given == {"title": "TW-NET forbidden touch", "file": "src/a/wire.py", "line": "3"}
    assert "203.0.113.7:443" in text
    assert "\n  ways out:\n" in text


def test_failures_are_errors_and_doubts_are_warnings() -> None:
    """What passed, was proven or was not run says nothing; errors come first."""
    found = obeyed(write_annotations(every_outcome()))
    assert [(command, given["title"]) for command, given, _ in found] == [
        ("error", "TW-NET forbidden touch"),
        ("error", "test failed"),
        ("error", "test error"),
        ("error", "eval refuted"),
        ("warning", "test unobservable"),
        ("warning", "eval undecided"),
        ("warning", "eval not judged"),
    ]
    assert found[1][1]["file"] == "tests/unit/test_a.py"
    assert found[3][1]["file"] == "tests/evals/test_e.py"


def test_a_test_s_line_is_given_where_it_is_known() -> None:
    """The annotation stands at the test, not at the head of its file."""
    failed = entry(outcome=Outcome.FAILED, location="tests/unit/test_a.py:12")
    ((_, given, text),) = obeyed(write_annotations(facts(failed)))
    assert (given["file"], given["line"]) == ("tests/unit/test_a.py", "12")
    assert text.endswith(": no reason given")


def test_ten_of_a_kind_are_shown_and_the_rest_is_counted() -> None:
    """GitHub drops what is more, and nobody would know of it."""

    def shown(n: int) -> list[tuple[str, dict[str, str], str]]:
        tests = [entry(f"a.py::t{k}", outcome=Outcome.FAILED) for k in range(n)]
        doubts = [evaluation(provider=f"p{k}") for k in range(n)]
        return obeyed(write_annotations(facts(*tests, evals=tuple(doubts))))

    assert len(shown(MOST_SHOWN)) == 2 * MOST_SHOWN
    many = shown(MOST_SHOWN + 3)
    assert len(many) == 2 * MOST_SHOWN
    assert many[MOST_SHOWN - 1] == (
        "error",
        {"title": "tierwise"},
        "4 more of this kind: see the job summary.",
    )
    assert many[-1][0] == "warning"


def test_nothing_to_say_is_nothing() -> None:
    """A green run annotates nothing."""
    made = facts(entry(), evals=(evaluation(expectation()),))
    assert write_annotations(made) == ""


@pytest.mark.parametrize("hostile_text", CORPUS)
def test_no_text_ends_a_command_or_begins_another(hostile_text: str) -> None:
    """In title, path and text: one line, one command, and the text as it was."""
    place = Place(path=hostile_text or "x", line=3)
    notice = Notice(command="error", title=hostile_text, text=hostile_text, place=place)
    line = write_command(notice, folder="")
    assert LINE.fullmatch(line)
    ((command, given, text),) = obeyed(line)
    assert command == "error"
    assert set(given) == {"title", "file", "line"}
    assert given["line"] == "3"
    if hostile_text.isprintable() and "##" not in hostile_text:
        assert text == hostile_text
        assert given["title"] == one_line(hostile_text)


def test_a_hostile_store_says_what_it_may_and_no_more() -> None:
    """Whatever ids, messages and targets hold, the log has our commands alone."""
    lines = write_annotations(hostile()).splitlines()
    assert len(lines) == MOST_SHOWN
    assert all(LINE.fullmatch(line) for line in lines)
    assert {command for command, _, _ in obeyed("\n".join(lines))} == {"error"}


def test_each_end_of_a_line_is_escaped() -> None:
    """As the runner asks for it; a percent sign first, so that no escape is made by a text."""
    assert _data("a\r\nb%0A") == "a%0D%0Ab%250A"


def test_old_commands_are_tamed() -> None:
    """A runner finds those anywhere in a line."""
    assert obeyed(tame("a ##[error]x ##vso[task.complete]y")) == []


def test_a_violation_is_not_told_twice() -> None:
    """The failure that it led to says the same."""
    failed = entry(TOUCH.subject, outcome=Outcome.FAILED, violations=(TOUCH,))
    assert len(obeyed(write_annotations(facts(failed)))) == 1
