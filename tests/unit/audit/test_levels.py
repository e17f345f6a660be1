import pytest

from tierwise.audit.facts import TestFact, TouchFact
from tierwise.audit.levels import guess_level, view_test
from tierwise.domain import Level


def fact(
    path: str,
    *touched: str,
    marks: tuple[str, ...] = (),
    outcome: str = "passed",
    seconds: float = 0.0,
) -> TestFact:
    return TestFact(
        nodeid=f"{path}::test_it",
        path=path,
        marks=marks,
        outcome=outcome,
        seconds=seconds,
        touches=tuple(TouchFact(capability=name, target="x") for name in touched),
    )


@pytest.mark.parametrize(
    ("path", "level"),
    [
        ("tests/unit/test_a.py", Level.UNIT),
        ("tests/unit_tests/test_a.py", Level.UNIT),
        ("tests/functional/test_a.py", Level.INTEGRATION),
        ("tests/end-to-end/test_a.py", Level.E2E),
        ("tests/benchmarks/test_a.py", Level.PERFORMANCE),
        ("tests/unit/smoke/test_a.py", Level.SMOKE),
        ("tests/live/test_a.py", Level.CONTRACT),
    ],
)
def test_the_innermost_folder_that_names_a_level_decides(path: str, level: Level) -> None:
    """A folder's usual names stand for a level, and the reason names the folder."""
    guess = guess_level(fact(path, "network"))
    assert guess.level is level
    assert guess.reason.startswith("its folder is ")


def test_a_mark_decides_where_no_folder_does_and_then_the_file() -> None:
    """Folder, then mark, then file name."""
    assert guess_level(fact("tests/test_a.py", marks=("e2e",))).reason == "it is marked e2e"
    assert guess_level(fact("tests/test_e2e_login.py")).level is Level.E2E
    assert guess_level(fact("tests/unit/test_a.py", marks=("e2e",))).level is Level.UNIT


@pytest.mark.parametrize(
    ("touched", "seconds", "level", "reason"),
    [
        ((), 0.0, Level.UNIT, "it touches nothing"),
        (("tmp",), 0.0, Level.UNIT, "it touches no more than temporary files"),
        (("read",), 0.0, Level.COMPONENT, "it reads files outside the project"),
        (("tmp", "subprocess"), 0.0, Level.INTEGRATION, "it starts other processes"),
        (("sleep",), 0.0, Level.INTEGRATION, "it waits by the real clock"),
        ((), 2.5, Level.INTEGRATION, "it takes 2 s or more"),
    ],
)
def test_without_a_name_the_deeds_decide(
    touched: tuple[str, ...], seconds: float, level: Level, reason: str
) -> None:
    """What a test touches, or how long it takes, is the reason of last resort."""
    guess = guess_level(fact("tests/test_a.py", *touched, seconds=seconds))
    assert (guess.level, guess.reason) == (level, reason)


def test_a_test_that_did_not_run_has_no_level_unless_a_name_tells() -> None:
    """Could-not-tell is no unit test."""
    assert guess_level(fact("tests/test_a.py", outcome="not_run")).level is None
    assert guess_level(fact("tests/test_a.py", outcome="skipped")).level is None
    assert guess_level(fact("tests/unit/test_a.py", outcome="not_run")).level is Level.UNIT


def test_what_a_named_level_does_not_need_is_beyond_it() -> None:
    """A unit test needs nothing; an integration test needs temporary files and loopback."""
    unit = view_test(fact("tests/unit/test_a.py", "tmp", "sleep"))
    wide = view_test(fact("tests/integration/test_a.py", "tmp", "loopback", "subprocess"))
    assert [touch.capability for touch in unit.beyond] == ["tmp", "sleep"]
    assert [touch.capability for touch in wide.beyond] == ["subprocess"]


def test_a_level_guessed_by_deeds_needs_them_all_but_the_network() -> None:
    """Nothing is beyond a level that was chosen for it; the network always is."""
    view = view_test(fact("tests/test_a.py", "subprocess", "network"))
    assert [touch.capability for touch in view.beyond] == ["network"]
