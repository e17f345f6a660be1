"""`tierwise map` with its baseline, its document and its commands, in a real project."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from tierwise.cli.map import command
from tierwise.config import load_config
from tierwise.domain import Outcome
from tierwise.errors import ConfigError, MisuseError
from tierwise.records import KnownGap, RunInfo, RunStore, TestRow, read_fingerprint
from tierwise.report.markdown import BEGIN, END

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = sys.executable.replace("\\", "/")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with the default tiers and stand in it."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    (tmp_path / "tests/unit").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep(project: Path, *rows: TestRow, tiers: tuple[str, ...] = ("unit",)) -> None:
    """Keep a whole run of these results, on the present state of the code."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        code = read_fingerprint(project, whole=load_config(project).code_paths)
        run = store.start_run(RunInfo(code_hash=code))
        store.add_tests(run, rows)
        store.finish_run(run, exit_code=0, complete_tiers=tiers)


def a_row(nodeid: str, outcome: Outcome = Outcome.PASSED, gap: KnownGap | None = None) -> TestRow:
    return TestRow(nodeid=nodeid, tier="unit", level="unit", outcome=outcome, gap=gap)


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def level(name: str, *arguments: str) -> dict[str, object]:
    rows = json.loads(ask("--json", *arguments).stdout)
    return next(row for row in rows if row["level"] == name)


def test_check_fails_when_a_level_fell(project: Path) -> None:
    """The baseline is saved, compared with, and a level below it is named with its reason."""
    keep(project, a_row("tests/unit/t.py::test"))
    assert "review and commit it" in ask("--save-baseline").stderr
    saved = json.loads((project / "tierwise-map.json").read_text())
    assert saved["levels"]["unit"] == saved["levels"]["regression"] == "covered"
    assert ask("--check").return_value == 0
    keep(project, a_row("tests/unit/t.py::test", Outcome.FAILED))
    result = ask("--check")
    assert result.return_value == 1
    assert "unit fell from covered to partial: 1 failed" in result.stderr
    assert level("unit", "--check")["fell_from"] == "covered"


def test_check_without_a_baseline_says_how_to_make_one(project: Path) -> None:
    """Nothing to compare with is misuse, not success."""
    del project
    error = ask("--check").exception
    assert isinstance(error, MisuseError)
    assert "tierwise map --save-baseline" in str(error)


def test_check_without_records_cannot_tell(project: Path) -> None:
    """A baseline of nothing but gaps is no reason to call an empty store fine."""
    assert ask("--save-baseline").return_value == 0
    result = ask("--check")
    assert result.return_value == 11
    assert result.stderr.startswith("Nothing is recorded here")
    keep(project, a_row("tests/unit/t.py::test"))
    assert ask("--check").return_value == 0


def test_a_broken_baseline_is_refused(project: Path) -> None:
    """Also one in another encoding."""
    (project / "tierwise-map.json").write_text("{")
    assert isinstance(ask("--check").exception, ConfigError)
    (project / "tierwise-map.json").write_bytes(b"\xff")
    assert isinstance(ask("--check").exception, MisuseError)


def test_the_baseline_may_lie_elsewhere(project: Path) -> None:
    """[tool.tierwise.map] names the file."""
    (project / "pyproject.toml").write_text('[tool.tierwise.map]\nbaseline = "tests/map.json"\n')
    ask("--save-baseline")
    assert (project / "tests/map.json").exists()


def test_check_and_save_baseline_exclude_each_other(project: Path) -> None:
    """What is saved now cannot be below itself."""
    del project
    assert isinstance(ask("--check", "--save-baseline").exception, MisuseError)


def test_the_map_is_written_into_a_document(project: Path) -> None:
    """Between its markers, with classes, counts, docstrings and gaps; the second time is quiet."""
    (project / "tests/unit/t.py").write_text(
        'class TestGrants:\n    """Granting."""\n    def test_a(self): pass\n'
    )
    keep(
        project,
        a_row("tests/unit/t.py::TestGrants::test_a[1]"),
        a_row("tests/unit/t.py::TestGrants::test_a[2]"),
        a_row("tests/unit/t.py::test_gap", Outcome.NOT_RUN, KnownGap(reason="r", ticket="X-1")),
    )
    path = project / "TESTING.md"
    path.write_text(f"# Tests\n{BEGIN}\n{END}\nThe end.\n")
    assert "written" in ask("--markdown", "TESTING.md").stderr
    text = path.read_text()
    assert "| tests/unit/t.py | TestGrants | 2 | Granting. |" in text
    assert "| tests/unit/t.py::test\\_gap | r | X-1 | open |" in text
    assert text.endswith(f"{END}\nThe end.\n")
    assert "already up to date" in ask("--markdown", "TESTING.md").stderr


def test_the_ends_of_lines_of_a_document_stay(project: Path) -> None:
    """What is outside of the markers is left alone, and what is between has the same."""
    keep(project, a_row("tests/unit/t.py::test"))
    for end in ("\r\n", "\n"):
        text = f"# Tests{end}{BEGIN}{end}old{end}{END}{end}The end.{end}"
        (project / "TESTING.md").write_bytes(text.encode())
        ask("--markdown", "TESTING.md")
        after = (project / "TESTING.md").read_bytes().decode()
        assert after.startswith(f"# Tests{end}{BEGIN}{end}{end}| Level")
        assert after.endswith(f"{END}{end}The end.{end}")
        assert after.count("\r") == (after.count("\n") if end == "\r\n" else 0)
        assert "already up to date" in ask("--markdown", "TESTING.md").stderr


def test_a_document_that_is_not_there_is_made(project: Path) -> None:
    """It holds the map alone."""
    ask("--markdown", "MAP.md")
    assert (project / "MAP.md").read_text().startswith(BEGIN)


def test_a_document_that_cannot_be_read_is_left_as_it_is(project: Path) -> None:
    """No text, or no markers: an error, and not a byte changed."""
    path = project / "bytes.md"
    path.write_bytes(b"\xff")
    assert isinstance(ask("--markdown", "bytes.md").exception, MisuseError)
    assert path.read_bytes() == b"\xff"
    path.write_text("no markers")
    assert isinstance(ask("--markdown", "bytes.md").exception, MisuseError)
    assert path.read_text() == "no markers"


def test_no_file_outside_the_project_is_read_for_a_docstring(project: Path) -> None:
    """A record that was imported may name any file."""
    (project.parent / "outside.py").write_text('"""Not yours."""\ndef test(): pass\n')
    keep(project, a_row("../outside.py::test"))
    ask("--markdown", "MAP.md")
    assert "Not yours" not in (project / "MAP.md").read_text()


def test_commands_serve_their_level(project: Path) -> None:
    """A command that passes covers its level until the code changes."""
    (project / "pyproject.toml").write_text(
        f"[tool.tierwise.map.commands]\nstatic = ['{PYTHON} -c pass']\n"
    )
    assert level("static")["status"] == "gap"
    row = level("static", "--run", "static")
    assert (row["status"], row["reason"]) == ("covered", "1 of 1 gates and commands ok")
    (project / "new.py").write_text("x = 1\n")
    assert level("static")["status"] == "partial"


@pytest.mark.parametrize(
    ("call", "reason", "code"),
    [
        ("-c 'raise SystemExit(3)'", "is broken (it ended with 3)", 1),
        (None, "is nothing that was read (there is no program no-such-program)", 11),
        ('-c \'open("made.py", "w").close()\'', "is from another state of the code", 0),
    ],
)
def test_a_command_that_does_not_pass_covers_nothing(
    project: Path, call: str | None, reason: str, code: int
) -> None:
    """It fails, is not there, or changes what it looks at: partial, and why."""
    text = f"{PYTHON} {call}" if call else "no-such-program --x"
    (project / "pyproject.toml").write_text(
        f"[tool.tierwise.map.commands]\nstatic = [{json.dumps(text)}]\n"
    )
    result = ask("--run", "static")
    assert result.return_value == code
    row = level("static")
    assert row["status"] == "partial"
    assert str(row["reason"]).endswith(reason)


def test_a_secret_in_a_command_or_its_words_is_not_kept(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the environment calls a secret is masked in the records of commands, too."""
    monkeypatch.setenv("DEPLOY_TOKEN", "planted-canary-1234")
    (project / "pyproject.toml").write_text(
        "[tool.tierwise.map.commands]\nstatic = ['no-such-planted-canary-1234 --x']\n"
    )
    ask("--run", "static")
    kept = b"".join(path.read_bytes() for path in (project / ".tierwise").iterdir())
    assert b"no-such-" in kept
    assert b"planted-canary-1234" not in kept


def test_a_command_with_a_secret_in_it_is_shown_masked(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it has run and afterwards, when its record is known as its own."""
    monkeypatch.setenv("DEPLOY_TOKEN", "planted-canary-1234")
    key = "sk-" + "a1B2" * 8
    (project / "pyproject.toml").write_text(
        f"[tool.tierwise.map.commands]\nstatic = ['{PYTHON} -c pass {key} planted-canary-1234']\n"
    )
    for words, status in (((), "gap"), (("--run", "static"), "covered")):
        row = level("static", *words)
        assert row["status"] == status
        assert key not in json.dumps(row)
        assert "planted-canary-1234" not in json.dumps(row)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("", MisuseError),
        ('[tool.tierwise.map.commands]\nstatic = ["a \'b"]', ConfigError),
        ("[tool.tierwise.map.commands]\nstatics = ['a']", ConfigError),
        ("[tool.tierwise.map.commands]\nstatic = []", ConfigError),
        ("[tool.tierwise.map]\nbaseline = ''", ConfigError),
    ],
)
def test_commands_that_cannot_be_run_are_refused(
    project: Path, table: str, kind: type[Exception]
) -> None:
    """No command, a torn quote, an unknown level, an empty list."""
    (project / "pyproject.toml").write_text(f"[tool.tierwise]\n{table}\n")
    assert isinstance(ask("--run", "static").exception, kind)
    assert not (project / ".tierwise").exists()


def test_the_wide_map_has_every_count(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five outcomes, the last run, evidence and the question."""
    keep(project, a_row("tests/unit/t.py::test"))
    monkeypatch.setenv("COLUMNS", "240")
    printed = ask("--wide").stdout
    for words in ("passed", "failed", "error", "unobservable", "not run", "last run", "evidence"):
        assert words in printed.splitlines()[0]


def test_a_narrow_terminal_gets_lines(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve columns of three letters each tell nobody anything."""
    keep(project, a_row("tests/unit/t.py::test"))
    monkeypatch.setenv("COLUMNS", "80")
    lines = ask("--wide").stdout.splitlines()
    place = lines.index("2. unit: covered")
    assert lines[place + 1] == "   why:       all 1 passed on this state of the code"
    assert "   tests:     1 passed" in lines
    assert "12. chaos: gap" in lines


def test_a_question_is_no_markup(project: Path) -> None:
    """It may hold brackets, which are shown."""
    (project / "pyproject.toml").write_text(
        '[tool.tierwise.tiers.unit]\npaths = ["tests/unit"]\nquestion = "Is [/it] [bold]right?"\n'
    )
    for words in (("--by", "tier"), ("--wide",), ()):
        result = ask(*words)
        assert result.exception is None
        assert ("Is [/it] [bold]right?" in result.stdout) is bool(words)
