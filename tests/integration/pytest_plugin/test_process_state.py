"""State that a test leaves behind is found, told, put back or failed; what is tidied is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tierwise.domain.watching import UNRESTORABLE, WATCHERS
from tierwise.records import RunStore

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

ALLOW = (
    "[tool.tierwise.tiers.unit]\n"
    'question = "Does it?"\nlevel = "unit"\npaths = ["tests"]\n'
    'allow = ["tmp", "subprocess", "sleep", "loopback", "read", "write"]\n'
)
SHOP = """
import functools

CACHE = {}
RATES = [1, 2, 3]
NESTED = {"a": {"b": 1}}
LIMIT = 5
API_KEY = ""

@functools.lru_cache
def price(x):
    return x

class Cart:
    tax = 3
    lines = []

    def __init__(self):
        self.debug = False

    @functools.cached_property
    def total(self):
        return 7

cart = Cart()

def raise_limit():
    global LIMIT
    LIMIT += 1
"""
LEAKS: dict[str, tuple[str, str, str]] = {
    "environ": ("os.environ['LEAK'] = '1'", "os.environ['LEAK']", "(absent) -> 1"),
    "cwd": ("os.chdir('tests')", "os.getcwd()", "-> "),
    "umask": ("os.umask(0o011)", "os.umask()", "-> 0o011"),
    "locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale()", "-> C"),
    "timezone": (
        "os.environ['TZ'] = 'Asia/Tokyo'; time.tzset(); del os.environ['TZ']",
        "time.tzname",
        "'JST'",
    ),
    "sys_path": ("sys.path.insert(0, '/planted')", "sys.path", "'/planted'"),
    "sys_modules": (
        "sys.modules['planted'] = types.SimpleNamespace()",
        "sys.modules['planted']",
        "(absent) -> <types.SimpleNamespace>",
    ),
    "logging": (
        "logging.getLogger('known').setLevel(10)",
        "logging.getLogger('known').level",
        "0 -> 10",
    ),
    "warnings": (
        "warnings.filterwarnings('ignore', message='planted')",
        "warnings.filters",
        "ignore Warning",
    ),
    "random": ("random.seed(4)", "random", "seeded by the test"),
    "decimal": ("decimal.getcontext().prec = 5", "decimal.getcontext().prec", "28 -> 5"),
    "signals": (
        "signal.signal(signal.SIGUSR1, lambda *_: None)",
        "signal.getsignal(SIGUSR1)",
        "SIG_DFL -> ",
    ),
    "event_loop": (
        "asyncio.set_event_loop(asyncio.new_event_loop())",
        "asyncio current event loop",
        "None -> <asyncio",
    ),
    "contextvars": ("TENANT.set('acme')", "ContextVar 'tenant'", "(absent) -> 'acme'"),
    "threads": (
        "threading.Thread(target=time.sleep, args=(3,), name='left', daemon=True).start()",
        "thread 'left'",
        "runs, as a daemon",
    ),
    "processes": ("KEPT.append(subprocess.Popen(['sleep', '3']))", "process sleep", "runs"),
    "tasks": (
        "KEPT.append(asyncio.new_event_loop()); KEPT.append(KEPT[-1].create_task(wait()))",
        "task wait",
        "pending",
    ),
    "files": ("KEPT.append(open(shop.__file__))", "descriptor of ", "shop.py: (absent) -> open"),
    "modules": ("shop.CACHE['k'] = 1", "shop.CACHE", "{} -> {'k': 1}"),
    "classes": ("shop.Cart.tax = 4", "shop.Cart.tax", "3 -> 4"),
    "caches": ("shop.price(1)", "shop.price", "0 results kept -> 1 result kept"),
    "third_party": ("openai.base_url = 'http://here'", "openai.base_url", "None -> 'http://here'"),
}
HEAD = """
import asyncio, contextvars, decimal, locale, logging, os, random, signal, subprocess, sys
import threading, time, types, warnings
import pytest
import shop

openai = types.ModuleType("openai")
openai.base_url = None
sys.modules.setdefault("openai", openai)
openai = sys.modules["openai"]
KEPT = []
TENANT = contextvars.ContextVar("tenant")
logging.getLogger("known")

async def wait():
    await asyncio.sleep(60)

"""


def suite(*bodies: str) -> str:
    tests = "".join(
        f"def test_{n}():\n    {body}\n\ndef test_{n}_after():\n    pass\n\n"
        for n, body in enumerate(bodies)
    )
    return HEAD + tests


@pytest.fixture
def leaks(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.Pytester]:
    """Write a suite over the small shop, with a state table."""

    def write(test: str, state: str = "") -> pytest.Pytester:
        table = f'order = "defined"\npackages = ["shop.py"]\n{ALLOW}[tool.tierwise.state]\n{state}'
        made = project({"shop.py": SHOP, "tests/test_it.py": test}, table)
        monkeypatch.setenv("PYTHONPATH", str(made.path))
        return made

    return write


def kept(path: Any) -> list[Any]:
    with RunStore.open(path / ".tierwise" / "records.db") as store:
        return [*store.report.left_behind()]


def test_each_watcher_has_a_planted_leak() -> None:
    """A watcher that no leak has shown red may be blind; numpy is not installed everywhere."""
    assert {*LEAKS} | {"numpy"} == {*WATCHERS}


@pytest.mark.parametrize("watcher", sorted(LEAKS))
def test_a_leak_fails_the_test_that_made_it_and_no_other(
    leaks: Callable[..., pytest.Pytester], run_apart: Run, watcher: str
) -> None:
    """The failure names the test, the owner, before and after; the test after it is not blamed."""
    body, owner, change = LEAKS[watcher]
    leaks(suite(body), f'default = "off"\n{watcher} = "fail"')
    result = run_apart("-p", "no:warnings")
    result.assert_outcomes(passed=2, errors=1)
    shown = result.stdout.str()
    assert f"tests/test_it.py::test_0 left process state changed ({watcher}):" in shown
    assert f"{owner}" in shown
    assert change in shown
    assert f'@pytest.mark.leaves_behind("{watcher}", reason="...")' in shown


@pytest.mark.parametrize("watcher", sorted({*LEAKS} - UNRESTORABLE.keys()))
def test_what_is_restored_is_there_no_more_for_the_next_test(
    leaks: Callable[..., pytest.Pytester], run_apart: Run, watcher: str
) -> None:
    """With "restore" two tests that leave the same each begin without it, and nothing is told."""
    body, _, _ = LEAKS[watcher]
    made = leaks(suite(body, body), f'default = "off"\n{watcher} = "restore"')
    result = run_apart("-p", "no:warnings")
    result.assert_outcomes(passed=4)
    assert "left behind" not in result.stdout.str()
    assert [row.action for row in kept(made.path)] == ["restore", "restore"]


def test_all_leaks_are_told_at_the_foot_and_kept(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """By default nothing fails: a few lines say who left what, and the run store has all of it."""
    made = leaks(suite(*(body for body, _, _ in LEAKS.values())))
    result = run_apart("-p", "no:warnings")
    result.assert_outcomes(passed=2 * len(LEAKS))
    result.stdout.fnmatch_lines(["left behind: * pieces of process state by * tests (*"])
    result.stdout.fnmatch_lines(["  and * more: tierwise report"])
    assert {row.watcher for row in kept(made.path)} >= {*LEAKS} - {"locale"}
    assert "left behind" not in run_apart("-q").stdout.str()


def test_what_a_test_puts_back_is_no_finding(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """monkeypatch, patch.dict, context managers, imports and numbers drawn are none."""
    leaks(
        HEAD
        + """
from unittest import mock

def test_monkeypatch(monkeypatch):
    monkeypatch.setenv("A", "1")
    monkeypatch.chdir("tests")
    monkeypatch.syspath_prepend("/planted")
    monkeypatch.setattr(shop, "LIMIT", 9)
    monkeypatch.setattr(shop.cart, "debug", True)
    monkeypatch.setattr(shop.Cart, "tax", 9)
    monkeypatch.setitem(shop.CACHE, "k", 1)

@mock.patch.dict("os.environ", {"B": "1"})
@mock.patch("shop.price", lambda x: 2)
def test_mock():
    assert shop.price(1) == 2

def test_contexts(caplog):
    caplog.set_level(10, "known")
    with warnings.catch_warnings(), decimal.localcontext() as context:
        warnings.simplefilter("ignore")
        context.prec = 4
        assert decimal.Decimal(1) / 3

def test_imports_and_numbers():
    import colorsys, xml.dom.minidom, wave
    [random.random() for _ in range(5000)]
    decimal.Decimal(1) / 3

def test_loop():
    asyncio.run(asyncio.sleep(0))

def test_files(tmp_path):
    (tmp_path / "a").write_text("a")
    with open(tmp_path / "a") as file:
        assert file.read() == "a"
    subprocess.run(["true"], check=True)
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()
""",
        'default = "fail"',
    )
    run_apart("-p", "no:warnings").assert_outcomes(passed=6)


def test_a_wider_fixture_answers_for_itself(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """What it does is expected while it lives; what it leaves at its end is told as its own."""
    made = leaks(
        HEAD
        + """
@pytest.fixture(scope="module")
def untidy():
    os.environ["UNTIDY"] = "1"
    shop.CACHE["fixture"] = 1
    yield
    del shop.CACHE["fixture"]

@pytest.fixture(scope="module")
def tidy():
    os.environ["TIDY"] = "1"
    yield
    del os.environ["TIDY"]

def test_first(untidy, tidy):
    pass

def test_last(untidy, tidy):
    shop.raise_limit()
"""
    )
    run_apart().assert_outcomes(passed=2)
    found = {(row.nodeid[-9:], row.subject, row.owner) for row in kept(made.path)}
    fixture = "the module fixture 'untidy' of tests/test_it.py"
    assert found == {
        ("test_last", "", "shop.LIMIT"),
        ("test_last", fixture, "os.environ['UNTIDY']"),
    }


def test_no_secret_is_shown_or_kept(leaks: Callable[..., pytest.Pytester], run_apart: Run) -> None:
    """A value is masked by its name, by its look and by what a variable of that name holds."""
    made = leaks(
        suite(
            "os.environ['SHOP_API_KEY'] = 'swordfish-1'; shop.API_KEY = 'swordfish-2'",
            "shop.CACHE['password'] = 'swordfish-3'",
            "os.environ['DB'] = 'postgres://me:swordfish-4@host/x'",
            "shop.CACHE['k'] = 'sk-proj-swordfish0123456789abcdef'",
        )
    )
    result = run_apart()
    result.assert_outcomes(passed=8)
    assert len(kept(made.path)) == 5
    assert "swordfish" not in result.stdout.str()
    assert "swordfish" not in str(kept(made.path))


def test_a_mark_allows_what_has_to_stay(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """With a reason, and for this test alone; a wrong watcher is refused with the closest."""
    leaks(
        HEAD
        + """
@pytest.mark.leaves_behind("modules", reason="it fills what all share")
def test_allowed():
    shop.CACHE["k"] = 1

@pytest.mark.leaves_behind("module", reason="x")
def test_wrong():
    shop.CACHE["l"] = 1

@pytest.mark.leaves_behind("modules")
def test_no_reason():
    shop.CACHE["m"] = 1
""",
        'default = "fail"',
    )
    result = run_apart("--strict-markers")
    result.assert_outcomes(passed=3, errors=2)
    result.stdout.fnmatch_lines(["*Did you mean 'modules'?*", "*takes names of watchers and a*"])


def test_what_is_ignored_is_never_told(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """A pattern names owners that are meant to change."""
    made = leaks(suite("shop.CACHE['k'] = 1; shop.raise_limit()"), 'ignore = ["shop.C*"]')
    run_apart().assert_outcomes(passed=2)
    assert [row.owner for row in kept(made.path)] == ["shop.LIMIT"]


def test_a_thorough_look_sees_inside_containers(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """By default a dictionary inside a dictionary is not compared, as the docs say."""
    body = "shop.NESTED['a']['b'] = 2"
    made = leaks(suite(body))
    run_apart().assert_outcomes(passed=2)
    assert kept(made.path) == []
    made = leaks(suite(body), "thorough = true")
    run_apart().assert_outcomes(passed=2)
    assert [row.owner for row in kept(made.path)] == ["shop.NESTED"]


def test_a_reset_of_the_project_comes_first(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """What tierwise.reset_each_test puts back was not left behind, be it the last test or not."""
    made = leaks(
        "import pytest, tierwise, shop\ntierwise.reset_each_test(shop.CACHE.clear)\n"
        "@pytest.fixture(scope='module')\ndef wide():\n    yield\n"
        "def test_one(wide):\n    shop.CACHE['k'] = 1\n"
        "def test_two(wide):\n    shop.CACHE['k'] = 1\n",
        'modules = "fail"',
    )
    run_apart().assert_outcomes(passed=2)
    assert kept(made.path) == []


def test_facts_travel_from_workers(leaks: Callable[..., pytest.Pytester], run_apart: Run) -> None:
    """Under xdist the controller tells and keeps what its workers found."""
    made = leaks(suite("shop.CACHE['k'] = 1"))
    result = run_apart("-p", "xdist", "-n", "1")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["left behind: 1 piece of process state by 1 test (modules)"])
    assert [row.nodeid for row in kept(made.path)] == ["tests/test_it.py::test_0"]


def test_without_a_table_nothing_is_looked_at_unless_asked(
    project: Project, run_apart: Run
) -> None:
    """Report mode changes nothing and slows nothing; the option asks for it."""
    project({"test_it.py": "import os\ndef test_it():\n    os.environ['LEAK'] = '1'\n"}, None)
    assert "left behind" not in run_apart().stdout.str()
    result = run_apart("--tierwise-state", "report")
    result.stdout.fnmatch_lines(["  os.environ*'LEAK'*: (absent) -> 1  by test_it.py::test_it"])
    run_apart("--tierwise-state", "fail").assert_outcomes(passed=1, errors=1)


def test_numpy_that_was_seeded_is_told_and_put_back(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """Only where somebody has imported it; numbers drawn from its generator are no finding."""
    pytest.importorskip("numpy")
    test = (
        "import numpy\ndef test_draw():\n    numpy.random.random(5000)\n"
        "def test_seed():\n    numpy.random.seed(4)\ndef test_after():\n    pass\n"
    )
    made = leaks(test, 'default = "off"\nnumpy = "fail"')
    run_apart().assert_outcomes(passed=3, errors=1)
    assert [(row.nodeid[-9:], row.owner) for row in kept(made.path)] == [
        ("test_seed", "numpy.random")
    ]
    leaks(test, 'default = "off"\nnumpy = "restore"')
    run_apart().assert_outcomes(passed=3)


def test_what_captures_output_is_no_descriptor_left_open(
    leaks: Callable[..., pytest.Pytester], run_apart: Run
) -> None:
    """The streams lead elsewhere while a test runs; a file that garbage holds is closed first."""
    made = leaks(
        HEAD + "class Held:\n    pass\n\ndef test_held():\n    held = Held()\n    held.me = held\n"
        "    held.file = os.open(shop.__file__, os.O_RDONLY)\n    os.close(held.file)\n"
        "    held.file = open(shop.__file__)\n    print('out')\n",
        'default = "off"\nfiles = "fail"',
    )
    run_apart().assert_outcomes(passed=1)
    assert kept(made.path) == []


def test_what_pytest_does_to_set_a_package_up_is_no_tests_doing(
    project: Project, run_apart: Run
) -> None:
    """The folder of a package comes to the front of sys.path with the first test in it."""
    project(
        {
            "src/one/__init__.py": "",
            "src/one/test_a.py": "def test_first(): pass\ndef test_second(): pass\n",
            "tests/__init__.py": "",
            "tests/test_b.py": (
                "import sys\nimport pytest\n"
                "@pytest.fixture\ndef dirt(): sys.path.append('nowhere')\n"
                "def test_third(dirt): pass\n"
            ),
            "tests/test_c.py": (
                "import sys\ndef test_fourth(): sys.path.insert(0, sys.path[-1])\n"
            ),
        },
        table='order = "defined"\n[tool.tierwise.state]\nsys_path = "fail"\n',
    )
    result = run_apart()
    result.assert_outcomes(passed=4, errors=2)
    left = [f"tests/{name} left process state *" for name in ("test_b.py::*", "test_c.py::*")]
    result.stdout.fnmatch_lines(left)
