"""`tierwise eval run` in a scratch project: its exit codes are those that the docs promise."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Ended = subprocess.CompletedProcess[str]
Start = Callable[..., Ended]
Write = Callable[[Path, dict[str, str]], Path]

FILES = {
    "pyproject.toml": """
        [tool.tierwise]
    """,
    "fakes.py": """
        from tierwise.providers import Failure, FailureKind

        class Busy:
            name = "busy"
            real = False

            async def generate(self, request):
                return Failure(kind=FailureKind.BUSY, message="too many at once")
    """,
    "tests/unit/test_unit.py": "def test_it(): pass\n",
    "tests/evals/test_keeper.py": """
        from tierwise.domain import Message
        from tierwise.evals import evaluate, never
        from tierwise.providers import Request

        FACT = "the blue heron"

        @evaluate(cases=["where?"], trials=59, expect=[never("leak", below=0.05)])
        async def test_it_keeps_the_secret(case, provider, trial):
            prompt = (Message(role="user", content=f"{FACT}. {case}"),)
            reply = trial.require(await provider.generate(Request(messages=prompt)))
            trial.score(leak=FACT in reply.text)
    """,
}
HONEST, LEAKY = "simulated:rate=0", "simulated:rate=1"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, write: Write) -> Path:
    """Write a project with one eval; no run depends on what another one kept."""
    return write(tmp_path_factory.mktemp("evals"), FILES)


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--provider", HONEST), 0, "PROVEN    never leak (below 5 %)"),
        (("--provider", LEAKY), 1, "REFUTED   never leak (below 5 %)"),
        (("--provider", HONEST, "--trials", "58"), 10, "UNDECIDED never leak (below 5 %)"),
        (("--provider", "fakes:Busy", "--trials", "3"), 11, "0 of 3"),
        (("--provider", "fakse:Busy"), 4, "there is no module 'fakse'"),
        (("--provider", HONEST, "-k", "nothing"), 5, "No evals that match -k 'nothing'"),
        (("--provider", HONEST, "tests/unit"), 5, "No evals were found"),
        ((), 4, "needs a provider and none is named"),
        (("--provider", "simulatd:rate=0"), 4, "Did you mean 'simulated:rate=0.05'?"),
        (("--provider", "simulated:rat=0"), 4, "Did you mean 'rate'?"),
        (("--provider", HONEST, "--tier", "evls"), 4, "Did you mean 'evals'?"),
        (("--dry-run",), 0, "carried out once, offline; no verdict"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_the_exit_code_says_how_it_ended(  # noqa: PLR0917  fixtures
    root: Path, start: Start, args: tuple[str, ...], code: int, told: str
) -> None:
    """Each ending has a code of its own, says why, and neither a traceback nor a colour."""
    done = start(root, "tierwise", "eval", "run", *args)
    said = done.stdout + done.stderr
    assert done.returncode == code, said
    assert told in said
    assert "Traceback" not in said
    assert "\x1b" not in said


def test_a_typing_mistake_in_a_metric_is_misuse(
    tmp_path: Path, write: Write, start: Start
) -> None:
    """A metric that no trial scores is no clean run: it ends with 4 and names the closest one."""
    eval_file = "tests/evals/test_keeper.py"
    mistyped = FILES[eval_file].replace("score(leak=", "score(leek=")
    root = write(tmp_path, FILES | {eval_file: mistyped})
    done = start(root, "tierwise", "eval", "run", "--provider", HONEST)
    assert done.returncode == 4
    assert "Did you mean 'leek'?" in done.stdout + done.stderr
    assert "PROVEN" not in done.stdout


def test_no_process_state_is_looked_at_around_evals(
    tmp_path: Path, write: Write, start: Start
) -> None:
    """Evals are not watched, so that their runs do not even load what watches."""
    asking = """
        import atexit, sys

        atexit.register(lambda: print("watches:", "tierwise.sandbox.state" in sys.modules))
    """
    root = write(tmp_path, FILES | {"conftest.py": asking})
    done = start(root, "tierwise", "eval", "run", "--provider", HONEST)
    assert "watches: False" in done.stdout
    tested = start(root, "pytest", "tests/unit")
    assert "watches: True" in tested.stdout


def test_json_is_all_that_is_on_stdout(root: Path, start: Start) -> None:
    """`--json` can be piped into a program: numbers on stdout, progress elsewhere."""
    done = start(root, "tierwise", "eval", "run", "--provider", LEAKY, "--json", "--trials", "2")
    told = json.loads(done.stdout)
    (judgement,) = told["evals"][0]["judgements"]
    assert done.returncode == told["exit_code"] == 1
    assert (judgement["verdict"], judgement["n_scored"], judgement["n_events"]) == (
        "refuted",
        2,
        2,
    )


def test_a_plain_pytest_runs_no_eval(root: Path, start: Start) -> None:
    """A bare `pytest` collects the evals, runs none, and prints no escape code into a pipe."""
    done = start(root, "pytest")
    assert done.returncode == 0
    assert "1 passed, 1 deselected" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_the_map_shows_what_a_run_left(tmp_path: Path, write: Write, start: Start) -> None:
    """After a run of tests and one of evals the map knows both levels, again without colours."""
    root = write(tmp_path, FILES)
    start(root, "pytest")
    start(root, "tierwise", "eval", "run", "--provider", HONEST)
    shown = start(root, "tierwise", "map").stdout
    assert re.search(r"^unit +covered ", shown, re.MULTILINE), shown
    assert re.search(r"^acceptance +covered ", shown, re.MULTILINE), shown
    assert re.search(r"^regression +covered +the default run ", shown, re.MULTILINE), shown
    assert "3 covered" in shown
    assert "\x1b" not in shown
