from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

TELL = """
    def pytest_terminal_summary(terminalreporter, config):
        judged = "yes" if config.pluginmanager.has_plugin("tierwise-judging") else "no"
        terminalreporter.write_line(f"reports are judged: {judged}")
"""
ELSEWHERE = """
    import pytest
    from tierwise.domain import Capability, Violation
    from tierwise.sandbox import PolicyViolation
    MADE = PolicyViolation(Violation(
        capability=Capability.NETWORK, target="203.0.113.7:443", subject="there", tier="unit"
    ))
"""


@pytest.mark.parametrize(
    ("body", "judged"), [("pass", "no"), ("assert 0", "no"), ("open('x', 'w')", "yes")]
)
def test_only_a_violation_has_reports_judged(
    project: Project, run: Run, body: str, judged: str
) -> None:
    """Suites that touch nothing pay nothing for the judging of what they touch."""
    project({"conftest.py": TELL, "tests/unit/test_u.py": f"def test_it(): {body}\n"})
    assert f"reports are judged: {judged}" in run().outlines


@pytest.mark.parametrize(
    ("phase", "outcome"),
    [
        ("before", {"errors": 1}),
        ("during", {"failed": 1}),
        ("after", {"passed": 1, "errors": 1}),
    ],
)
def test_the_first_violation_of_all_is_judged_with_its_own_phase(
    project: Project, run: Run, phase: str, outcome: dict[str, int]
) -> None:
    """No phase ends before what it did is known, though the test swallowed the error."""
    project(
        {
            "tests/unit/test_u.py": f"""
                import pytest
                def touch(phase):
                    if phase != "{phase}": return
                    try: open("x", "w")
                    except BaseException: pass
                @pytest.fixture
                def it():
                    touch("before")
                    yield
                    touch("after")
                def test_it(it): touch("during")
            """
        }
    )
    result = run()
    result.assert_outcomes(**outcome)
    assert "TW-FILE" in result.stdout.str()


@pytest.mark.parametrize("raised", ["MADE", "BaseExceptionGroup('both', [MADE, MADE])"])
def test_a_violation_that_was_recorded_elsewhere_is_judged_too(
    project: Project, run: Run, raised: str
) -> None:
    """A child process may send one back: it is no failure that an xfail mark announces."""
    test = f"@pytest.mark.xfail(reason='gap')\ndef test_it(): raise {raised}\n"
    pytester = project({"tests/unit/test_u.py": ELSEWHERE})
    module = pytester.path / "tests" / "unit" / "test_u.py"
    module.write_text(module.read_text() + test)
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["TW-NET  there reached 203.0.113.7:443*"])
    assert "Traceback" not in result.stdout.str()
