from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

TOUCHES = {
    "network": 'connect("203.0.113.7", 443)',
    "look-up": 'socket.getaddrinfo("example.com", 443)',
    "loopback": 'connect("127.0.0.1", 9)',
    "write": 'open("written.txt", "w").close()',
    "tmp": "tempfile.TemporaryFile().close()",
    "subprocess": 'subprocess.run([sys.executable, "-c", ""])',
    "sleep": "time.sleep(0.01)",
}
CLAIMS = {
    "network": "TW-NET *::test_it opened a socket to 203.0.113.7:443; *network*",
    "look-up": "TW-NET *::test_it looked up example.com*; *network*",
    "loopback": "TW-NET *::test_it opened a socket to 127.0.0.1:9; *loopback*",
    "write": "TW-FILE *::test_it opened *written.txt; *write*",
    "tmp": "TW-FILE *::test_it *tmp*",
    "subprocess": "TW-PROCESS *::test_it started *",
    "sleep": "TW-SLEEP *::test_it slept 0.01 s*",
}
IMPORTS = """import socket, subprocess, sys, tempfile, threading, time, pytest
def connect(*address):
    with socket.socket() as s: s.connect(address)
"""


def unit(*lines: str) -> dict[str, str]:
    return {"tests/unit/test_u.py": IMPORTS + "\n".join(lines) + "\n"}


@pytest.mark.parametrize("touch", TOUCHES)
def test_a_unit_test_that_touches_the_world_fails(project: Project, run: Run, touch: str) -> None:
    """With an empty table each capability is caught in a unit test, and named."""
    project(unit("def test_it():", f"    {TOUCHES[touch]}"))
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([CLAIMS[touch], "*tests/unit/test_u.py:5 in test_it*"])


@pytest.mark.parametrize("touch", TOUCHES)
def test_a_swallowed_violation_fails_all_the_same(project: Project, run: Run, touch: str) -> None:
    """A test that catches everything is failed by what was recorded."""
    project(
        unit(
            "def test_it():",
            f"    try: {TOUCHES[touch]}",
            "    except BaseException: pass",
        )
    )
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([CLAIMS[touch]])


def test_a_violation_is_blocked(project: Project, run: Run) -> None:
    """What is forbidden does not happen."""
    pytester = project(unit("def test_it():", f"    {TOUCHES['write']}"))
    run().assert_outcomes(failed=1)
    assert not (pytester.path / "written.txt").exists()


def test_no_traceback_of_ours_is_shown(project: Project, run: Run) -> None:
    """The failure shows the lines of the project, not those of tierwise or pytest."""
    project(unit("def test_it():", f"    {TOUCHES['write']}"))
    result = run()
    result.stdout.fnmatch_lines(['*open("written.txt", "w").close()'])
    result.stdout.no_fnmatch_line("*tierwise/sandbox*")
    result.stdout.no_fnmatch_line("*_pytest*")


@pytest.mark.parametrize(
    "start",
    [
        "t = threading.Thread(target=touch); t.start(); t.join()",
        "list(ThreadPoolExecutor(1).map(lambda _: touch(), [1]))",
    ],
)
def test_a_thread_belongs_to_its_test(project: Project, run: Run, start: str) -> None:
    """A touch in a thread or an executor fails the test that started it."""
    project(
        unit(
            "from concurrent.futures import ThreadPoolExecutor",
            "def touch():",
            '    open("written.txt", "w")',
            "def test_before(): pass",
            "def test_it():",
            "    try:",
            f"        {start}",
            "    except BaseException: pass",
            "def test_after(): pass",
        )
    )
    result = run("-W", "error")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([CLAIMS["write"]])
    result.stdout.no_fnmatch_line("*Exception in thread*")


def test_a_thread_that_outlives_its_test_fails_the_session(project: Project, run: Run) -> None:
    """What a thread does after its test has been reported is an error at the end, by name."""
    project(
        {
            "tests/unit/test_u.py": """
                import threading
                go, done = threading.Event(), threading.Event()
                def late():
                    while not go.is_set(): pass
                    try: open("late.txt", "w")
                    except BaseException: done.set()
                def test_a_starts(): threading.Thread(target=late, daemon=True).start()
                def test_b_lets_go():
                    go.set()
                    while not done.is_set(): pass
            """
        },
        table='order = "defined"',
    )
    result = run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(
        [
            "After the test had ended, a thread that it started went on:",
            "TW-FILE *::test_a_starts opened *late.txt; *",
        ]
    )


LATE = """
    import threading
    def late():
        threading.Event().wait({seconds})
        open("late.txt", "w").close()
    def test_a(): threading.Thread(target=late, daemon={daemon}).start()
"""


def test_threads_of_the_last_test_are_awaited(project: Project, run: Run) -> None:
    """The run waits for threads that tests started, so that nothing happens after the last."""
    pytester = project({"tests/unit/test_u.py": LATE.format(seconds=0.4, daemon=False)})
    result = run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["TW-FILE *::test_a opened *late.txt; *"])
    assert not (pytester.path / "late.txt").exists()


@pytest.mark.parametrize(
    ("hook", "stream"),
    [("pytest_sessionfinish(session)", "stdout"), ("pytest_unconfigure(config)", "stderr")],
)
def test_what_comes_after_the_loop_fails_the_session(
    project: Project, run_apart: Run, hook: str, stream: str
) -> None:
    """A thread is judged until the session is over, and told even when the summary is."""
    pytester = project(
        {
            "tests/unit/test_u.py": LATE.format(seconds=60, daemon=True).replace(
                "threading.Event().wait(60)", "threading.go.wait(60)"
            ),
            "conftest.py": f"""
                import threading, pytest
                threading.go = threading.Event()
                @pytest.hookimpl(wrapper=True)
                def {hook}:
                    threading.go.set()
                    for thread in threading.enumerate():
                        if thread.daemon: thread.join(5)
                    return (yield)
            """,
        }
    )
    result = run_apart()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    getattr(result, stream).fnmatch_lines(["TW-FILE *::test_a opened *late.txt; *"])
    assert not (pytester.path / "late.txt").exists()


def test_an_idle_executor_is_not_awaited(project: Project, run: Run) -> None:
    """Workers of an executor that nobody shut down have nothing to do, so nobody waits."""
    project(
        unit(
            "from concurrent.futures import ThreadPoolExecutor",
            "executor = ThreadPoolExecutor(1)",
            "def test_it(): assert executor.submit(int).result() == 0",
        )
    )
    result = run()
    result.assert_outcomes(passed=1)
    assert result.duration < 1


def test_a_tier_s_allowances_hold(project: Project, run: Run) -> None:
    """What a tier allows passes there, and what it does not fails there."""
    project(
        {
            "tests/integration/test_i.py": """
                import socket, tempfile
                def test_tmp(tmp_path): (tmp_path / "x").write_text("x")
                def test_loopback():
                    with socket.socket() as s: s.bind(("127.0.0.1", 0))
                def test_write(): open("x.txt", "w")
            """
        }
    )
    run().assert_outcomes(passed=2, failed=1)


def test_a_mark_allows_more_for_one_test(project: Project, run: Run) -> None:
    """mark.allow opens its capability for its test alone; class and module marks add up."""
    project(
        unit(
            'pytestmark = pytest.mark.allow("sleep", reason="measures waiting")',
            '@pytest.mark.allow("tmp", reason="reads a file")',
            "class TestIt:",
            "    def test_both(self, tmp_path):",
            "        time.sleep(0.001)",
            '        (tmp_path / "x").write_text("x")',
            "def test_other(tmp_path):",
            '    (tmp_path / "x").write_text("x")',
        )
    )
    result = run()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED *::test_other*"])


def test_a_narrow_allowance_covers_its_target_alone(project: Project, run: Run) -> None:
    """`write:build/` is a path below the project, wherever pytest is started."""
    pytester = project(
        {
            "build/.keep": "",
            "tests/unit/test_u.py": """
                def test_inside(): open("build/x.txt", "w").close()
                def test_outside(): open("x.txt", "w").close()
            """,
        },
        table='[tool.tierwise.tiers.unit]\nallow = ["write:build/"]',
    )
    result = run()
    result.assert_outcomes(passed=1, failed=1)
    assert (pytester.path / "build" / "x.txt").exists()


def test_an_unplaced_test_gets_no_network_and_no_model(project: Project, run: Run) -> None:
    """Without a tier all is open but the two that can cost money."""
    project(
        {
            "tests/test_o.py": IMPORTS
            + "from tierwise.sandbox import touch\nfrom tierwise.domain import Capability\n"
            + f"def test_write(): {TOUCHES['write']}\n"
            + f"def test_network(): {TOUCHES['network']}\n"
            + "def test_model(): touch(Capability.MODEL, 'gpt')\n"
        }
    )
    result = run()
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*no tier claims it, so it does not allow network*"])


@pytest.mark.parametrize("strict", [True, False])
def test_a_violation_is_never_an_expected_failure(
    project: Project, run: Run, *, strict: bool
) -> None:
    """An xfail mark announces a gap in the product; touching the world is no part of it."""
    project(
        unit(
            f'@pytest.mark.xfail(strict={strict}, reason="gap")',
            "def test_it():",
            f"    {TOUCHES['write']}",
        )
    )
    run().assert_outcomes(failed=1)


def test_a_skip_does_not_hide_a_violation(project: Project, run: Run) -> None:
    """A test that touches the world, swallows the error and skips is failed."""
    project(
        unit(
            "def test_it():",
            f"    try: {TOUCHES['write']}",
            "    except BaseException: pytest.skip('not today')",
        )
    )
    run().assert_outcomes(failed=1)


def test_skip_and_xfail_keep_their_meaning(project: Project, run: Run) -> None:
    """Without a violation pytest's own outcomes stay as they are."""
    project(
        unit(
            "@pytest.mark.skip(reason='later')",
            "def test_skip(): pass",
            "@pytest.mark.xfail(reason='gap')",
            "def test_xfail(): assert 0",
            "@pytest.mark.xfail(reason='gap')",
            "def test_xpass(): pass",
            "def test_fail(): assert 0",
        )
    )
    run().assert_outcomes(skipped=1, xfailed=1, xpassed=1, failed=1)


def test_another_failure_keeps_its_traceback_beside_the_violation(
    project: Project, run: Run
) -> None:
    """When a test swallows a violation and then fails otherwise, both are shown."""
    project(
        unit(
            "def test_it():",
            f"    try: {TOUCHES['write']}",
            "    except BaseException: pass",
            "    assert 1 == 2",
        )
    )
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 1 == 2*", "*forbidden touch*", CLAIMS["write"]])


def test_a_violation_in_a_task_group_is_told_plainly(project: Project, run: Run) -> None:
    """A group that holds nothing but violations is shown as those violations."""
    project(
        unit(
            "import asyncio",
            "async def main():",
            "    async with asyncio.TaskGroup() as group:",
            "        group.create_task(touch())",
            "async def touch():",
            f"    {TOUCHES['write']}",
            "def test_it(): asyncio.run(main())",
        )
    )
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([CLAIMS["write"]])
    result.stdout.no_fnmatch_line("*ExceptionGroup*")


def test_one_touch_in_a_loop_is_told_once(project: Project, run: Run) -> None:
    """Hundreds of forbidden touches do not flood the report."""
    project(
        unit(
            "def test_it():",
            "    for n in range(30):",
            '        try: open(f"written{n}.txt", "w")',
            "        except BaseException: pass",
        )
    )
    result = run()
    assert sum("TW-FILE" in line for line in result.outlines if "::test_it opened" in line) <= 6
    result.stdout.fnmatch_lines(["... and 25 more touches"])


def test_event_loops_lazy_imports_and_pure_code_are_free(project: Project, run: Run) -> None:
    """What needs no capability passes in the strictest tier."""
    project(
        {
            "tests/unit/lazy_module.py": "VALUE = 1\n",
            "tests/unit/test_u.py": """
                import asyncio, io, logging, sqlite3, sys, os
                def test_loop():
                    async def main(): await asyncio.sleep(0)
                    asyncio.run(main())
                def test_import(monkeypatch):
                    monkeypatch.syspath_prepend(os.path.dirname(__file__))
                    import lazy_module
                    assert lazy_module.VALUE
                def test_memory(capsys, caplog, monkeypatch):
                    monkeypatch.setenv("X", "1")
                    print("x", file=io.StringIO())
                    logging.warning("x")
                    connection = sqlite3.connect(":memory:")
                    connection.execute("select 1")
                    connection.close()
            """,
        }
    )
    run().assert_outcomes(passed=3)


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "pytest.exit.Exception('enough')"])
def test_an_interrupted_run_ends_as_pytest_ends_it(
    project: Project, run_apart: Run, error: str
) -> None:
    """Ctrl-C and pytest.exit stop the session with exit code 2, and what was kept is kept."""
    pytester = project(
        unit("def test_a(): pass", f"def test_b(): raise {error}", "def test_c(): pass"),
        table='order = "defined"',
    )
    assert run_apart().ret == pytest.ExitCode.INTERRUPTED
    assert (pytester.path / ".tierwise" / "records.db").exists()


def test_doctests_are_free_to_run(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The debugger that doctest builds reads its rc file: nobody's touch; an example's is."""
    project(
        {
            "tests/unit/test_u.py": '''
                def test_good():
                    """
                    >>> 1 + 1
                    2
                    """
                def bad():
                    """
                    >>> open("written.txt", "w").close()
                    """
            '''
        }
    )
    monkeypatch.setenv("HOME", "/nowhere")
    result = run("--doctest-modules")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.no_fnmatch_line("*pdbrc*")


def test_collecting_gets_no_network(project: Project, run: Run) -> None:
    """A module that reaches for the network while imported is an error of its own."""
    project(
        {
            "tests/unit/test_bad.py": IMPORTS + TOUCHES["network"] + "\ndef test_it(): pass\n",
            "tests/unit/test_good.py": "def test_it(): pass\n",
        }
    )
    result = run("--continue-on-collection-errors")
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(
        ["*ERROR collecting tests/unit/test_bad.py*", "TW-NET  collecting *test_bad.py *"]
    )


def test_collecting_gets_no_network_even_if_it_swallows(project: Project, run: Run) -> None:
    """Swallowing the error does not help a module either."""
    project(
        {
            "tests/unit/test_bad.py": IMPORTS
            + f"try: {TOUCHES['network']}\nexcept BaseException: pass\ndef test_it(): pass\n"
        }
    )
    run().assert_outcomes(errors=1)


def test_collecting_may_read_write_and_start_processes(project: Project, run: Run) -> None:
    """Only the network and a model are denied while collecting."""
    project(unit(TOUCHES["write"], TOUCHES["subprocess"], "def test_it(): pass"))
    run().assert_outcomes(passed=1)


def test_the_first_conftest_gets_no_network(project: Project, run: Run) -> None:
    """conftest.py at the root is imported before the session; it is watched all the same."""
    project({"conftest.py": IMPORTS + TOUCHES["network"], **unit("def test_it(): pass")})
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*TW-NET  importing conftest.py *203.0.113.7:443*"])
    result.stderr.no_fnmatch_line("*Traceback*")


def test_outside_collection_and_phases_nothing_is_forbidden(project: Project, run: Run) -> None:
    """Hooks of a session belong to nobody's test."""
    pytester = project(
        {
            "conftest.py": """
                def pytest_sessionfinish(session):
                    open("finished.txt", "w").close()
                def pytest_runtest_logreport(report):
                    open("logged.txt", "w").close()
            """,
            **unit("def test_it(): pass"),
        }
    )
    run().assert_outcomes(passed=1)
    assert (pytester.path / "finished.txt").exists()
    assert (pytester.path / "logged.txt").exists()


def test_mode_off_is_inert(project: Project, run: Run) -> None:
    """Off blocks nothing, selects nothing, says nothing and writes nothing."""
    pytester = project(
        {
            "tests/evals/test_e.py": "def test_it(): pass\n",
            **unit("def test_it():", f"    {TOUCHES['write']}"),
        },
        table='mode = "off"',
    )
    result = run()
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*tierwise*")
    result.stdout.no_fnmatch_line("*violation*")
    assert not (pytester.path / ".tierwise").exists()


def test_the_command_line_can_switch_off(project: Project, run: Run) -> None:
    """--tierwise-mode wins over the table."""
    project(unit("def test_it():", f"    {TOUCHES['write']}"))
    run("--tierwise-mode", "off").assert_outcomes(passed=1)
