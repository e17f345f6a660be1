"""`tierwise report --format` in a real project with a real store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree.ElementTree import fromstring

import jsonschema
import pytest
from click.testing import CliRunner
from report_world import EVAL, make_project
from sarif_subset import SCHEMA

from tierwise.cli.report import command, read_report
from tierwise.cli.report_formats import choose_run, find_site, folder_in_repository
from tierwise.config import load_config
from tierwise.domain import Outcome
from tierwise.errors import MisuseError
from tierwise.records import RunInfo, RunRow, RunStore, TestRow
from tierwise.report.machine.as_json import read_schema

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the project that has everything, and stand in it."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return make_project(tmp_path, code_hash="one state")


def call(*words: str) -> Result:
    """Call the command; a mistake in it is raised."""
    return CliRunner().invoke(command, list(words), catch_exceptions=False, standalone_mode=False)


def told(*words: str) -> str:
    """Return what the command prints."""
    return call("--format", *words).stdout


def test_json_is_what_its_schema_says(project: Path) -> None:
    """Of a store with every outcome, verdict and hostile name in it."""
    data = json.loads(told("json"))
    assert told("json-schema") == read_schema()
    jsonschema.validate(data, json.loads(told("json-schema")))
    assert data["source"]["project"] == project.name
    assert data["counts"]["violations"] == 1
    outcomes = {test["outcome"] for test in data["tests"]}
    assert outcomes == {str(outcome) for outcome in Outcome}
    verdicts = {(one["eval_id"], one["provider"]): one["verdict"] for one in data["evals"]}
    assert verdicts[EVAL, "openai:gpt-5"] == "refuted"
    assert verdicts[EVAL, "local:smollm2"] == "undecided"
    assert set(verdicts.values()) == {"refuted", "undecided", "not judged"}


def test_there_is_one_json(project: Path) -> None:
    """By either option, with all that the page says, as its schema has it; one run has less."""
    data, other = json.loads(told("json")), json.loads(call("--json").stdout)
    other["source"]["made_at"] = data["source"]["made_at"]
    assert data == other
    schema = json.loads(read_schema())
    assert set(schema["properties"]) == set(data)
    assert {key for one in data["evals"] for key in one} == set(
        schema["$defs"]["eval"]["properties"]
    )
    assert [one["ticket"] for one in data["gaps"]] == ["BELL-7", "BELL-12", ""]
    assert any(trial["exchanges"] for one in data["evals"] for trial in one["trials"])
    of_run = json.loads(call("--json", "--run", "last").stdout)
    assert set(of_run) == set(schema["required"])


def test_only_the_last_run_of_each_eval_is_told(project: Path) -> None:
    """An eval that ran twice is one entry by each provider, with the later numbers."""
    evals = json.loads(told("json"))["evals"]
    assert len(evals) == 3
    assert len({one["run"] for one in evals}) == 1
    (leak,) = (
        entry
        for one in evals
        if one["provider"] == "openai:gpt-5"
        for entry in one["expectations"]
        if entry["metric"] == "leak"
    )
    assert (leak["n_scored"], leak["n_planned"], leak["estimate"]) == (9, 12, 2 / 9)


def test_sarif_is_sarif(project: Path) -> None:
    """With the page of the error as its rule's help."""
    log = json.loads(told("sarif"))
    jsonschema.validate(log, SCHEMA)
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == "TW-NET"
    assert "its tier does not allow it" in rule["help"]["markdown"]
    (result,) = log["runs"][0]["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "src/bell/wire.py"


def test_junit_holds_tests_and_expectations(project: Path) -> None:
    """Every tier a suite, and the evals one."""
    root = fromstring(told("junit"))  # noqa: S314  made a line before
    assert [suite.attrib["name"] for suite in root] == [
        "unit",
        "integration",
        "expectations of evals",
    ]
    assert root.attrib["errors"] == "4"


def test_a_file_is_written_and_stdout_left_alone(project: Path) -> None:
    """Folders on the way are made; what was written is said on stderr."""
    result = call("--format", "badge", "--out", "build/docs/badge.svg")
    assert result.stdout == ""
    assert "written to build/docs/badge.svg" in result.stderr
    text = (project / "build/docs/badge.svg").read_text(encoding="utf-8")
    assert "tierwise: 0 of 12 levels covered" in text


def test_github_gets_annotations_and_a_summary(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The annotations in the log; the summary after what other steps wrote to the page."""
    page = project / "summary.md"
    page.write_text("### Another step\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    lines = told("github").splitlines()
    assert lines[0].startswith("::error title=TW-NET forbidden touch,file=src/bell/wire.py,line=3")
    assert all(line.startswith(("::error ", "::warning ")) for line in lines)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("### Another step\n### tierwise: 0 of 12 levels covered\n")


def test_without_a_page_the_summary_follows_the_annotations(project: Path) -> None:
    """Who tries it at home sees all of it; `--out` takes the summary alone."""
    text = told("github")
    assert "\n### tierwise: 0 of 12 levels covered\n" in text
    assert "### tierwise" not in told("github", "--out", "summary.md")
    assert (project / "summary.md").read_text("utf-8").startswith("### tierwise")


def test_a_page_that_cannot_be_written_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in its place is named."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project))
    with pytest.raises(MisuseError, match="cannot be written to"):
        told("github")


def test_one_run_is_one_run(project: Path) -> None:
    """Its tests, the last result of each, and no eval of another run."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        for outcome in (Outcome.FAILED, Outcome.PASSED):
            store.add_test(
                run, TestRow(nodeid="a.py::t", tier="unit", level="unit", outcome=outcome)
            )
        store.finish_run(run, exit_code=0)
    for name in ("last", run):
        data = json.loads(told("json", "--run", name))
        assert data["source"]["run"] == run
        assert [(test["nodeid"], test["outcome"]) for test in data["tests"]] == [
            ("a.py::t", "passed")
        ]
        assert data["evals"] == []
    assert len(json.loads(told("json"))["tests"]) > 80


def test_a_run_of_evals_has_its_evals(project: Path) -> None:
    """And no tests, if it ran none."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        run = store.runs()[-2].run_id
    data = json.loads(told("json", "--run", run))
    assert {one["run"] for one in data["evals"]} == {run}
    assert data["tests"] == []


def test_an_eval_that_is_gone_is_told_of_its_own_run_alone(project: Path) -> None:
    """The store remembers it; the project does not have it any more."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        run = store.runs()[-1].run_id
    (project / "tests/evals/test_secrets.py").unlink()
    assert json.loads(told("json"))["evals"] == []
    assert len(json.loads(told("json", "--run", run))["evals"]) == 3


def test_what_is_gone_is_not_told(project: Path) -> None:
    """Results of a tier that was renamed, and of tests outside of all tiers that were deleted."""
    (project / "there.py").write_text("def t(): pass\n")
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        for nodeid, tier in (("a.py::t", "old name"), ("gone.py::t", None), ("there.py::t", None)):
            row = TestRow(nodeid=nodeid, tier=tier, level=None, outcome=Outcome.FAILED)
            store.add_test(run, row)
        store.finish_run(run, exit_code=1)
    told_of = {test["nodeid"] for test in json.loads(told("json"))["tests"]}
    assert told_of & {"a.py::t", "gone.py::t", "there.py::t"} == {"there.py::t"}
    of_run = json.loads(told("json", "--run", run))["tests"]
    assert len(of_run) == 3
    shown = {test.nodeid for test in read_report(load_config(project)).tests}
    assert shown & {"a.py::t", "gone.py::t", "there.py::t"} == {"there.py::t"}


def test_a_project_without_a_store_is_reported_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve gaps; nothing is written, it ends with 11, and a run cannot be asked for."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert json.loads(told("json"))["counts"]["levels"]["gap"] == 12
    for form in ("json", "junit", "github", "badge"):
        result = call("--format", form)
        assert result.return_value == 11
        assert result.stdout
        assert result.stderr.startswith("Nothing is recorded")
    assert not (tmp_path / ".tierwise").exists()
    with pytest.raises(MisuseError, match=r"nothing is recorded\. Run pytest"):
        told("json", "--run", "last")


def test_without_records_no_sarif_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without results would close what is open, and nothing was looked at."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = call("--format", "sarif", "--out", "out.sarif")
    assert (result.return_value, result.stdout) == (11, "")
    assert "No SARIF was written" in result.stderr
    assert not (tmp_path / "out.sarif").exists()


def test_with_records_a_format_ends_with_0(project: Path) -> None:
    """Whether the build fails is not for a report to say."""
    for form in ("json", "json-schema", "junit", "sarif", "github", "badge"):
        assert call("--format", form).return_value == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--format", "json", "--serve"), "--format json is a report of its own"),
        (("--format", "sarif", "--json"), "--format sarif is another: use one"),
        (("--run", "last"), "the page shows all runs"),
    ],
)
def test_what_cannot_go_together_is_refused(
    project: Path, words: tuple[str, ...], complaint: str
) -> None:
    """Before anything is written."""
    with pytest.raises(MisuseError, match=complaint):
        call(*words)


def test_a_run_is_found_by_its_name() -> None:
    """`last`, an id, the start of one; what is meant by no name or by several is said."""
    runs = [RunRow(run_id=name, started_at="", info=RunInfo()) for name in ("a1", "a12", "b3")]
    assert choose_run("last", runs) == "b3"
    assert choose_run("a1", runs) == "a1"
    assert choose_run("b", runs) == "b3"
    with pytest.raises(MisuseError, match="'a' begins the ids of 2 runs"):
        choose_run("a", runs)
    with pytest.raises(MisuseError, match=r"There is no run 'b4'\. Did you mean 'b3'"):
        choose_run("b4", runs)
    with pytest.raises(MisuseError, match="There is no run ''"):
        choose_run("", runs)
    with pytest.raises(MisuseError, match="'last': nothing is recorded"):
        choose_run("last", [])


def test_the_folder_within_the_repository_is_found(tmp_path: Path) -> None:
    """A worktree's `.git` is a file, and a project outside of Git is all there is."""
    inner = tmp_path / "apps" / "inn"
    inner.mkdir(parents=True)
    (tmp_path / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert folder_in_repository(inner) == "apps/inn"
    assert folder_in_repository(tmp_path) == ""


def test_the_site_is_the_package_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named once, in the package's metadata; where it names none there is none."""
    links = ["Source, https://code.test", "Documentation, https://docs.test/tierwise/"]
    for given, expected in ((links, "https://docs.test/tierwise/"), ([], "")):
        monkeypatch.setattr(
            "tierwise.cli.report_formats.metadata",
            lambda _name, given=given: type("M", (), {"get_all": lambda _s, _n: given})(),
        )
        assert find_site() == expected
