from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import parse

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

SUITE = {
    "tests/unit/test_u.py": """
        import pytest
        def test_pass(): pass
        def test_fail(): assert False
        def test_swallowed():
            try: open("x.txt", "w").close()
            except BaseException: pass
        def test_later(): pytest.skip("later")
        def test_unseen(): pytest.skip("unobservable: nobody is there")
        @pytest.mark.xfail(reason="known", strict=True)
        def test_known(): assert False
        @pytest.fixture
        def broken(): raise ValueError
        def test_error(broken): pass
        @pytest.fixture
        def breaks_after():
            yield
            raise ValueError
        def test_after(breaks_after): pass
        def test_own(record_property): record_property("own", "yes")
    """,
    "tests/integration/test_i.py": "def test_tmp(tmp_path): (tmp_path / 'x').write_text('x')\n",
    "tests/other/test_o.py": "def test_it(): pass\n",
}
EVAL = """
    from tierwise.evals import at_least, evaluate
    @evaluate(cases=[{"id": "one"}, {"id": "two"}], trials=20, expect=[at_least("right", 0.3)])
    async def test_is_right(case, trial):
        trial.score(right=True)
"""


def properties_of(pytester: pytest.Pytester) -> dict[str, list[tuple[str, str]]]:
    """Return the properties of each test case of `out.xml`, by its name."""
    root = parse(pytester.path / "out.xml").getroot()  # noqa: S314  pytest made it
    return {
        case.attrib["name"]: [
            (one.attrib["name"], one.attrib["value"]) for one in case.iter("property")
        ]
        for case in root.iter("testcase")
    }


def unit(outcome: str, *violations: str) -> list[tuple[str, str]]:
    """Return the properties of a test of the unit tier."""
    told = [("tier", "unit"), ("level", "unit"), ("outcome", outcome)]
    told.append(("violations", str(len(violations))))
    return [*told, *(("violation", one) for one in violations)]


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_each_case_says_tier_level_outcome_and_violations(
    project: Project, run_apart: Run, workers: tuple[str, ...]
) -> None:
    """In pytest's own file, whoever ran the test."""
    pytester = project(SUITE)
    run_apart("--junitxml=out.xml", *workers)
    found = properties_of(pytester)
    assert found == {
        "test_pass": unit("passed"),
        "test_fail": unit("failed"),
        "test_swallowed": unit("failed", f"write: {pytester.path / 'x.txt'}"),
        "test_later": unit("not_run"),
        "test_unseen": unit("unobservable"),
        "test_known": unit("not_run"),
        "test_error": unit("error"),
        "test_after": unit("error"),
        "test_own": [("own", "yes"), *unit("passed")],
        "test_tmp": [
            ("tier", "integration"),
            ("level", "integration"),
            ("outcome", "passed"),
            ("violations", "0"),
        ],
        "test_it": [("outcome", "passed"), ("violations", "0")],
    }


def test_report_mode_says_what_it_saw(project: Project, run: Run) -> None:
    """The touch is no failure there, and told all the same."""
    pytester = project(SUITE, table=None)
    run("--junitxml=out.xml", "-k", "swallowed")
    (told,) = properties_of(pytester).values()
    assert ("outcome", "passed") in told
    assert ("violation", f"write: {pytester.path / 'x.txt'}") in told


@pytest.mark.parametrize("options", [("--tierwise-mode", "off"), ("-p", "no:junitxml")])
def test_off_is_off(project: Project, run: Run, options: tuple[str, ...]) -> None:
    """Switched off, the file is pytest's alone; without the file's plugin nothing breaks."""
    pytester = project({"tests/unit/test_u.py": "def test_pass(): pass\n"})
    if "no:junitxml" in options:
        run(*options).assert_outcomes(passed=1)
        return
    run("--junitxml=out.xml", *options)
    assert properties_of(pytester) == {"test_pass": []}


def test_an_eval_says_its_verdict_and_what_that_rests_on(project: Project, run: Run) -> None:
    """By provider: the verdict, and each expectation with n scored of n planned and interval."""
    pytester = project({"tests/evals/test_e.py": EVAL})
    run("--junitxml=out.xml", "--tier", "evals")
    told = dict(properties_of(pytester)["test_is_right"])
    assert told["outcome"] == "passed"
    verdict, expectation = list(told.items())[-2:]
    assert verdict[0].startswith("verdict [")
    assert verdict[1] == "proven"
    assert expectation[0].startswith("right")
    assert expectation[1].startswith("proven: 40 scored of 40 planned, rate 1 (")
    assert "95% interval)" in expectation[1]


def test_what_tierwise_adds_holds_no_secret(
    project: Project, run_apart: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The target of a violation may be anything: it is masked as in the records."""
    monkeypatch.setenv("SOME_TOKEN", "planted-canary-1234")
    pytester = project(
        {
            "tests/unit/test_u.py": """
                def test_it():
                    for name in ("planted-canary-1234", "sk-" + "a1B2" * 8):
                        try: open(name, "w").close()
                        except BaseException: pass
            """
        }
    )
    run_apart("--junitxml=out.xml")
    told = [value for name, value in properties_of(pytester)["test_it"] if name == "violation"]
    assert [value.rpartition("/")[2] for value in told] == ["[masked value]", "[masked key]"]
