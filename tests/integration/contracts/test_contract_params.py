from __future__ import annotations

import pytest

CONTRACT = """
    from tierwise.contracts import Contract, require, unobservable

    class TestShelf(Contract):
        implementations = {implementations}

        def test_it_grows(self, implementation):
            if implementation is None:
                unobservable("there is no shelf")
            require(hasattr(implementation, "append"), "it can't grow")

        def test_it_is_empty(self, implementation):
            assert not implementation
"""


@pytest.fixture(autouse=True)
def plain(pytester: pytest.Pytester) -> None:
    """Keep neighbours of ours out of the inner sessions."""
    pytester.makeini("[pytest]\naddopts = -p no:randomly -p no:cacheprovider -p no:asyncio")


def write(pytester: pytest.Pytester, implementations: str) -> None:
    pytester.makepyfile(CONTRACT.format(implementations=implementations))


def test_each_clause_runs_on_each_implementation_by_name(pytester: pytest.Pytester) -> None:
    """A contract is an ordinary test class whose ids are the names of the implementations."""
    write(pytester, '{"list": [], "other": []}')
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines_random(
        ["*::TestShelf::test_it_grows?list? PASSED*", "*::test_it_is_empty?other? PASSED*"]
    )


def test_a_broken_clause_fails_and_an_unobservable_one_is_skipped_with_its_reason(
    pytester: pytest.Pytester,
) -> None:
    """What can't be tried is shown with its reason, and is not among the passed."""
    write(pytester, '{"tuple": (), "none": None}')
    result = pytester.runpytest("-rs")
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["*it can't grow*", "*unobservable: there is no shelf*"])


def test_a_contract_without_implementations_is_an_error(pytester: pytest.Pytester) -> None:
    """Nothing to check is never a success."""
    write(pytester, "{}")
    result = pytester.runpytest()
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*contract without implementations*"])


def test_an_argument_of_that_name_elsewhere_is_left_alone(pytester: pytest.Pytester) -> None:
    """A project's own fixture `implementation` is nobody's business."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def implementation():
            return 5

        def test_it(implementation):
            assert implementation == 5
        """
    )
    pytester.runpytest().assert_outcomes(passed=1)
