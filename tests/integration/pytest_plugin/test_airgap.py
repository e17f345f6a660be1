"""Sessions in a network namespace of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from textwrap import dedent

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

IN_C = """
    import ctypes
    import socket
    import struct
    import threading
    import time

    def connect(address="203.0.113.7", port=443):
        libc = ctypes.CDLL(None)
        descriptor = libc.socket(2, 1, 0)
        where = struct.pack("=H", 2) + struct.pack("!H", port) + socket.inet_aton(address)
        said = libc.connect(descriptor, where + bytes(8), 16)
        libc.close(descriptor)
        return said
"""
SUITE = {
    "tests/unit/beneath.py": IN_C,
    "tests/unit/test_it.py": """
        import socket
        import sys
        import threading
        sys.path.insert(0, __file__.rpartition("/")[0])
        from beneath import connect

        def test_swallowed(): assert connect() == -1
        def test_innocent(): pass
        def test_python():
            try: socket.create_connection(("203.0.113.9", 80), 1)
            except Exception: pass
        def test_thread():
            other = threading.Thread(target=connect, args=("203.0.113.8", 50051))
            other.start()
            other.join()
    """,
    "tests/integration/test_i.py": """
        import socket
        def test_loopback():
            with socket.create_server(("127.0.0.1", 0)) as server:
                socket.create_connection(server.getsockname()).close()
    """,
}


@pytest.fixture(scope="module", autouse=True)
def _needs_namespaces() -> None:
    """Leave the tests out where the system allows no namespace."""
    code = "from tierwise.sandbox.airgap import close; print(close().is_watched)"
    tried = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    if tried.stdout.strip() != "True":
        pytest.skip(f"unobservable: no air gap can be made here: {tried.stderr[-200:]}")


@pytest.mark.parametrize("apart", [(), ("-p", "xdist", "-n", "2")])
def test_an_attempt_of_a_c_library_fails_the_test_that_made_it(
    project: Project, run_apart: Run, apart: tuple[str, ...]
) -> None:
    """Each attempt is stopped, named and held to its own test, also in workers."""
    project(SUITE, 'order = "defined"')
    result = run_apart("--airgap", *apart)
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines_random(
        [
            "TW-NET *::test_swallowed tried to connect to 203.0.113.7:443; tier*",
            "TW-NET *::test_python opened a socket to 203.0.113.9:80; tier*",
            "TW-NET *::test_thread tried to connect to 203.0.113.8:50051; tier*",
            "*made below Python's own sockets*",
        ]
    )


def test_the_same_attempts_pass_unseen_without_the_gap(project: Project, run_apart: Run) -> None:
    """The control: the audit hook alone sees what Python's own sockets do, and no more."""
    files = {
        "tests/unit/beneath.py": IN_C.replace("203.0.113.7", "127.0.0.1"),
        "tests/unit/test_it.py": SUITE["tests/unit/test_it.py"].split("def test_python")[0],
    }
    project(files, 'order = "defined"')
    result = run_apart()
    result.assert_outcomes(passed=2)


def test_a_name_that_a_child_process_asks_for_is_named(project: Project, run_apart: Run) -> None:
    """A look-up outside Python is told by its name and by the process that made it."""
    lookup = "import socket\ntry: socket.getaddrinfo('api.example.com', 443)\nexcept OSError: pass"
    project(
        {
            "tests/integration/test_i.py": f"""
                import subprocess, sys, pytest
                @pytest.mark.allow("subprocess", reason="it is what is tested")
                def test_child():
                    subprocess.run([sys.executable, "-c", {lookup!r}], check=True)
            """
        }
    )
    result = run_apart("--airgap")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["TW-NET *::test_child looked up api.example.com; tier*"])
    result.stdout.fnmatch_lines(["*made by the process python*"])


def test_a_thread_is_held_to_the_test_that_started_it(project: Project, run_apart: Run) -> None:
    """The attempt falls into another test's time, and that one passes."""
    waiting = """
        def test_first():
            def later():
                GO.wait(20)
                connect("203.0.113.20", 9)
                DONE.set()
                STOP.wait(20)
            threading.Thread(target=later, daemon=True).start()
        def test_second():
            GO.set()
            assert DONE.wait(20)
        def test_third(): STOP.set()
    """
    mark = """
        import pytest
        pytestmark = pytest.mark.allow("sleep", reason="threads wait for one another")
        GO, DONE, STOP = (threading.Event() for _ in range(3))
    """
    indented = IN_C.replace("\n    ", "\n        ")
    files = {"tests/integration/test_i.py": indented + mark + waiting}
    project(files, 'order = "defined"')
    result = run_apart("--airgap")
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["TW-NET *::test_first tried to connect to 203.0.113.20:9; *"])


def test_report_mode_tells_and_fails_nothing(project: Project, run_apart: Run) -> None:
    """The gap stops what leaves, whatever the mode makes of it."""
    project({"test_it.py": IN_C + "\n    def test_it(): assert connect() == -1\n"}, None)
    result = run_apart("--airgap")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["tierwise: 1 test: 1 used the network (203.0.113.7:443)*"])


def test_what_is_tried_while_collecting_fails_the_session(
    project: Project, run_apart: Run
) -> None:
    """No test can be named, and the run is red all the same."""
    project({"tests/unit/test_it.py": IN_C + "\n    connect()\n    def test_it(): pass\n"})
    result = run_apart("--airgap")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["TW-NET  outside of any test tried to connect to 203.0.113.7:*"])


NETWORKED = """
    [tool.tierwise.tiers.unit]
    level = "unit"
    paths = ["tests/unit"]
    [tool.tierwise.tiers.live]
    level = "e2e"
    paths = ["tests/live"]
    allow = ["network"]
    deliberate = true
"""


def test_a_tier_with_a_network_and_a_gap_contradict_each_other(
    project: Project, run_apart: Run
) -> None:
    """The option refuses; the key, which speaks for every session, is set aside in words."""
    files = {"tests/unit/test_it.py": "def test_it(): pass", "tests/live/test_l.py": "x = 1"}
    files["tests/live/test_l.py"] = "def test_l(): pass"
    project(files, NETWORKED)
    refused = run_apart("--airgap", "--tier", "live")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*--airgap and --tier live: *Leave out one of the two*"])
    project(files, "airgap = true\n" + NETWORKED)
    aside = run_apart("--tier", "live")
    aside.assert_outcomes(passed=1)
    aside.stdout.fnmatch_lines(["airgap: airgap = true is set aside*"])
    gapped = run_apart()
    gapped.stdout.fnmatch_lines(["airgap: no network but loopback"])


def test_a_process_with_threads_is_refused_and_runs_nothing(
    project: Project, run_apart: Run
) -> None:
    """Threads of before would keep the network, so that the session would not be without one."""
    project(
        {
            "early.py": """
                import threading
                threading.Thread(target=threading.Event().wait, daemon=True).start()
            """,
            "tests/unit/test_it.py": "def test_it(): print('RAN')",
        }
    )
    result = run_apart("--airgap", "-s", "-p", "early")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*TW-AIRGAP *this process has 2 threads already (MainThread, Thread-1*"]
    )
    result.stdout.no_fnmatch_line("*RAN*")


COMPILED_THREAD = """
    import ctypes
    libc = ctypes.CDLL(None)
    libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, libc.pause, None)
"""


def test_threads_of_c_libraries_stay_behind(project: Project, run_apart: Run) -> None:
    """A numerical library's idle pool keeps no session from being cut off; the end is the same."""
    project({**SUITE, "early.py": COMPILED_THREAD}, 'order = "defined"')
    result = run_apart("--airgap", "-p", "early")
    result.assert_outcomes(passed=2, failed=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["TW-NET *::test_swallowed tried to connect to 203.0.113.7:*"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_session_that_went_on_in_a_copy(
    project: Project, number: signal.Signals
) -> None:
    """Whoever signals the process that was started reaches the tests, and sees how they ended."""
    pytester = project(
        {
            "early.py": COMPILED_THREAD,
            "tests/integration/test_i.py": """
                import pathlib, pytest, time
                @pytest.mark.allow("sleep", "write", reason="it waits for the signal")
                def test_i():
                    pathlib.Path("started").touch()
                    time.sleep(60)
            """,
        }
    )
    command = [sys.executable, "-m", "pytest", "-p", "tierwise.pytest_plugin", "--airgap"]
    with subprocess.Popen(
        [*command, "-p", "early"],
        cwd=pytester.path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(pytester.path)},
        text=True,
    ) as process:
        while not (pytester.path / "started").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(number)
        said, _ = process.communicate(timeout=30)
    if number is signal.SIGINT:
        assert process.returncode == pytest.ExitCode.INTERRUPTED
        assert "KeyboardInterrupt" in said
    else:
        assert process.returncode == -number


def test_a_session_inside_another_is_refused(project: Project, run: Run) -> None:
    """The outer session would lose its network too."""
    project({"tests/unit/test_it.py": "def test_it(): pass"})
    result = run("--airgap")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*TW-AIRGAP *runs inside another one*"])


def test_without_the_device_attempts_are_counted(project: Project, run_apart: Run) -> None:
    """Where packets cannot be read the kernel's own count still fails the test."""
    pytester = project(SUITE, 'order = "defined"')
    pytester.makeconftest("")
    (pytester.path / "blind.py").write_text(
        "import tierwise.sandbox.airgap.closing as closing\n"
        "def refuse(): raise OSError(2, 'no such device')\n"
        "closing._open_link = refuse\n",
        encoding="utf-8",
    )
    result = run_apart("--airgap", "-p", "blind")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(
        [
            "airgap: no network but loopback; /dev/net/tun cannot be used (ENOENT)*counted*",
            "TW-NET *::test_swallowed tried to reach another machine; tier*",
        ]
    )


def refuse_to(pytester: pytest.Pytester, code: str) -> None:
    """Write a plugin that stands for a system that does not allow it."""
    text = f"import os\nimport tierwise.sandbox.airgap.closing as closing\n{dedent(code)}"
    (pytester.path / "strict.py").write_text(text, encoding="utf-8")


def test_where_the_system_refuses_nothing_is_run(project: Project, run_apart: Run) -> None:
    """Neither with the option nor with the key does a session go on with its network."""
    for table, options in (("", ("--airgap",)), ("airgap = true", ())):
        pytester = project({"tests/unit/test_it.py": "def test_it(): print('RAN')"}, table)
        refuse_to(
            pytester,
            """
            def refuse(): raise OSError(1, "no")
            closing.unshare = refuse
            """,
        )
        result = run_apart(*options, "-s", "-p", "strict")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*TW-AIRGAP *make a network namespace: EPERM*"])
        result.stdout.no_fnmatch_line("*RAN*")


def test_what_is_cut_off_already_is_good_enough(project: Project, run_apart: Run) -> None:
    """In a container without a network there is nothing to leave, and nothing to name."""
    pytester = project({"tests/unit/test_it.py": "def test_it(): pass"})
    refuse_to(
        pytester,
        """
        closing.unshare()
        def refuse(): raise OSError(1, "no")
        closing.unshare = refuse
        """,
    )
    result = run_apart("--airgap", "-p", "strict")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["airgap: there was no network before; *not named"])


def test_a_session_whose_watcher_is_lost_proves_nothing(project: Project, run_apart: Run) -> None:
    """What left from then on is stopped and cannot be told: the run is red."""
    project(
        {
            "tests/unit/test_it.py": """
                import gc, socket
                def test_it():
                    for one in gc.get_objects():
                        if isinstance(one, socket.socket) and one.family == socket.AF_UNIX:
                            one.shutdown(socket.SHUT_RDWR)
            """
        }
    )
    result = run_apart("--airgap")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*this run proves nothing about it*", "*the watcher of the air*"])


AS_GUEST = """
    import codecs, ctypes, fcntl, os, shutil, tempfile
    import tierwise.sandbox.airgap.closing as closing
    from pathlib import Path

    codecs.lookup("ascii")
    folder = Path(tempfile.mkdtemp())  # below pytest's own nobody else may look
    if os.geteuid() == 0:
        # Whoever starts as somebody else has no right to a network namespace of their own.
        os.chown(folder, 65534, 65534)
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    user = os.getuid()
    os.chdir(folder)
    airgap = closing.close()
    Path("locked").touch(mode=0)
    try:
        Path("locked").read_text()
    except PermissionError:
        print("locked stays locked")
    shutil.rmtree(folder)
    print("still", os.getuid() == user, "watched", airgap.is_watched)
"""


def test_a_user_without_rights_stays_who_they_are(pytester: pytest.Pytester) -> None:
    """The user namespace gives rights for a moment, and what may not be read still may not."""
    path = pytester.path / "guest.py"
    path.write_text(dedent(AS_GUEST), encoding="utf-8")
    result = pytester.run(sys.executable, str(path))
    result.stdout.fnmatch_lines(["locked stays locked", "still True watched True"])
