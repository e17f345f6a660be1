from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]
NOTHING = "def test_it(): pass\n"
SUITE = {
    "tests/unit/test_u.py": NOTHING,
    "tests/integration/test_i.py": NOTHING,
    "tests/evals/test_e.py": NOTHING,
}


def test_a_bare_run_leaves_deliberate_tiers_out(project: Project, run: Run) -> None:
    """Without --tier every tier runs but the deliberate ones, which are only collected."""
    project(SUITE)
    result = run()
    result.assert_outcomes(passed=2, deselected=1)
    result.stdout.fnmatch_lines(["evals *1 left out *pytest --tier evals"])


def test_a_named_tier_runs_alone(project: Project, run: Run) -> None:
    """--tier runs the tests of that tier, deliberate or not, and no others."""
    project(SUITE)
    run("--tier", "evals").assert_outcomes(passed=1, deselected=2)


def test_tiers_can_be_named_together(project: Project, run: Run) -> None:
    """--tier may be repeated."""
    project(SUITE)
    run("--tier", "evals", "--tier", "unit").assert_outcomes(passed=2, deselected=1)


def test_an_unknown_tier_is_refused(project: Project, run: Run) -> None:
    """A misspelt --tier is a usage error with the closest name, not an empty run."""
    project(SUITE)
    result = run("--tier", "unitt")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--tier: there is no tier 'unitt'. Did you mean 'unit'?*"])


def test_a_tier_needs_a_table(project: Project, run: Run) -> None:
    """Where nothing is declared no tier can be named, and the message says how to declare."""
    project(SUITE, table=None)
    result = run("--tier", "unit")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*declares no tiers*tierwise init*"])


def test_an_import_error_in_an_eval_fails_the_bare_run(project: Project, run: Run) -> None:
    """Deliberate tests are collected each time, so that they cannot rot unseen."""
    project({**SUITE, "tests/evals/test_e.py": "import no_such_module\n"})
    result = run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["ERROR tests/evals/test_e.py"])


def test_testpaths_do_not_hide_deliberate_tiers(project: Project, run: Run) -> None:
    """A bare run whose testpaths leave the evals out collects them all the same."""
    project(
        {**SUITE, "tests/evals/test_e.py": "import no_such_module\n"},
        pytest_options='testpaths = ["tests/unit"]',
    )
    result = run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["ERROR tests/evals/test_e.py"])


def test_a_named_path_is_all_that_is_collected(project: Project, run: Run) -> None:
    """Naming a folder keeps broken evals elsewhere out of the way."""
    project({**SUITE, "tests/evals/test_e.py": "import no_such_module\n"})
    run("tests/unit").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "arguments",
    [("tests/evals/test_e.py",), ("tests/evals",), ("tests/evals/test_e.py::test_it",)],
)
def test_naming_a_deliberate_file_says_how_to_run_it(
    project: Project, run: Run, arguments: tuple[str, ...]
) -> None:
    """Its tests do not run, nothing counts as passed, and the command is printed."""
    project(SUITE)
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(
        [
            (
                'tierwise: 1 test of the deliberate tier "evals" did not run. '
                f"Run it with: pytest --tier evals {arguments[0]}"
            )
        ]
    )


def test_naming_a_deliberate_mark_says_how_to_run_it(project: Project, run: Run) -> None:
    """`-m evals` without --tier runs nothing and prints the command."""
    project(SUITE)
    result = run("-m", "evals")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["*Run it with: pytest --tier evals"])


def test_a_bare_run_gives_no_such_hint(project: Project, run: Run) -> None:
    """Nobody asked for the evals, so nobody is told that they did not run in a line of its own."""
    project(SUITE)
    run("tests").stdout.no_fnmatch_line("*Run it with*")


def test_each_tier_is_a_marker(project: Project, run: Run) -> None:
    """-m selects by tier, also under strict markers, together with the project's own marks."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                def test_quick(): pass
                @pytest.mark.slow
                def test_slow(): pass
            """,
            "tests/integration/test_i.py": NOTHING,
        },
        pytest_options='addopts = ["--strict-markers"]\nmarkers = ["slow: takes long"]',
    )
    result = run("-m", "unit and not slow", "-v")
    result.assert_outcomes(passed=1, deselected=2)
    result.stdout.fnmatch_lines(["*::test_quick PASSED*"])


def test_a_mark_overrides_the_path(project: Project, run: Run) -> None:
    """mark.tier places a test whatever its folder; the closest mark wins."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                pytestmark = pytest.mark.tier("integration")
                def test_moved(): pass
                @pytest.mark.tier("evals")
                def test_deliberate(): pass
            """
        }
    )
    run("--tier", "integration", "-v").stdout.fnmatch_lines(["*::test_moved PASSED*"])
    run("--tier", "evals", "-v").stdout.fnmatch_lines(["*::test_deliberate PASSED*"])
    run("--tier", "unit").assert_outcomes(deselected=2)


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [
        ('tier("unitt")', "*there is no tier 'unitt'. Did you mean 'unit'?*"),
        ("tier()", "*mark.tier takes one name*"),
        ('allow("tmp")', "*mark.allow has no reason*"),
        ('allow("tmp", reason="  ")', "*mark.allow has no reason*"),
        ('allow("tpm", reason="r")', "*there is no capability 'tpm'. Did you mean 'tmp'?*"),
        ('allow(reason="r")', "*mark.allow takes capabilities as strings*"),
        ('allow("tmp", why="r")', "*mark.allow has no argument 'why'*"),
        ('allow("network", reason="r")', "*so that a bare pytest could spend money*"),
    ],
)
def test_a_mark_that_says_nothing_valid_is_refused(
    project: Project, run: Run, mark: str, complaint: str
) -> None:
    """Misuse of a mark is an error of its file, with exit code 4 and without a traceback."""
    project({"tests/unit/test_u.py": f"import pytest\n@pytest.mark.{mark}\ndef test_it(): pass\n"})
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*ERROR collecting tests/unit/test_u.py*", complaint])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*src/tierwise*")


def test_misuse_of_a_mark_on_a_class_and_a_module_is_refused(project: Project, run: Run) -> None:
    """A mark is checked wherever it stands."""
    project(
        {
            "tests/unit/test_c.py": """
                import pytest
                @pytest.mark.allow("tmp")
                class TestIt:
                    def test_it(self): pass
            """,
            "tests/unit/test_m.py": """
                import pytest
                pytestmark = pytest.mark.allow("tmp")
                def test_it(): pass
            """,
        }
    )
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*TestIt::test_it: mark.allow has no reason*"])
    result.stdout.fnmatch_lines(["*test_m.py::test_it: mark.allow has no reason*"])


def test_strict_refuses_unplaced_tests(project: Project, run: Run) -> None:
    """In strict mode a test that no tier claims is an error that names it and the tiers."""
    project({"tests/other/test_o.py": NOTHING, **SUITE}, table="strict = true")
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(
        ["*no tier claims tests/other/test_o.py::test_it*unit: tests/unit;*evals: tests/evals*"]
    )


def test_without_strict_an_unplaced_test_runs(project: Project, run: Run) -> None:
    """It counts as unplaced at the foot."""
    project({"tests/other/test_o.py": NOTHING})
    result = run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["unplaced *1 passed*"])


def test_a_tie_of_paths_is_an_error_of_the_file(project: Project, run: Run) -> None:
    """Two tiers that claim a file equally well are refused when it is collected."""
    project(
        {"a/b/test_t.py": NOTHING},
        table="""
            [tool.tierwise.tiers.unit]
            paths = ["a/*"]
            [tool.tierwise.tiers.e2e]
            paths = ["*/b"]
        """,
    )
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*a/b/test_t.py is claimed by tier 'unit'*and tier 'e2e'*"])


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("ordr = 1", "*there is no key 'ordr'. Did you mean 'order'?*"),
        ('[tool.tierwise.floors]\npython = "99"', "*python 99 or newer is required, and 3.*"),
        ('[tool.tierwise.floors]\nno-such = "1"', "*no-such is not installed*"),
        ('[tool.tierwise.floors]\npytest = "999.1"', "*pytest 999.1 or newer is required*"),
        ('[tool.tierwise.floors]\nsqlite = "99"', "*sqlite 99 or newer is required*"),
    ],
)
def test_a_broken_configuration_stops_the_run(
    project: Project, run: Run, table: str, complaint: str
) -> None:
    """Nothing runs, the exit code is 4, and nobody sees a traceback of ours."""
    project(SUITE, table=table)
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([complaint])
    result.stderr.no_fnmatch_line("*Traceback*")


def test_a_floor_that_is_met_is_silent(project: Project, run: Run) -> None:
    """Engines above their floors let the run start."""
    project(SUITE, table='floors = { python = "3.11", pytest = "9.0" }')
    assert run().ret == pytest.ExitCode.OK
