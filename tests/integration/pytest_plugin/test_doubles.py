from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

ASK = """
    import asyncio
    from tierwise.domain import Message
    from tierwise.providers import Request
    def ask(provider):
        request = Request(messages=(Message(role="user", content="hello"),))
        return asyncio.run(provider.generate(request))
"""


def test_a_mock_provider_whose_answers_are_used_up_passes(project: Project, run: Run) -> None:
    """The fixture makes providers, as many as a test needs."""
    project(
        {
            "tests/unit/test_u.py": ASK
            + """
    def test_it(mock_provider):
        one, two = mock_provider(["a"]), mock_provider(["b"])
        assert (ask(one).text, ask(two).text) == ("a", "b")
"""
        }
    )
    run().assert_outcomes(passed=1)


def test_an_unused_answer_fails_the_test_at_its_end(project: Project, run: Run) -> None:
    """An answer that nobody asked for is an expectation that was not met."""
    project({"tests/unit/test_u.py": "def test_it(mock_provider): mock_provider(['a'])\n"})
    result = run()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*ERROR at teardown of test_it*", "*1 unused answer*"])
    result.stdout.no_fnmatch_line("*doubles.py*")


def test_a_request_without_a_rule_fails_the_test_at_its_end(project: Project, run: Run) -> None:
    """A scripted provider complains of what its script did not foresee."""
    project(
        {
            "tests/unit/test_u.py": ASK
            + """
    def test_it(scripted_provider):
        ask(scripted_provider([]))
"""
        }
    )
    run().assert_outcomes(passed=1, errors=1)
