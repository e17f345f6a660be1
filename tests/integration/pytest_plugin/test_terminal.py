import re
from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

SUITE = {f"tests/{tier}/test_{tier}.py": "def test_it(): pass\n" for tier in ("unit", "evals")}


def foot_of(result: pytest.RunResult) -> list[str]:
    """Return the lines of the tiers' section."""
    lines = result.outlines
    start = next(n for n, line in enumerate(lines) if line.strip("= ") == "tiers")
    rest = lines[start + 1 :]
    end = next(n for n, line in enumerate(rest) if line.startswith("==="))
    return rest[:end]


def test_the_head_names_mode_tiers_and_seed(project: Project, run: Run) -> None:
    """One line at the head says how this run is held to account."""
    project(SUITE)
    run("--order-seed", "5").stdout.fnmatch_lines(
        ["tierwise: enforce; tiers unit, integration, e2e; deliberate live, evals; order seed 5"]
    )


def test_the_foot_gives_each_tier_a_line(project: Project, run: Run) -> None:
    """Counts, time and violations of each tier, what was left out, the seed, the report."""
    project({**SUITE, "tests/unit/test_w.py": "def test_it(): open('x.txt', 'w')\n"})
    unit, evals, seed, report = foot_of(run("--order-seed", "5"))
    assert re.fullmatch(r"unit   1 passed, 1 failed  \d+\.\d\d s  1 violation \(write\)", unit)
    assert " ".join(evals.split()) == "evals 1 left out deliberate; run with: pytest --tier evals"
    assert seed == "random order; the same again with: pytest --order-seed 5"
    assert report == "what this proves: tierwise map, or as a page: tierwise report"


def test_the_foot_has_six_lines_at_most(project: Project, run: Run) -> None:
    """Many tiers are folded into one line."""
    tiers = [f"t{n}" for n in range(9)]
    project(
        {f"tests/{tier}/test_{tier}.py": "def test_it(): pass\n" for tier in tiers},
        table="\n".join(f'[tool.tierwise.tiers.{tier}]\nlevel = "unit"' for tier in tiers),
    )
    foot = foot_of(run())
    assert len(foot) == 6
    assert foot[3].startswith("and t")
    assert foot[3].count("1 passed") == 6


def test_a_quiet_run_has_no_foot(project: Project, run: Run) -> None:
    """Under -q the tiers' section and the head are left out."""
    project(SUITE)
    run("-q").stdout.no_fnmatch_line("*tier*")


def test_a_run_that_collected_nothing_has_no_foot(project: Project, run: Run) -> None:
    """An empty project is pytest's own business to report."""
    project({"README": ""})
    result = run()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.no_fnmatch_line("*= tiers =*")


def test_piped_output_has_no_colour(project: Project, run_apart: Run) -> None:
    """No escape sequence reaches a file."""
    project({**SUITE, "tests/unit/test_w.py": "def test_it(): open('x.txt', 'w')\n"})
    assert "\x1b" not in run_apart().stdout.str()


def test_junit_gets_the_violation(project: Project, run: Run) -> None:
    """Machines read the same failure as people."""
    pytester = project({"tests/unit/test_w.py": "def test_it(): open('x.txt', 'w')\n"})
    run("--junitxml=out.xml")
    assert "TW-FILE  tests/unit/test_w.py::test_it opened" in (
        pytester.path / "out.xml"
    ).read_text(encoding="utf-8")


def test_a_temporary_folder_elsewhere_is_still_temporary(project: Project, run: Run) -> None:
    """`--basetemp` inside the project counts as tmp, not as writing to the project."""
    project(
        {
            "tests/integration/test_i.py": """
                def test_it(tmp_path): (tmp_path / "x").write_text("x")
            """
        }
    )
    run("--basetemp", "build").assert_outcomes(passed=1)


def test_what_could_not_be_judged_fails_the_run(project: Project, run: Run) -> None:
    """A fault of ours while judging is an error of the run, not an allowed touch."""
    project(
        {
            "tests/unit/test_u.py": """
                from tierwise.sandbox.slot import SLOT
                from tierwise.sandbox.ledger import Fault
                def test_it():
                    owner = SLOT.sandboxes[-1].acting_owner
                    owner.ledger.record_fault(Fault(event="open", subject="test", error="oops"))
            """
        }
    )
    result = run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*tierwise could not judge*", "*open, which test caused: oops"])


@pytest.mark.parametrize("options", [(), ("-q",), ("--tierwise-mode", "report")])
def test_a_tier_s_path_that_leads_nowhere_is_told(
    project: Project, run: Run, options: tuple[str, ...]
) -> None:
    """A typo switches enforcement off for a folder, which no run keeps silent about."""
    project(SUITE, table='[tool.tierwise.tiers.unit]\npaths = ["tests/unitt"]')
    result = run(*options)
    line = (
        'tierwise: tier "unit" names tests/unitt, which does not exist; did you mean tests/unit?'
    )
    assert result.outlines.count(line) == 1


def test_a_path_that_exists_needs_no_words(project: Project, run: Run) -> None:
    """Neither a written tier with its folder, nor the default tiers without theirs."""
    project(SUITE, table='[tool.tierwise.tiers.unit]\npaths = ["tests/unit"]')
    run().stdout.no_fnmatch_line("*does not exist*")
    project(SUITE)
    run().stdout.no_fnmatch_line("*does not exist*")


def test_the_line_of_unplaced_tests_says_how_to_place_them(project: Project, run: Run) -> None:
    """What no tier claims is not held to any, and the foot says so."""
    project({"tests/other/test_o.py": "def test_it(): pass\n"})
    (line, *_) = foot_of(run("--order-seed", "1"))
    assert line.startswith("unplaced  1 passed")
    assert "; no tier claims them: place them by @pytest.mark.tier or" in line


def test_a_typo_does_not_touch_the_foot(project: Project, run: Run) -> None:
    """Six lines remain six lines."""
    tiers = [f"t{n}" for n in range(9)]
    table = "\n".join(f'[tool.tierwise.tiers.{tier}]\nlevel = "unit"' for tier in tiers)
    project(
        {f"tests/{tier}/test_{tier}.py": "def test_it(): pass\n" for tier in tiers[1:]},
        table=table,
    )
    result = run()
    assert len(foot_of(result)) == 6
    result.stdout.fnmatch_lines(['tierwise: tier "t0" names tests/t0, which does not exist; *'])


@pytest.mark.parametrize("width", ["60", "100"])
def test_a_narrow_terminal_gets_lines_that_fit(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    """Columns close up and the time goes, where a line would be folded; a pipe keeps all."""
    terminal = """
        def pytest_sessionstart(session):
            reporter = session.config.pluginmanager.get_plugin("terminalreporter")
            reporter.isatty = type(reporter.isatty)(True)
    """
    files = {"tests/unit/test_w.py": "def test_it(): open('x.txt', 'w')", "conftest.py": terminal}
    project({**SUITE, **files})
    monkeypatch.setenv("COLUMNS", width)
    foot = foot_of(run("--order-seed", "5"))
    assert max(map(len, foot)) <= int(width)
    assert (foot[0] == "unit  1 passed, 1 failed  1 violation (write)") is (width == "60")


def test_a_pipe_gets_whole_lines_however_narrow(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reads it does its own wrapping, and looks for the time in its column."""
    project(SUITE)
    monkeypatch.setenv("COLUMNS", "50")
    _, _, seed, report = foot_of(run("--order-seed", "5"))
    assert seed.startswith("random order; the same again")
    assert report.startswith("what this proves")


def test_what_was_not_recorded_is_not_in_the_report(project: Project, run: Run) -> None:
    """A store that cannot be written is told, and no report is pointed to."""
    pytester = project(SUITE)
    (pytester.path / ".tierwise").mkdir()
    (pytester.path / ".tierwise" / "records.db").write_text("not a store", encoding="utf-8")
    result = run()
    result.stdout.fnmatch_lines(["*results were not recorded*"])
    result.stdout.no_fnmatch_line("*tierwise report*")
