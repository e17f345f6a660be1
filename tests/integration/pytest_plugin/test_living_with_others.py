from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

WRITE = 'open("x.txt", "w")'


def test_with_pytest_asyncio(project: Project, run_apart: Run) -> None:
    """Async tests and async fixtures of each scope are held to their tiers."""
    project(
        {
            "tests/unit/test_u.py": f"""
                import asyncio, pytest, pytest_asyncio
                @pytest_asyncio.fixture(scope="module", loop_scope="module")
                async def wide():
                    yield 1
                    await asyncio.sleep(0)
                async def test_pure(wide): await asyncio.sleep(0)
                async def test_write(): {WRITE}
                async def test_swallowed():
                    try: {WRITE}
                    except BaseException: pass
                async def test_task():
                    async def touch(): {WRITE}
                    await asyncio.gather(asyncio.create_task(touch()), return_exceptions=True)
                async def test_to_thread():
                    def touch(): {WRITE}
                    await asyncio.gather(asyncio.to_thread(touch), return_exceptions=True)
                async def test_after(wide): await asyncio.sleep(0)
                async def test_sleep(): await asyncio.sleep(0.01)
            """
        },
        pytest_options='asyncio_mode = "auto"\nasyncio_default_fixture_loop_scope = "function"',
    )
    run_apart("-p", "asyncio").assert_outcomes(passed=2, failed=5)


def test_with_anyio(project: Project, run_apart: Run) -> None:
    """Tests that anyio runs are held to their tiers."""
    project(
        {
            "tests/unit/test_u.py": f"""
                import anyio, pytest
                pytestmark = pytest.mark.anyio
                @pytest.fixture(scope="module")
                def anyio_backend(): return "asyncio"
                @pytest.fixture(scope="module")
                async def wide(anyio_backend): yield 1
                async def test_pure(wide): await anyio.lowlevel.checkpoint()
                async def test_write(): {WRITE}
            """,
            # A group is no outcome to anyio: its runner ends with it, so it stands alone here.
            "tests/unit/test_g.py": f"""
                import anyio, pytest
                @pytest.mark.anyio
                async def test_group():
                    async def touch(): {WRITE}
                    async with anyio.create_task_group() as group: group.start_soon(touch)
                @pytest.fixture
                def anyio_backend(): return "asyncio"
            """,
        }
    )
    run_apart("-p", "anyio.pytest_plugin").assert_outcomes(passed=1, failed=2)


def test_with_pytest_socket(project: Project, run_apart: Run) -> None:
    """pytest-socket's own refusal comes first, and both leave the event loop alone."""
    project(
        {
            "tests/integration/test_i.py": """
                import asyncio, socket, pytest, pytest_socket
                @pytest.mark.enable_socket
                def test_loopback():
                    with socket.socket() as s: s.bind(("127.0.0.1", 0))
                @pytest.mark.enable_socket
                def test_network():
                    with socket.socket() as s: s.connect(("203.0.113.7", 443))
                def test_blocked():
                    with pytest.raises(pytest_socket.SocketBlockedError): socket.socket()
            """
        }
    )
    result = run_apart("-p", "pytest_socket", "--disable-socket")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["TW-NET *::test_network opened a socket to 203.0.113.7:443*"])


def test_with_pytest_randomly(project: Project, run_apart: Run) -> None:
    """The order is left to pytest-randomly, which is said once, and its seed repeats it."""
    project({f"tests/unit/test_{n}.py": "def test_it(): pass\n" for n in "abcdef"})

    def order(*args: str) -> list[str]:
        result = run_apart("-p", "randomly", "-v", *args)
        said = [line for line in result.outlines if "order left to pytest-randomly" in line]
        assert len(said) == 1
        assert "order-seed" not in result.stdout.str()
        return [line.split("::")[0] for line in result.outlines if " PASSED" in line]

    one = order("-p", "no:cacheprovider", "--randomly-seed=1")
    assert one == order("--randomly-seed=1")
    assert len(one) == 6


def test_two_seeds_are_refused(project: Project, run_apart: Run) -> None:
    """--order-seed is not silently ignored where pytest-randomly decides."""
    project({"tests/unit/test_u.py": "def test_it(): pass\n"})
    result = run_apart("-p", "randomly", "--order-seed", "3")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--order-seed: pytest-randomly is active*-p no:randomly*"])


def test_with_pytest_cov(project: Project, run_apart: Run) -> None:
    """Coverage's own files are nobody's touch, in the strictest tier too."""
    pytester = project(
        {
            "product.py": "def double(n):\n    return 2 * n\n",
            "tests/unit/test_u.py": """
                import product
                def test_it(): assert product.double(2) == 4
            """,
        },
        pytest_options='pythonpath = ["."]',
    )
    result = run_apart("-p", "pytest_cov", "--cov=product", "--cov-context=test")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["product.py *100%*"])
    assert (pytester.path / ".coverage").exists()


@pytest.mark.parametrize("method", ["signal", "thread"])
def test_with_pytest_timeout(project: Project, run_apart: Run, method: str) -> None:
    """A timer of pytest-timeout is nobody's wait, and a test that hangs is still cut off."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                @pytest.mark.timeout(5)
                def test_quick(): pass
                @pytest.mark.timeout(0.3)
                def test_hangs():
                    while True: pass
            """
        },
        table='order = "defined"',
    )
    result = run_apart("-p", "pytest_timeout", f"--timeout-method={method}")
    assert result.ret != pytest.ExitCode.OK
    output = result.stdout.str() + result.stderr.str()
    assert "Timeout" in output
    assert "TW-" not in output


def test_nested_pytester(project: Project, run_apart: Run) -> None:
    """A test that runs pytest in its own process keeps its policy before and after."""
    project(
        {
            "conftest.py": 'pytest_plugins = ["pytester"]\n',
            "tests/integration/test_i.py": """
                def test_nested(pytester):
                    pytester.makepyprojecttoml("[tool.tierwise]")
                    (pytester.path / "tests" / "unit").mkdir(parents=True)
                    test = pytester.path / "tests" / "unit" / "test_u.py"
                    test.write_text("def test_it(): open('x.txt', 'w')")
                    result = pytester.runpytest_inprocess("-p", "tierwise.pytest_plugin")
                    result.assert_outcomes(failed=1)
                def test_nested_then_touch(pytester, request):
                    pytester.makepyfile("def test_it(): pass")
                    pytester.runpytest_inprocess("-p", "tierwise.pytest_plugin")
                    open(request.config.rootpath / "x.txt", "w")
            """,
        }
    )
    result = run_apart()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["TW-FILE *::test_nested_then_touch opened *x.txt*"])


def test_unittest_test_cases(project: Project, run: Run) -> None:
    """TestCase methods, set-ups and class set-ups are held to their tier."""
    project(
        {
            "tests/unit/test_u.py": f"""
                import unittest
                class TestPlain(unittest.TestCase):
                    def test_pure(self): self.assertTrue(True)
                    def test_write(self): {WRITE}
                    def test_swallowed(self):
                        try: {WRITE}
                        except BaseException: pass
                    def test_sub(self):
                        for n in range(2):
                            with self.subTest(n=n): {WRITE}
                class TestSetUp(unittest.TestCase):
                    def setUp(self): {WRITE}
                    def test_it(self): pass
                class TestClass(unittest.TestCase):
                    @classmethod
                    def setUpClass(cls): {WRITE}
                    def test_it(self): pass
                class TestAsync(unittest.IsolatedAsyncioTestCase):
                    async def test_pure(self): pass
                    async def test_write(self): {WRITE}
            """
        }
    )
    result = run()
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] == 3  # pytest passes a test case whose subtests failed
    for name in ("test_write", "test_swallowed", "test_sub", "TestSetUp::test_it"):
        result.stdout.fnmatch_lines([f"*TW-FILE *{name}* opened *"])
    result.stdout.fnmatch_lines(["TW-FILE  setUpClass of tests/unit/test_u.py::TestClass *"])
    result.stdout.fnmatch_lines(["FAILED *TestAsync::test_write*"])


def test_doctests_and_parametrised_tests(project: Project, run: Run) -> None:
    """Doctest items and each parameter set are placed and watched like any test."""
    project(
        {
            "tests/unit/test_u.py": '''
                import pytest
                def documented():
                    """
                    >>> open("x.txt", "w")
                    """
                def pure():
                    """
                    >>> 1 + 1
                    2
                    """
                @pytest.mark.parametrize("name", ["a::b", "c"])
                def test_it(name):
                    if name == "c": open("x.txt", "w")
            '''
        }
    )
    result = run("--doctest-modules")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["TW-FILE *::test_it?c? opened *"])
    result.stdout.fnmatch_lines(["TW-FILE *documented opened *"])


def test_own_subtests(project: Project, run: Run) -> None:
    """Subtests of pytest report more than once; their test counts once."""
    project(
        {
            "tests/unit/test_u.py": """
                def test_it(subtests):
                    for n in range(3):
                        with subtests.test(n=n): assert n != 1
            """
        }
    )
    run().stdout.fnmatch_lines(["unit *1 failed *"])
