"""What is not easily looked at or put back: stand-ins, odd mappings, closed classes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

TABLE = """
order = "defined"
packages = ["src/oddities.py"]
[tool.tierwise.state]
modules = "restore"
classes = "restore"
caches = "restore"
"""


@pytest.fixture
def healed(project: Project, run_apart: Run) -> Callable[..., None]:
    """Run a first test that changes a module and a second one that finds it as it was."""

    def try_it(module: str, *tests: str) -> None:
        lines = "\n".join(f"def test_{n}():\n    {text}\n" for n, text in enumerate(tests))
        project(
            {"src/oddities.py": module, "tests/unit/test_u.py": f"import oddities\n{lines}"},
            table=TABLE,
            pytest_options='pythonpath = ["src"]',
        )
        run_apart().assert_outcomes(passed=len(tests))

    return try_it


LAZY = """
    calls = []
    class Lazy:
        @property
        def __class__(self):
            calls.append("__class__")
            raise RuntimeError("settings are not configured")
        def __getattr__(self, name):
            calls.append(name)
            raise RuntimeError("settings are not configured")
    lazy = Lazy()
    class Holder:
        lazy = lazy
"""


def test_a_stand_in_is_not_asked_what_it_is(healed: Callable[..., None]) -> None:
    """Settings that load at their first use load when the project uses them, and only then."""
    healed(LAZY, "oddities.TABLE = {}", "assert oddities.calls == []")


def test_a_class_that_is_built_late_is_looked_at(healed: Callable[..., None]) -> None:
    """What only stands there until somebody asks is left alone, as pydantic's validators are."""
    healed(
        """
        class Late:
            def __getattr__(self, name):
                Model.built = True
                raise AttributeError(name)
        class Model:
            validator = Late()
        """,
        "pass",
        "assert not hasattr(oddities.Model, 'built')",
    )


@pytest.mark.parametrize(
    ("module", "change", "check"),
    [
        (
            """
            from collections import OrderedDict
            TABLE = OrderedDict(a=1)
            """,
            "oddities.TABLE['b'] = 2",
            "assert list(oddities.TABLE.items()) == [('a', 1)]",
        ),
        (
            """
            class Closed:
                def __setattr__(self, name, value):
                    raise AttributeError("read only")
                def __delattr__(self, name):
                    raise AttributeError("read only")
            closed = Closed()
            closed.__dict__["x"] = 1
            """,
            "oddities.closed.__dict__.update(x=2, y=2)",
            "assert vars(oddities.closed) == {'x': 1}",
        ),
        (
            """
            class Meta(type):
                def __setattr__(self, name, value):
                    raise AttributeError("closed class")
                def __delattr__(self, name):
                    raise AttributeError("closed class")
            class Closed(metaclass=Meta):
                x = 1
            """,
            "type.__setattr__(oddities.Closed, 'x', 2); type.__setattr__(oddities.Closed, 'y', 2)",
            "assert oddities.Closed.x == 1 and not hasattr(oddities.Closed, 'y')",
        ),
    ],
    ids=["ordered mapping", "closed object", "closed class"],
)
def test_odd_state_is_put_back(
    healed: Callable[..., None], module: str, change: str, check: str
) -> None:
    """By the namespace itself, past what a class does when somebody sets its attributes."""
    healed(module, change, check)


@pytest.mark.parametrize("way", ["spawn", "forkserver"])
def test_what_multiprocessing_keeps_is_no_tests_own(
    project: Project, run_apart: Run, way: str
) -> None:
    """Its tracker and its server are started once: no test could end them."""
    text = f"""
        import multiprocessing
        def test_it():
            with multiprocessing.get_context("{way}").Pool(1) as pool:
                assert pool.map(abs, [-1]) == [1]
    """
    table = """
        [tool.tierwise.tiers.unit]
        allow = ["subprocess", "tmp", "loopback", "sleep"]
        [tool.tierwise.state]
        default = "fail"
    """
    project({"tests/unit/test_u.py": text}, table=table)
    run_apart().assert_outcomes(passed=1)
