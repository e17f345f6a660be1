"""`tierwise report` in a real project with a real store: the page, its folder, and plain data."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner
from report_world import EVAL, HOSTILE, make_project

from tierwise.cli import cli
from tierwise.cli.report import command
from tierwise.domain import Outcome
from tierwise.errors import MissingExtraError, MisuseError
from tierwise.records import PlanRow, RunInfo, RunStore, TestRow
from tierwise.report.html.templating import show_code

if TYPE_CHECKING:
    from pathlib import Path


class Reader(HTMLParser):
    """Reads a page as a browser would: which tags it has, and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag with its attributes."""
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the project that has everything, and stand in it."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path, code_hash="one state")


def run(*arguments: str) -> str:
    """Run the command, which has to do its work, and return what it printed."""
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def read(path: Path) -> tuple[str, Reader]:
    """Return a page and its tags."""
    text = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    return text, reader


def test_the_page_is_one_file_that_asks_for_no_other(project: Path) -> None:
    """Nothing is linked, loaded or sent: the page reads the same offline and for ever."""
    output = run()
    assert "4 tests fail, 1 test ends in an error, 1 expectation is refuted and more." in output
    text, reader = read(project / ".tierwise" / "report.html")
    assert not {"link", "img", "iframe", "object", "embed", "form", "base"} & {
        tag for tag, _ in reader.tags
    }
    outward = [
        value
        for _, found in reader.tags
        for name, value in found.items()
        if name in ("src", "href", "action", "srcset") and not (value or "").startswith("#")
    ]
    assert outward == []
    assert not any(name.startswith("on") for _, found in reader.tags for name in found)
    assert len(text.encode()) < 200_000


def test_the_policy_names_what_is_in_the_page_and_no_more(project: Path) -> None:
    """One style and one script are let in by their hashes; no other source is."""
    run()
    _, reader = read(project / ".tierwise" / "report.html")
    (policy,) = [
        found["content"] for tag, found in reader.tags if tag == "meta" and "http-equiv" in found
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert policy.count("sha256-") == 2
    assert "connect-src" not in policy


def test_hostile_text_is_shown_and_is_no_markup(project: Path) -> None:
    """Each text of the corpus is there in its escaped form; its tags are not tags of the page."""
    run()
    text, reader = read(project / ".tierwise" / "report.html")
    assert sum(tag == "script" for tag, _ in reader.tags) == 2
    assert sum(tag == "style" for tag, _ in reader.tags) == 1
    assert "onerror" not in {name for _, found in reader.tags for name in found}
    assert "&lt;svg/onload=" in text
    assert "\\u202egnp.exe" in text
    assert not re.search("[\u202e\u2066\u200b\x00\x1b\x85\u2028]", text)
    (data,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
    names = {row[0] for _, _, rows in json.loads(data)["files"] for row in rows}
    assert f"test_{HOSTILE[1]}" in names


def test_a_second_page_leaves_nothing_of_the_first(project: Path, tmp_path: Path) -> None:
    """Transcripts that no longer belong to the page go; what is not ours stays."""
    folder = tmp_path / "out" / "proof-transcripts"
    folder.mkdir(parents=True)
    (folder / "trials-9-9.html").write_text("old", encoding="utf-8")
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    run("--out", "out/proof.html")
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert [path.name for path in folder.parent.iterdir() if path.is_file()] == ["proof.html"]


def test_many_transcripts_lie_beside_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no room is on pages beside it, to which the page leads; the rest is counted."""
    monkeypatch.chdir(make_project(tmp_path, n_trials=400))
    assert "with report-transcripts beside it" in run()
    page = tmp_path / ".tierwise" / "report.html"
    text, reader = read(page)
    links = [found["href"] for tag, found in reader.tags if tag == "a" and "class" not in found]
    beside = sorted(str(link) for link in links if link and not link.startswith("#"))
    folder = page.parent / "report-transcripts"
    assert beside == sorted(f"./report-transcripts/{path.name}" for path in folder.iterdir())
    assert "200 of 400 trials are shown" in text
    n_inline = text.count("data-trial ")
    n_beside = sum(path.read_text("utf-8").count("data-trial ") for path in folder.iterdir())
    assert n_inline + n_beside == 600
    assert len(text.encode()) < 1_000_000
    assert "sha256-" in next(folder.iterdir()).read_text("utf-8")


def test_plain_data_says_what_the_page_says(project: Path) -> None:
    """Programs read the same facts, transcripts included, as ASCII; no page is written."""
    printed = run("--json")
    assert printed.isascii()
    data: dict[str, Any] = json.loads(printed)
    assert data["headline"]["title"].startswith("4 tests fail")
    assert len(data["levels"]) == 12
    assert {one["verdict"] for one in data["evals"]} == {"refuted", "undecided", "not judged"}
    changed = {
        (one["nodeid"].rpartition("::")[2], one["before"], one["now"])
        for one in data["changes"]["tests"]
    }
    assert ("test_rings_once", "passed", "failed") in changed
    assert ("test_rings_twice", "failed", "passed") in changed
    assert ("test_breaks", None, "error") in changed
    assert ("test_goes", "passed", None) in changed
    assert data["changes"]["n_new"] == 77
    assert [one["ticket"] for one in data["gaps"]] == ["BELL-7", "BELL-12", ""]
    flaky = {
        one["nodeid"].rpartition("::")[2]: (one["n_failed"], one["n_runs"])
        for one in data["flaky"]
    }
    assert flaky == dict.fromkeys(("test_rings_once", "test_rings_twice", "test_flickers"), (1, 2))
    states = {one["name"]: one["state"] for one in data["contracts"][0]["implementations"]}
    assert states["broken"] == "broken"
    assert data["violations"][0]["target"] == "203.0.113.7:443"
    assert [run["outcomes"].get("failed") for run in data["runs"]] == [2, 4]
    assert not (project / ".tierwise" / "report.html").exists()


def test_of_each_eval_the_trials_that_speak_against_it_come_first(project: Path) -> None:
    """Those that did not pass, and those with a score that the promise speaks against."""
    data = json.loads(run("--json"))
    found = next(
        one for one in data["evals"] if (one["eval_id"], one["provider"]) == (EVAL, "openai:gpt-5")
    )
    against = [
        trial["outcome"] != "passed" or trial["scores"]["leak"] or not trial["scores"]["helpful"]
        for trial in found["trials"]
    ]
    assert against == [True] * 7 + [False] * 5
    assert found["outcomes"] == {
        "passed": 8,
        "failed": 1,
        "error": 1,
        "unobservable": 1,
        "not_run": 1,
    }
    assert (found["usage"]["n_calls"], found["usage"]["n_trials"]) == (12, 12)


def test_an_eval_that_is_gone_is_not_shown(project: Path) -> None:
    """The store remembers it; the project does not have it any more."""
    run()
    page = project / ".tierwise" / "report.html"
    assert "test_secrets.py" in page.read_text(encoding="utf-8")
    (project / "tests/evals/test_secrets.py").unlink()
    assert json.loads(run("--json"))["evals"] == []
    run()
    assert "test_secrets.py" not in page.read_text(encoding="utf-8")


def test_without_the_package_the_command_to_install_it_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is asked for when a page is laid out, and not for plain data."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert run("--json")
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[report\]'"):
        run()


def test_a_place_that_cannot_be_written_is_named(project: Path) -> None:
    """A file where a folder should be is said, with what to do."""
    with pytest.raises(
        MisuseError, match=r"cannot be written to pyproject.toml/report.html.*--out"
    ):
        run("--out", "pyproject.toml/report.html")


@pytest.mark.parametrize("name", [".", "..", "/", "tests", "tests/"])
def test_a_folder_is_no_file_to_write_to(project: Path, name: str) -> None:
    """It is said before anything is read, and nothing is left there."""
    before = sorted(project.parent.iterdir())
    with pytest.raises(MisuseError, match="is a folder"):
        run("--out", name)
    assert sorted(project.parent.iterdir()) == before


def test_serve_takes_no_file(project: Path) -> None:
    """What cannot go together is refused before anything is served."""
    with pytest.raises(MisuseError, match="leave out --json and --out"):
        run("--serve", "--json")


def test_a_project_without_a_store_gets_a_page_that_git_ignores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says that nothing is known; its folder does not end up in a commit."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run().startswith("Nothing is known yet. Run `pytest`; what it comes to is recorded")
    assert (tmp_path / ".tierwise" / ".gitignore").read_text("utf-8") == "*\n"
    assert not (tmp_path / ".tierwise" / "records.db").exists()


def commands_of(html: str) -> list[str]:
    """Return the commands that the sections without content name."""
    empty = re.findall(r'<p class="empty">(.*?)</p>', html, re.DOTALL)
    return [found for text in empty for found in re.findall(r"<code>(tierwise .*?)</code>", text)]


def exists(name: str) -> bool:
    """Is there such a command, subcommands included?"""
    found: click.Command | None = cli
    for word in name.split()[1:]:
        if isinstance(found, click.Group) and not word.startswith("-"):
            found = found.get_command(click.Context(found), word)
    return found is not None


def test_each_command_that_an_empty_section_names_is_there_or_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is sent to a command that this version has not; once it has it, that is said."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run()
    html, _ = read(tmp_path / ".tierwise" / "report.html")
    missing = set(re.findall(r"no command <code>(.*?)</code> yet", html))
    assert "tierwise eval run" in commands_of(html)
    assert {name for name in commands_of(html) if not exists(name)} == missing


def test_words_in_backticks_are_code_and_still_no_markup(project: Path) -> None:
    """A reason that names a command shows it as one; hostile text around it stays text."""
    run()
    text, _ = read(project / ".tierwise" / "report.html")
    assert str(show_code("run `pytest`")) == "run <code>pytest</code>"
    assert str(show_code("`<b>`\u202e` x")) == "<code>&lt;b&gt;</code>\\u202e` x"
    assert "run `" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_a_run_of_evals_is_no_run_of_tests(project: Path) -> None:
    """What changed, and the history of tests, stay those of the last run of tests."""
    before = json.loads(run("--json"))
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        plan = PlanRow(
            run_id=store.start_run(RunInfo()),
            plan_hash="p",
            eval_id=EVAL,
            tier="evals",
            n_cases=1,
            trials=1,
            n_planned=1,
            provider="x",
        )
        store.add_plan(plan)
        judged = TestRow(
            nodeid=EVAL, tier="evals", level="acceptance", outcome=Outcome.PASSED, duration_s=9.0
        )
        store.add_tests(plan.run_id, [judged])
        store.finish_run(plan.run_id, exit_code=0)
    after = json.loads(run("--json"))
    assert len(after["tests"]) == len(before["tests"]) + 1
    assert after["changes"] == before["changes"]
    assert after["runs"] == before["runs"]


def test_an_eval_that_ended_both_ways_is_measured_and_not_flaky(project: Path) -> None:
    """Another provider, or another draw of the same one, is no flickering of a test."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        for outcome in (Outcome.PASSED, Outcome.FAILED):
            plan = PlanRow(
                run_id=store.start_run(RunInfo(code_hash="one state")),
                plan_hash="p",
                eval_id=EVAL,
                tier="evals",
                n_cases=1,
                trials=1,
                n_planned=1,
                provider="x",
            )
            store.add_plan(plan)
            judged = TestRow(
                nodeid=EVAL, tier="evals", level="acceptance", outcome=outcome, duration_s=9.0
            )
            store.add_tests(plan.run_id, [judged])
            store.finish_run(plan.run_id, exit_code=0)
    flaky = {one["nodeid"] for one in json.loads(run("--json"))["flaky"]}
    assert "tests/unit/test_bell.py::test_flickers" in flaky
    assert EVAL not in flaky
