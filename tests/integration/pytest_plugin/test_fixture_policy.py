from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

DEFINED = 'order = "defined"'


def test_a_function_fixture_counts_as_the_test_that_asked(project: Project, run: Run) -> None:
    """What it touches is held to that test's tier, in set-up and in tear-down."""
    project(
        {
            "conftest.py": """
                import pytest
                @pytest.fixture
                def file(tmp_path):
                    (tmp_path / "x").write_text("x")
                    return tmp_path
                @pytest.fixture
                def later(tmp_path):
                    yield
                    (tmp_path / "x").write_text("x")
            """,
            "tests/unit/test_u.py": "def test_it(file): pass\ndef test_late(later): pass\n",
            "tests/integration/test_i.py": "def test_it(file, later): pass\n",
        },
        table=DEFINED,
    )
    result = run()
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(["*ERROR at setup of test_it*", "TW-FILE *test_u.py::test_it *"])
    result.stdout.fnmatch_lines(["*ERROR at teardown of test_late*"])


@pytest.mark.parametrize("scope", ["class", "module", "package", "session"])
def test_a_wider_fixture_is_blamed_itself(project: Project, run: Run, scope: str) -> None:
    """Its violation fails the test that asked first, under the fixture's own name."""
    project(
        {
            "conftest.py": f"""
                import pytest
                @pytest.fixture(scope="{scope}")
                def wide():
                    try: open("x.txt", "w")
                    except BaseException: pass
            """,
            "tests/unit/test_u.py": "def test_it(wide): pass\n",
        }
    )
    result = run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*ERROR at setup of test_it*", f"TW-FILE  the {scope} fixture 'wide'*opened *x.txt*"]
    )


def test_a_wider_fixture_is_watched_in_its_tear_down(project: Project, run: Run) -> None:
    """Its finalizer acts under the fixture's policy, and the tests after it go on undisturbed."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                LOG = []
                @pytest.fixture(scope="module")
                def outer():
                    yield
                    LOG.append("outer")
                @pytest.fixture(scope="module")
                def wide(outer):
                    yield
                    LOG.append("wide")
                    open("x.txt", "w")
                def test_it(wide): pass
            """,
            "tests/unit/test_v.py": """
                def test_log():
                    import sys
                    (log,) = [m.LOG for n, m in sys.modules.items() if n.endswith("test_u")]
                    assert log == ["wide", "outer"]
            """,
        },
        table=DEFINED,
    )
    result = run()
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["TW-FILE  the module fixture 'wide' of tests/unit/test_u.py *"])


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_a_wider_fixture_gets_what_any_of_its_requesters_may(
    project: Project, run: Run, order: tuple[str, str]
) -> None:
    """Order does not decide: whoever comes first, the union of the allowances holds."""
    first, second = order
    project(
        {
            "conftest.py": """
                import pytest
                @pytest.fixture(scope="session")
                def shared(tmp_path_factory):
                    path = tmp_path_factory.mktemp("x") / "x"
                    path.write_text("x")
                    yield path
                    path.unlink()
            """,
            f"tests/{first}/test_it.py": "def test_it(shared): pass\n",
            f"tests/{second}/test_it.py": "def test_it(shared): pass\n",
        },
        table="""
            order = "defined"
            [tool.tierwise.tiers.a]
            level = "unit"
            [tool.tierwise.tiers.b]
            level = "integration"
            allow = ["tmp"]
        """,
        pytest_options='addopts = ["--import-mode=importlib"]',
    )
    run(f"tests/{first}", f"tests/{second}").assert_outcomes(passed=2)


def test_a_test_left_out_lends_its_fixtures_nothing(project: Project, run: Run) -> None:
    """A deliberate test that is not run must not open the network for a shared fixture."""
    project(
        {
            "conftest.py": """
                import pytest, socket
                @pytest.fixture(scope="session")
                def shared():
                    with socket.socket() as s: s.connect(("203.0.113.7", 443))
            """,
            "tests/unit/test_u.py": "def test_it(shared): pass\n",
            "tests/evals/test_e.py": "def test_it(shared): pass\n",
        }
    )
    result = run()
    result.assert_outcomes(errors=1, deselected=1)
    result.stdout.fnmatch_lines(["TW-NET  the session fixture 'shared' *203.0.113.7:443*"])


def test_a_fixture_of_the_same_name_elsewhere_lends_nothing(project: Project, run: Run) -> None:
    """The union is of those who can see the fixture, not of all who use its name."""
    fixture = """
        import pytest
        @pytest.fixture(scope="module")
        def shared(tmp_path_factory):
            (tmp_path_factory.mktemp("x") / "x").write_text("x")
        def test_it(shared): pass
    """
    project({"tests/unit/test_u.py": fixture, "tests/integration/test_i.py": fixture})
    run().assert_outcomes(passed=1, errors=1)


def test_a_fixture_asked_for_by_name_counts_its_asker(project: Project, run: Run) -> None:
    """Asking by getfixturevalue is a request too."""
    project(
        {
            "tests/integration/test_i.py": """
                import pytest
                @pytest.fixture(scope="module")
                def shared(tmp_path_factory):
                    (tmp_path_factory.mktemp("x") / "x").write_text("x")
                def test_it(request): request.getfixturevalue("shared")
            """
        }
    )
    run().assert_outcomes(passed=1)


def test_setup_module_and_class_are_named_as_such(project: Project, run: Run) -> None:
    """xunit-style functions are wider fixtures under names that a reader knows."""
    project(
        {
            "tests/unit/test_m.py": """
                def setup_module(): open("x.txt", "w")
                def test_it(): pass
            """,
            "tests/unit/test_c.py": """
                class TestIt:
                    @classmethod
                    def setup_class(cls): open("x.txt", "w")
                    def test_it(self): pass
            """,
        }
    )
    result = run()
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["TW-FILE  setup_module of tests/unit/test_m.py opened *"])
    result.stdout.fnmatch_lines(["TW-FILE  setup_class of tests/unit/test_c.py::TestIt opened *"])


def test_a_violation_in_one_tear_down_leaves_no_other_undone(project: Project, run: Run) -> None:
    """All other tear-downs are done, and the next test is set up as if nothing had been."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                DONE = []
                @pytest.fixture
                def outer():
                    yield
                    DONE.append("outer")
                @pytest.fixture
                def inner(outer):
                    yield
                    open("x.txt", "w")
                def test_a(inner): pass
                def test_b(): assert DONE == ["outer"]
                def test_c(outer): pass
            """
        },
        table=DEFINED,
    )
    run().assert_outcomes(passed=3, errors=1)


def test_a_failed_set_up_can_be_tried_again(project: Project, run: Run) -> None:
    """A wider fixture that violates fails each of its requesters, not the harness."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                @pytest.fixture(scope="module")
                def wide(): open("x.txt", "w")
                def test_a(wide): pass
                def test_b(wide): pass
                def test_c(): pass
            """
        },
        table=DEFINED,
    )
    result = run()
    result.assert_outcomes(passed=1, errors=2)
    result.stdout.no_fnmatch_line("*AssertionError*")
