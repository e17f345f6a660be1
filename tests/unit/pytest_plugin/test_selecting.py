from pathlib import Path, PurePosixPath

import pytest

from tierwise.config import Config
from tierwise.domain import Level, Tier
from tierwise.pytest_plugin.selecting import (
    describe_unplaced,
    folders_to_add,
    how_to_run,
    how_to_run_evals,
    is_named,
    is_selected,
    mentions,
)

UNIT = Tier(name="unit", level=Level.UNIT, paths=("tests/unit",))
EVALS = Tier(
    name="evals",
    level=Level.ACCEPTANCE,
    paths=("tests/evals", "packages/*/evals"),
    deliberate=True,
)
CONFIG = Config(root=Path("/p"), tiers=(UNIT, EVALS))


@pytest.mark.parametrize(
    ("tier", "wanted", "expected"),
    [
        (UNIT, (), True),
        (EVALS, (), False),
        (None, (), True),
        (UNIT, ("evals",), False),
        (EVALS, ("evals",), True),
        (EVALS, ("unit", "evals"), True),
        (None, ("unit",), False),
    ],
)
def test_a_named_tier_or_all_that_are_not_deliberate(
    tier: Tier | None, wanted: tuple[str, ...], *, expected: bool
) -> None:
    """Naming tiers selects exactly these; naming none leaves the deliberate ones out."""
    assert is_selected(tier, wanted) is expected


@pytest.mark.parametrize(
    ("collected", "added"),
    [
        (["/p/tests/unit"], ["/p/tests/evals"]),
        (["/p/tests"], []),
        (["/p"], []),
        (["/p/tests/evals"], []),
        (["/p/tests/evals/deep"], ["/p/tests/evals"]),
    ],
)
def test_folders_of_deliberate_tiers_are_added_when_left_out(
    collected: list[str], added: list[str]
) -> None:
    """What is collected anyway is not collected twice, and patterns are left to testpaths."""
    folders = folders_to_add(CONFIG, [Path(folder) for folder in collected])
    assert [str(folder) for folder in folders] == added


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("/p/tests/evals/test_e.py", True),
        ("/p/tests/evals", True),
        ("/p/tests/evals/deep", True),
        ("/p/tests", False),
        ("/p", False),
        ("/p/tests/evals/other.py", False),
        ("/p/tests/unit", False),
    ],
)
def test_a_file_is_named_by_itself_or_by_its_tier_s_folder(
    argument: str, *, expected: bool
) -> None:
    """A folder above the tier's names everything, so it names nothing in particular."""
    path = PurePosixPath("/p/tests/evals/deep/test_e.py")
    if argument.endswith("test_e.py"):
        path = PurePosixPath(argument)
    folders = [PurePosixPath("/p/tests/evals")]
    assert is_named(path, [PurePosixPath(argument)], folders) is expected


def test_how_to_run_counts_by_tier() -> None:
    """One line for each tier, with the arguments that were given."""
    assert how_to_run(["evals", "live", "evals"], ["tests/evals"]) == (
        (
            'tierwise: 2 tests of the deliberate tier "evals" did not run. '
            "Run them with: pytest --tier evals tests/evals"
        ),
        (
            'tierwise: 1 test of the deliberate tier "live" did not run. '
            "Run it with: pytest --tier live tests/evals"
        ),
    )
    assert how_to_run([], ["x"]) == ()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("evals", True), ("unit or evals", True), ("", False), ("myevals", False)],
)
def test_a_mark_expression_mentions_a_tier_as_a_word(expression: str, *, expected: bool) -> None:
    """Part of a longer name is no mention."""
    assert mentions(expression, "evals") is expected


def test_unplaced_tests_are_named_with_the_tiers() -> None:
    """Three are shown, the rest counted, and every tier's paths listed."""
    text = describe_unplaced(CONFIG, ["a::t", "b::t", "c::t", "d::t", "e::t"])
    assert "no tier claims a::t, b::t, c::t and 2 more" in text
    assert "unit: tests/unit; evals: tests/evals, packages/*/evals" in text


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        (["a/test_b.py", "a/test_b.py"], "a/test_b.py"),
        (["b.py", "a b.py", "c.py"], "'a b.py' b.py c.py"),
        (["a/b/1.py", "a/b/2.py", "a/b/3.py", "a/c/4.py"], "a"),
        (["1.py", "2.py", "3.py", "4.py"], "."),
    ],
)
def test_left_out_evals_are_told_with_a_command_to_paste(places: list[str], shown: str) -> None:
    """Up to three files by name, more by the folder that holds them all."""
    line = how_to_run_evals(places, [])
    assert line.startswith(f"tierwise: {len(places)} evals did not run: a bare pytest runs none.")
    assert line.endswith(f"Run them with: tierwise eval run {shown}")
