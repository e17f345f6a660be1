"""Whose change it is, where a test and a wider fixture change the same table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

TABLE = """
order = "defined"
packages = ["src/shop.py"]
[tool.tierwise.state]
default = "fail"
"""
SHOP = """
RATES = {}
CART = ["milk"]
KNOWN = {"tea"}
LIMIT = 1
"""


@pytest.fixture
def told(project: Project, run_apart: Run) -> Callable[[str], list[str]]:
    """Run tests, and return what is told: the head and the lines of each finding."""

    def try_it(tests: str) -> list[str]:
        project(
            {"src/shop.py": SHOP, "tests/unit/test_u.py": tests},
            table=TABLE,
            pytest_options='pythonpath = ["src"]',
        )
        lines = run_apart("-rN").outlines
        found = [line for line in lines if " left process state changed" in line or "->" in line]
        return [line.split(" left process")[0].strip() for line in found]

    return try_it


@pytest.mark.parametrize(
    ("change", "take_back", "leak", "shown"),
    [
        (
            "shop.RATES['fixture'] = 1",
            "del shop.RATES['fixture']",
            "shop.RATES['test'] = 1",
            "shop.RATES: none of these, 1 others -> {'test': 1} of 2",
        ),
        (
            "shop.CART.insert(0, 'fixture')",
            "shop.CART.remove('fixture')",
            "shop.CART.insert(0, 'test')",
            "shop.CART: ['fixture', 'milk'] -> ['test', 'fixture', 'milk']",
        ),
        (
            "shop.KNOWN.add('fixture')",
            "shop.KNOWN.remove('fixture')",
            "shop.KNOWN.add('test')",
            "shop.KNOWN: {'fixture', 'tea'} -> {'fixture', 'tea', 'test'}",
        ),
    ],
    ids=["dictionary", "list", "set"],
)
def test_a_tidy_fixture_is_not_blamed_for_its_tests(  # noqa: PLR0917  a table's columns
    told: Callable[[str], list[str]], change: str, take_back: str, leak: str, shown: str
) -> None:
    """What a test leaves in the same table is the test's; the fixture took its own back."""
    tests = f"""
        import pytest, shop
        @pytest.fixture(scope="module")
        def wide():
            {change}
            yield
            {take_back}
        def test_leaks(wide):
            {leak}
        def test_ends(wide):
            pass
    """
    assert told(tests) == ["tests/unit/test_u.py::test_leaks", shown]


def test_an_untidy_fixture_is_told_of_its_own_alone(told: Callable[[str], list[str]]) -> None:
    """Beside what a test left, and an inner fixture that came and went."""
    tests = """
        import pytest, shop
        @pytest.fixture(scope="module")
        def wide():
            shop.RATES["wide"] = 1
            shop.LIMIT = 2
        @pytest.fixture(scope="class")
        def inner():
            shop.RATES["inner"] = 1
            yield
            del shop.RATES["inner"]
        class TestIt:
            def test_leaks(self, wide, inner):
                shop.RATES["test"] = 1
        def test_ends(wide):
            pass
    """
    head, test, wide, limit, rates = told(tests)
    assert (head, test) == (
        "tests/unit/test_u.py::TestIt::test_leaks",
        "shop.RATES: none of these, 2 others -> {'test': 1} of 3",
    )
    assert wide == "the module fixture 'wide' of tests/unit/test_u.py"
    assert sorted((limit, rates)) == [
        "shop.LIMIT: 1 -> 2",
        "shop.RATES: none of these, 1 others -> {'wide': 1} of 2",
    ]


def test_a_fixture_within_a_test_is_told_nothing_of_the_tests(
    told: Callable[[str], list[str]],
) -> None:
    """It is set up while monkeypatch's change is in force, and ends when that is gone."""
    tests = """
        import pytest, shop
        import os
        @pytest.fixture(scope="module")
        def wide():
            shop.RATES["wide"] = 1
            os.environ["WIDE"] = "1"
            yield
            del shop.RATES["wide"], os.environ["WIDE"]
        def test_it(monkeypatch, request):
            monkeypatch.setitem(shop.RATES, "patched", 1)
            monkeypatch.setenv("PATCHED", "1")
            request.getfixturevalue("wide")
    """
    assert told(tests) == []


def test_an_expected_failure_excuses_nothing_that_is_left(
    told: Callable[[str], list[str]],
) -> None:
    """The mark speaks of the test's own failure: other tests are spoiled all the same."""
    tests = """
        import pytest, shop
        @pytest.mark.xfail
        def test_it():
            shop.LIMIT = 2
            assert False
    """
    assert told(tests) == ["tests/unit/test_u.py::test_it", "shop.LIMIT: 1 -> 2"]


def test_a_number_that_was_closed_and_is_taken_anew_is_nobodys_leak(
    told: Callable[[str], list[str]],
) -> None:
    """A wider fixture's file has the number of a closed one, and another test leaves one open."""
    lines = told(
        """
        import pytest, shop

        KEPT = []

        @pytest.fixture(scope="session")
        def wide():
            with open(__file__):
                yield

        def test_opens(): KEPT.append(open(shop.__file__))
        def test_closes(): KEPT.pop().close()
        def test_wide(wide): pass

        def test_leaves(wide):
            test_leaves.kept = open("/dev/zero")

        def test_last(wide): pass
        """
    )
    opens, shop, leaves, zero = lines
    assert opens == "tests/unit/test_u.py::test_opens"
    assert shop.endswith("shop.py: (absent) -> open")
    assert leaves == "tests/unit/test_u.py::test_leaves"
    assert zero == "descriptor of /dev/zero: (absent) -> open"


def test_fixtures_that_overlap_are_told_of_no_others_descriptors(
    told: Callable[[str], list[str]],
) -> None:
    """The inner one ends while the outer one's pipe, opened meanwhile, is still open."""
    tests = """
        import os, pytest
        def opened():
            pipe = os.pipe()
            yield
            for end in pipe:
                os.close(end)
        wide = pytest.fixture(scope="module", name="wide")(opened)
        first = pytest.fixture(scope="class", name="first")(opened)
        class TestIt:
            def test_1(self, first):
                pass
            def test_2(self, request):
                request.getfixturevalue("wide")
        def test_3(wide):
            pass
    """
    assert told(tests) == []


def test_handlers_of_pytest_on_a_closed_logger_are_no_finding(
    told: Callable[[str], list[str]],
) -> None:
    """Pytest listens at each logger that hands nothing on; one made by a fixture is such."""
    tests = """
        import logging, pytest
        @pytest.fixture(scope="session")
        def closed():
            logger = logging.getLogger("closed")
            logger.propagate = False
            logger.addHandler(logging.StreamHandler())
            return logger
        def test_1(closed):
            closed.warning("heard")
        def test_2(closed):
            closed.warning("heard")
    """
    assert told(tests) == []
