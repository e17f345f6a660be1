from tierwise.audit import behaviour
from tierwise.audit.facts import (
    EndFact,
    LeftFact,
    RunFacts,
    SessionFact,
    SkipFact,
    TestFact,
    ThreadFact,
    TouchFact,
)
from tierwise.audit.findings import TestView
from tierwise.audit.left_state import find_left_state
from tierwise.audit.levels import view_test
from tierwise.sandbox.exit_report import Wait


def view(nodeid: str, outcome: str, *targets: str, message: str = "") -> TestView:
    return view_test(
        TestFact(
            nodeid=nodeid,
            path="tests/unit/test_a.py",
            outcome=outcome,
            message=message,
            touches=tuple(TouchFact(capability="network", target=one) for one in targets),
        )
    )


def test_a_host_is_told_once_with_how_its_tests_ended() -> None:
    """A name that was looked up belongs to the connection; what passes hides its touch."""
    views = [
        view("a", "failed", "example.com", "example.com:443"),
        view("b", "error", "example.com"),
        view("c", "passed", "203.0.113.7:80"),
    ]
    one, other = behaviour.find_network(views)
    assert (one.subject, one.text) == ("example.com:443", "2 tests reach it, and fail")
    assert set(one.tests) == {"a", "b"}
    assert other.text == "1 test reaches it; the result does not show it"


def test_failures_of_one_message_are_one_finding_the_largest_first() -> None:
    """Forty tests that fail for one reason are one thing to do."""
    views = [
        view("a", "failed", message="x"),
        view("b", "failed", message="no key"),
        view("c", "error", message="no key"),
    ]
    first, second = behaviour.find_failing(views)
    assert (first.subject, first.text, first.tests) == ("2 tests", "no key", ("b", "c"))
    assert second.subject == "a"


def test_skips_say_whether_they_are_always_and_why() -> None:
    """An unconditional mark skips always; an empty reason is a finding of its own."""
    always = TestFact(nodeid="a", path="t.py", skips=(SkipFact(always=True, reason="old"),))
    bare = TestFact(
        nodeid="b",
        path="t.py",
        outcome="skipped",
        message="Skipped: unconditional skip",
        skips=(SkipFact(always=True, reason=""),),
    )
    here = TestFact(nodeid="c", path="t.py", outcome="skipped", message="Skipped: needs docker")
    too = TestFact(nodeid="e", path="t.py", outcome="skipped", message="Skipped: needs docker")
    runs = TestFact(
        nodeid="d", path="t.py", outcome="passed", skips=(SkipFact(always=False, reason=""),)
    )
    found = [(f.kind, f.subject, f.text) for f in behaviour.find_skips([always, bare, here, runs])]
    assert found == [
        ("always_skipped", "a", "old"),
        ("always_skipped", "b", "no reason is given"),
        ("skip_without_reason", "b", "a skip without a reason tells nobody when it may end"),
        ("skipped_here", "c", "needs docker"),
    ]
    (together,) = behaviour.find_skips([here, too])
    assert (together.subject, together.tests) == ("2 tests", ("c", "e"))


def test_expected_failures_are_told_when_nobody_would_see_them_pass() -> None:
    """A strict one fails when it passes."""
    strict = TestFact(nodeid="a", path="t.py", is_expected_to_fail=True, is_strict=True)
    lax = TestFact(nodeid="b", path="t.py", is_expected_to_fail=True, outcome="xpassed")
    (found,) = behaviour.find_lenient([strict, lax])
    assert (found.subject, found.text) == ("b", "it passes now, unnoticed")


def test_the_end_of_the_process_is_told_with_who_is_behind_it() -> None:
    """By what it waited for, or else by the threads that were alive; a quick end is none."""
    wait = Wait(
        kind="thread",
        name="exporter",
        owner="otel.run",
        place="o.py:3",
        started_by="app.start",
        test="t.py::a",
    )
    (found,) = behaviour.find_exit_hang(RunFacts(exit_seconds=4.0, waits=(wait,)))
    assert found.subject == "thread exporter"
    assert "started by app.start in t.py::a" in found.text
    alive = ThreadFact(name="worker", is_daemon=False, where="w.py:1")
    (found,) = behaviour.find_exit_hang(RunFacts(exit_seconds=4.0, threads=(alive,)))
    assert (found.subject, found.where) == ("thread worker", "w.py:1")
    assert list(behaviour.find_exit_hang(RunFacts(exit_seconds=1.0, threads=(alive,)))) == []


def test_a_process_that_was_killed_at_its_end_is_always_told() -> None:
    """Also when nothing is known of what it waited for."""
    end = EndFact(kind="hung_at_exit", subject="after the last test", detail="was killed")
    (found,) = behaviour.find_exit_hang(RunFacts(ends=(end,)))
    assert "atexit" in found.text


def test_state_is_told_by_its_owner_with_all_who_leave_it() -> None:
    """One owner is one thing to mend, however many tests leave it."""
    left = LeftFact(owner="os.environ['A']", before="(absent)", after="'1'")
    tests = [TestFact(nodeid=name, path="t.py", left=(left,)) for name in ("a", "b")]
    (found,) = find_left_state(tests)
    assert found.subject == "os.environ['A']"
    assert found.text == "(absent) -> '1', left by a and 1 other"


def test_tests_that_the_project_leaves_out_are_told_with_its_option() -> None:
    """Nobody who reads a green build thinks of them."""
    test = TestFact(nodeid="a", path="t.py", outcome="deselected")
    run = RunFacts(session=SessionFact(marks="not slow"), tests=(test,))
    (found,) = behaviour.find_left_out(run)
    assert found.text == "1 test left out by -m 'not slow'"


def test_touches_beyond_a_level_are_grouped_and_the_network_is_apart() -> None:
    """One finding for each level and capability, with an example."""
    test = TestFact(
        nodeid="a",
        path="tests/unit/test_a.py",
        outcome="passed",
        touches=(
            TouchFact(capability="tmp", target="/t/x", line="a.py:3 in f"),
            TouchFact(capability="network", target="example.com"),
        ),
    )
    (found,) = behaviour.find_beyond_level([view_test(test)])
    assert (found.subject, found.where) == ("unit: tmp", "such as /t/x (a.py:3 in f)")


def test_a_module_that_is_imported_anew_is_one_finding() -> None:
    """All its names are others then; what is no name of a module is told by itself."""

    def leaving(nodeid: str, *owners: str) -> TestFact:
        left = tuple(LeftFact(owner=owner, before="a", after="b") for owner in owners)
        return TestFact(nodeid=nodeid, path="t.py", left=left)

    names, variables = [f"shop.cli.{n}" for n in "abcd"], [f"os.environ['{n}']" for n in "abcd"]
    found = list(find_left_state([leaving("t", *names, *variables), leaving("u", "shop.cli.e")]))
    assert [one.subject for one in found] == [*variables, "shop.cli", "shop.cli.e"]
    said = "4 names of it are changed, such as a: a -> b, left by t"
    assert next(one.text for one in found if one.subject == "shop.cli") == said
    few = [one.subject for one in find_left_state([leaving("t", *names[:3])])]
    assert few == names[:3]
