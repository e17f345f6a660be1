from __future__ import annotations

from collections.abc import Callable

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

XDIST = ("-p", "xdist", "-n", "2")
LIVE = ("--tier", "live")
TABLE = """
    {top}
    [tool.tierwise.live]
    {table}
    [tool.tierwise.tiers.live]
    level = "e2e"
    allow = ["loopback", "sleep"]
    deliberate = true
"""
HEAD = """
from tierwise.live import Observed, RequireSecret, see

OK = Observed.read(200, '{"choices": []}')
GONE = Observed.read(410, '{"error": {"type": "ModelDeprecated", "message": "gone"}}')
BUG = Observed.read(400, '{"error": {"message": "no messages"}}')
"""


def table(floor: str = "", top: str = "") -> str:
    """Return a table with one live tier and what `[tool.tierwise.live]` says."""
    return TABLE.format(top=top, table=floor)


def suite(body: str, **others: str) -> dict[str, str]:
    """Return a live test file, and other files by path."""
    lines = "\n".join(line.removeprefix(" " * 8) for line in body.splitlines())
    return {"tests/live/test_l.py": HEAD + lines, **others}


SEEN_AND_NOT = """
        def test_seen(): see(OK)
        def test_gone(): see(GONE)
"""


def test_a_move_of_the_vendor_is_unobservable_and_told(project: Project, run: Run) -> None:
    """A live test that could not see its subject is shown with its reason, never as passed."""
    pytester = project(suite(SEEN_AND_NOT), table())
    result = run(*LIVE)
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "*= live =*",
            "*::test_gone  unobservable: retired: *retired it (410 modeldeprecated: gone)",
            "tier live: 1 of 2 tests saw their subject (50 %, floor: one test)",
            "live * 1 passed, 1 unobservable *",
        ],
        consecutive=False,
    )
    assert result.ret == ExitCode.OK
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        rows = {test.row.nodeid: test.row for test in store.latest_tests_by_tier()["live"]}
    kept = rows["tests/live/test_l.py::test_gone"]
    assert kept.outcome == "unobservable"
    assert "the vendor has retired it" in kept.message


def test_a_skip_is_shown_where_the_test_is(project: Project, run: Run) -> None:
    """The list of skips names the user's file, not one of ours."""
    project(suite(SEEN_AND_NOT), table())
    result = run(*LIVE, "-rs")
    result.stdout.fnmatch_lines(["SKIPPED * tests/live/test_l.py:9: unobservable: retired*"])


def test_a_fault_of_ours_fails(project: Project, run: Run) -> None:
    """A malformed request is no move of the vendor's."""
    project(suite("def test_bug(): see(BUG)"), table())
    result = run(*LIVE)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*LiveFaultError: our_fault: the request is malformed (400*"])
    assert result.ret == ExitCode.FAILED


@pytest.mark.parametrize("workers", [(), XDIST])
def test_a_run_in_which_nothing_was_seen_has_not_passed(
    project: Project, run_apart: Run, workers: tuple[str, ...]
) -> None:
    """Without any floor at least one test has to see its subject, with workers or without."""
    project(suite("def test_a(): see(GONE)\ndef test_b(): see(GONE)"), table())
    result = run_apart(*LIVE, *workers)
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(
        ["tier live: 0 of 2 tests saw their subject *NOTHING PROVEN, too little was observed"]
    )
    assert result.ret == ExitCode.NOTHING_OBSERVED


@pytest.mark.parametrize(
    ("floor", "code"), [("floor = 0.5", ExitCode.OK), ("floor = 0.51", ExitCode.NOTHING_OBSERVED)]
)
@pytest.mark.parametrize("workers", [(), XDIST])
def test_the_floor_decides_the_exit_code(
    project: Project, run_apart: Run, *, floor: str, code: ExitCode, workers: tuple[str, ...]
) -> None:
    """Half of the tests saw their subject: enough for one floor, too little for the next."""
    pytester = project(suite(SEEN_AND_NOT), table(floor))
    assert run_apart(*LIVE, *workers).ret == code
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        (kept,) = store.runs()
    assert kept.exit_code == code


def test_a_plain_skip_has_not_seen_anything(project: Project, run_apart: Run) -> None:
    """A missing flag that skips all of the tier is no pass, whatever the tests would import."""
    body = "import pytest\n@pytest.mark.skip(reason='no flag')\ndef test_a(): pass"
    project({"tests/live/test_l.py": body}, table())
    assert run_apart(*LIVE).ret == ExitCode.NOTHING_OBSERVED


def test_a_known_gap_has_seen_its_subject(project: Project, run: Run) -> None:
    """A failure that was announced was seen; one that could not be told was not."""
    body = """
        import pytest
        @pytest.mark.xfail(strict=True, reason="T-1")
        def test_gap():
            assert see(OK) is None
    """
    project(suite(body), table("floor = 1.0"))
    result = run(*LIVE)
    result.assert_outcomes(xfailed=1)
    assert result.ret == ExitCode.OK


def test_a_failure_goes_before_the_floor(project: Project, run: Run) -> None:
    """Something failed, which is more than that too little was seen."""
    body = "def test_bug(): see(BUG)\ndef test_gone(): see(GONE)"
    project(suite(body), table("floor = 1.0"))
    assert run(*LIVE).ret == ExitCode.FAILED


def test_an_error_has_not_seen_its_subject(project: Project, run: Run) -> None:
    """A set-up that broke says nothing of the vendor."""
    body = """
        import pytest
        @pytest.fixture
        def broken(): raise OSError("no")
        def test_it(broken): see(OK)
    """
    project(suite(body), table())
    result = run(*LIVE)
    result.stdout.fnmatch_lines(["tier live: 0 of 1 tests saw their subject*"])
    assert result.ret == ExitCode.FAILED


def test_the_floor_is_told_under_quiet_when_it_is_missed(project: Project, run: Run) -> None:
    """What is missing is said at any verbosity; what is enough is not."""
    project(suite("def test_a(): see(GONE)"), table())
    run(*LIVE, "-q").stdout.fnmatch_lines(["tier live: 0 of 1 tests*NOTHING PROVEN*"])
    project(suite("def test_a(): see(OK)"), table())
    run(*LIVE, "-q").stdout.no_fnmatch_line("tier live: *")


def test_a_run_without_live_tests_has_no_floor(project: Project, run_apart: Run) -> None:
    """The other tiers of the project are not asked what they saw."""
    files = suite(SEEN_AND_NOT, **{"tests/unit/test_u.py": "def test_it(): pass\n"})
    both = table("floor = 1.0") + '    [tool.tierwise.tiers.unit]\n    level = "unit"\n'
    project(files, both)
    result = run_apart()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("tier live*")
    assert result.ret == ExitCode.OK


def test_another_tier_can_be_the_live_one(project: Project, run: Run) -> None:
    """The tiers that the floor holds for can be named."""
    named = table('tiers = ["world"]').replace("tiers.live]", "tiers.world]")
    project(
        {"tests/world/test_l.py": suite("def test_a(): see(GONE)")["tests/live/test_l.py"]}, named
    )
    result = run("--tier", "world")
    result.stdout.fnmatch_lines(["tier world: 0 of 1 tests*"])
    assert result.ret == ExitCode.NOTHING_OBSERVED


MARKED = """
        import pytest
        @pytest.mark.subject("acme", floor=1.0)
        class TestAcme:
            def test_a(self): see(OK)
            def test_b(self): see(GONE)
        @pytest.mark.subject("other")
        def test_c(): see(OK)
"""


@pytest.mark.parametrize("workers", [(), XDIST])
def test_a_subject_can_have_a_floor_of_its_own(
    project: Project, run_apart: Run, workers: tuple[str, ...]
) -> None:
    """A run that saw enough on the whole may have seen too little of one vendor."""
    project(suite(MARKED), table("floor = 0.5"))
    result = run_apart(*LIVE, *workers)
    result.stdout.fnmatch_lines(
        [
            "tier live: 2 of 3 tests saw their subject (67 %, floor 50 %)",
            "subject acme: 1 of 2 tests saw *(50 %, floor 100 %); NOTHING PROVEN*",
            "subject other: 1 of 1 tests saw their subject (100 %, floor 50 %)",
        ],
        consecutive=False,
    )
    assert result.ret == ExitCode.NOTHING_OBSERVED


WALKING = """
        ROWS = {"a": GONE, "b": OK, "c": OK}
        def test_walk(live):
            assert live.walk(ROWS, lambda row: row).key == "b"
"""


@pytest.mark.parametrize("workers", [(), XDIST])
def test_the_candidate_that_was_used_is_told_and_kept(
    project: Project, run_apart: Run, workers: tuple[str, ...]
) -> None:
    """A result is comparable only with those of the same subject."""
    pytester = project(suite(WALKING), table("rotation = 3"))
    result = run_apart(*LIVE, *workers)
    line = "used b; walked past a (retired)"
    result.stdout.fnmatch_lines([f"tests/live/test_l.py::test_walk  {line}"])
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        (kept,) = store.latest_tests_by_tier()["live"]
    assert (kept.row.outcome, kept.row.message) == ("passed", line)


def test_walks_begin_where_the_order_seed_falls(project: Project, run: Run) -> None:
    """Each run tests another candidate first, and the seed repeats it."""
    body = """
        def test_walk(live):
            assert live.walk(dict.fromkeys("abc", OK), lambda row: row).key == "b"
    """
    project(suite(body), table())
    run(*LIVE, "--order-seed", "1").assert_outcomes(passed=1)
    run(*LIVE, "--order-seed", "2").assert_outcomes(failed=1)


def test_an_exhausted_walk_shows_its_table_of_verdicts(project: Project, run: Run) -> None:
    """Each candidate stands there with its reason."""
    body = """
        def test_walk(live):
            live.walk({"a": GONE, "b": Observed.read(429)}, lambda row: row)
    """
    project(suite(body), table("rotation = 0"))
    run(*LIVE).stdout.fnmatch_lines(
        [
            "*::test_walk  unobservable: none of 2 candidates can be used",
            "  a  retired: *",
            "  b  busy: *",
        ],
        consecutive=True,
    )


SECRETS = """
        import pytest
        @pytest.mark.requires_secret("ACME_KEY")
        def test_marked(): see(OK)
        @pytest.fixture(scope="module")
        def key(): return RequireSecret("ACME_KEY").get()
        def test_fixture(key): see(OK)
        def test_second(key): see(OK)
        def test_called(live): live.secret("ACME_KEY")
"""


@pytest.mark.parametrize("value", ["", "  ", "changeme"])
def test_an_empty_secret_makes_all_that_need_it_unobservable(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """By mark, by fixture and by call: an unset secret of a build is often an empty string."""
    monkeypatch.setenv("ACME_KEY", value)
    project(suite(SECRETS), table())
    result = run(*LIVE)
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["*::test_marked  unobservable: ACME_KEY *the same as not set"])
    result.stdout.fnmatch_lines(["*::test_second  unobservable: ACME_KEY *the same as not set"])
    assert result.ret == ExitCode.NOTHING_OBSERVED


def test_a_secret_that_is_there_lets_its_tests_run(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same suite with a key sees its subject."""
    monkeypatch.setenv("ACME_KEY", "k-123")
    project(suite(SECRETS), table("floor = 1.0"))
    result = run(*LIVE)
    result.assert_outcomes(passed=4)
    assert result.ret == ExitCode.OK


def test_a_mark_works_where_nothing_of_the_room_is_imported(
    project: Project, run_apart: Run
) -> None:
    """A test of any tier may need a secret."""
    body = """
        import pytest
        @pytest.mark.requires_secret("NO_SUCH_KEY")
        def test_it(): pass
    """
    project({"tests/integration/test_i.py": body})
    result = run_apart()
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["integration *1 unobservable*"])


def test_the_fixture_works_where_nothing_of_the_room_is_imported(
    project: Project, run_apart: Run
) -> None:
    """Asking for `live` is enough to have its skips translated."""
    body = """
        def test_it(live):
            live.secret("NO_SUCH_KEY")
    """
    project({"tests/integration/test_i.py": body})
    run_apart().assert_outcomes(skipped=1)


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        ("requires_secret()", "takes names of environment variables"),
        ("requires_secret(1)", "takes names of environment variables"),
        ("requires_secret('A', why='b')", "takes names of environment variables"),
        ("subject()", "takes one name"),
        ("subject(' ')", "takes one name"),
        ("subject('a', flor=1)", "no argument 'flor'. Did you mean 'floor'?"),
        ("subject('a', floor=2)", "floor=2; expected a share from 0 to 1"),
        ("subject('a', floor=True)", "floor=True; expected a share from 0 to 1"),
    ],
)
def test_a_mark_that_says_nothing_usable_is_refused(
    project: Project, run: Run, mark: str, told: str
) -> None:
    """A mistake in a mark stops the run before its first test."""
    body = f"import pytest\n@pytest.mark.{mark}\ndef test_it(): see(OK)"
    project(suite(body), table())
    result = run(*LIVE)
    assert told in result.stderr.str()
    assert result.ret == ExitCode.USAGE


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("floor = 1.5", "floor is 1.5, expected a share from 0 to 1"),
        ("floor = true", "floor is true, expected a share from 0 to 1"),
        ("flor = 0.5", "there is no key 'flor'. Did you mean 'floor'?"),
        ('tiers = ["lively"]', "tiers holds 'lively'. Did you mean 'live'?"),
        ("rotation = -1", "rotation is -1"),
    ],
)
def test_a_table_that_says_nothing_usable_is_refused(
    project: Project, run: Run, line: str, told: str
) -> None:
    """An unknown key or tier would leave the floor out in silence."""
    project(suite(SEEN_AND_NOT), table(line))
    result = run(*LIVE)
    assert told in result.stderr.str()
    assert result.ret == ExitCode.USAGE
