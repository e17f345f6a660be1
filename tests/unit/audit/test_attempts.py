from typing import Any

import pytest

from tierwise.audit.attempts import Attempt, decide, say_end
from tierwise.audit.child import ChildEnd, choose_limit, measure_exit
from tierwise.audit.events import Progress


def end(*, code: int = 0, is_hung: bool = False, output: str = "", **progress: Any) -> ChildEnd:
    return ChildEnd(
        code=code,
        is_hung=is_hung,
        seconds=1.0,
        exit_seconds=0.0,
        output=output,
        events=(),
        progress=Progress(**{"last": "finished", "has_session": True, **progress}),
    )


def test_a_run_to_its_end_is_complete() -> None:
    """Nothing is left: no further attempt, and nothing to tell."""
    decision = decide(Attempt(), end(is_collected=True, exit_code=1), n_left=0)
    assert (decision.again, decision.ends, decision.is_complete) == (None, (), True)


@pytest.mark.parametrize(
    ("ended", "kind"),
    [
        (end(code=-11, running="t.py::a", is_collected=True), "killed"),
        (end(code=7, running="t.py::a", is_collected=True), "exited"),
        (end(code=-9, is_hung=True, running="t.py::a", is_collected=True), "hung"),
        (end(code=3, running="t.py::a", is_collected=True, internal_error="x"), "internal_error"),
    ],
)
def test_a_test_that_ends_the_session_is_named_and_left_out(ended: ChildEnd, kind: str) -> None:
    """The others run in the next process."""
    decision = decide(Attempt(enders=("t.py::b",)), ended, n_left=3)
    assert decision.again == Attempt(enders=("t.py::b", "t.py::a"))
    assert [(fact.kind, fact.subject) for fact in decision.ends] == [(kind, "t.py::a")]
    assert not decision.is_complete


def test_a_file_that_ends_the_session_while_it_is_read_is_left_out_once() -> None:
    """The second time, it was not the file."""
    ended = end(code=3, last="collecting", collecting="/p/test_b.py")
    decision = decide(Attempt(), ended, n_left=0)
    assert decision.again == Attempt(ignored=("/p/test_b.py",))
    again = decide(Attempt(ignored=("/p/test_b.py",)), ended, n_left=0)
    assert again.again is None
    assert not again.is_complete


def test_a_plugin_that_breaks_the_start_is_left_out_and_told() -> None:
    """Plugins fight; the suite is still of interest."""
    ended = end(code=3, internal_error="Warning: unset", plugin="asyncio")
    decision = decide(Attempt(), ended, n_left=0)
    assert decision.again == Attempt(without=("asyncio",))
    assert "-p no:asyncio" in decision.note
    assert decide(Attempt(without=("asyncio",)), ended, n_left=0).again is None


def test_options_that_no_plugin_knows_are_dropped_from_addopts() -> None:
    """The others stay; an option of the caller's own is not guessed away."""
    said = "usage: ...\n__main__.py: error: unrecognized arguments: --cov=x --nope\n"
    ended = end(
        code=4,
        last="loading",
        has_session=False,
        output=said,
        addopts=("-ra", "--cov=x", "--nope"),
    )
    decision = decide(Attempt(), ended, n_left=0)
    assert decision.again == Attempt(addopts=("-ra",))
    assert "--cov=x --nope" in decision.note
    assert decision.ends[0].detail == "unrecognized arguments: --cov=x --nope"
    mine = end(code=4, last="loading", has_session=False, output=said, addopts=("-ra",))
    assert decide(Attempt(), mine, n_left=0).again is None


def test_a_conftest_that_leaves_python_ends_the_audit_there() -> None:
    """Without conftest every test would fail for a reason that is not its own."""
    stopped = end(code=5, last="stopped", has_session=False, stopped=("loading conftest.py", "x"))
    decision = decide(Attempt(), stopped, n_left=0)
    assert (decision.again, decision.is_complete) == (None, False)
    assert decision.ends[0].subject == "loading conftest.py"
    silent = decide(Attempt(), end(code=5, last="loading", has_session=False), n_left=0)
    assert silent.ends[0].detail == "the process ended with exit code 5"
    assert not silent.is_complete


def test_a_session_that_stops_between_tests_is_not_complete() -> None:
    """What is left has not been seen."""
    decision = decide(Attempt(), end(code=2, is_collected=True, exit_code=2), n_left=4)
    assert not decision.is_complete
    assert decision.ends[0].kind == "stopped"


def test_a_process_that_hangs_at_its_end_has_run_all_its_tests() -> None:
    """The tests are complete, and the hang is told."""
    ended = end(code=-9, is_hung=True, is_collected=True, exit_code=0, leaving_at=1.0)
    decision = decide(Attempt(), ended, n_left=0)
    assert decision.is_complete
    assert decision.ends[0].kind == "hung_at_exit"


def test_a_signal_is_called_by_its_name() -> None:
    """A number alone tells few people anything."""
    assert say_end(end(code=-11)) == "the process was killed by signal 11 (SIGSEGV)"


def test_the_end_is_measured_until_atexit_is_done() -> None:
    """What the interpreter takes to free its memory is nobody's fault."""
    assert measure_exit(Progress(leaving_at=10.0, exited_at=12.5), 99.0) == 2.5
    assert measure_exit(Progress(leaving_at=10.0), 14.0) == 4.0
    assert measure_exit(Progress(), 14.0) == 0.0


def test_silence_is_judged_by_what_is_being_done() -> None:
    """A short time for tests is none for imports, and the end of the process gets little."""
    assert choose_limit(Progress(is_collected=True), 4.0) == 4.0
    assert choose_limit(Progress(), 4.0) == 120.0
    assert choose_limit(Progress(), 500.0) == 500.0
    assert choose_limit(Progress(is_collected=True, leaving_at=1.0), 300.0) == 20.0
