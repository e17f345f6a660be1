"""Facts for reports that programs read, with every outcome, verdict and hostile text in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from report_world import HOSTILE

from tierwise.domain import Capability, Level, Outcome, Tier, Violation
from tierwise.report.machine.values import (
    EvalEntry,
    ExpectationEntry,
    Facts,
    Origin,
    TestEntry,
)
from tierwise.report.map import LevelRow, Status

COMMANDS = (
    "x\n::error file=a.py::taken",
    "x\r\n::set-env name=PATH::taken",
    "  ::stop-commands::taken",
    "##[error]taken",
    "a##[group]b ##vso[task.setvariable variable=x]y",
    "%0A::error::taken",
    "a,line=1::taken",
    "`` ` ```",
    "`",
    "ends in `",
    "_a_ __b__ *c* **d** ~~e~~",
    "| a | b |\n| --- | --- |",
    "\\|<b>x</b>",
    "[a](javascript:x) ![b](http://x.test/y.png) <http://x.test>",
    "@somebody and #12 www.x.test http://x.test a@x.test",
    "# head\n- list\n\n<details>",
    "&lt;script&gt; &#60;b&#62;",
    "\ufffe\uffff\x07\x7f",
    "",
)
"""What a log, a Markdown page or an XML reader might obey."""
CORPUS = (*HOSTILE, *COMMANDS)

TIER = Tier(name="unit", level=Level.UNIT, question="Does it?")
TOUCH = Violation(
    capability=Capability.NETWORK,
    target="203.0.113.7:443",
    subject="tests/unit/test_a.py::test_calls",
    tier="unit",
    stack=(
        "/usr/lib/python3/runner.py:1 in run",
        "src/a/post.py:14 in send",
        "src/a/wire.py:3 in connect",
        "/usr/lib/python3/socket.py:850 in create_connection",
        "<string>:1 in f",
    ),
    event="socket.connect",
)


def origin(**more: Any) -> Origin:
    values = {"project": "inn", "tierwise": "1.2.3", "made_at": "2026-01-02T03:04:05+00:00"}
    return Origin(**{**values, **more})


def entry(nodeid: str = "tests/unit/test_a.py::test_it", **more: Any) -> TestEntry:
    values: dict[str, Any] = {
        "nodeid": nodeid,
        "tier": "unit",
        "level": "unit",
        "outcome": Outcome.PASSED,
        "duration_s": 0.25,
        "message": "",
        "violations": (),
        "run_id": "r1",
        "started_at": "2026-01-02T03:04:05+00:00",
    }
    return TestEntry(**{**values, **more})


def expectation(**more: Any) -> ExpectationEntry:
    values: dict[str, Any] = {
        "expectation": "never leak",
        "metric": "leak",
        "verdict": "proven",
        "reason": "below the limit",
        "n_scored": 12,
        "n_planned": 15,
        "quantity": "rate",
        "estimate": 0.0,
        "interval": (0.0, 0.24249),
        "confidence": 0.95,
    }
    return ExpectationEntry(**{**values, **more})


def evaluation(*expectations: ExpectationEntry, **more: Any) -> EvalEntry:
    values: dict[str, Any] = {
        "eval_id": "tests/evals/test_e.py::test_secret",
        "tier": "evals",
        "provider": "openai:gpt-5",
        "model": "gpt-5",
        "run_id": "r2",
        "started_at": "2026-01-02T03:04:05+00:00",
        "n_planned": 15,
        "verdict": expectations[0].verdict if expectations else "not judged",
        "expectations": expectations,
    }
    return EvalEntry(**{**values, **more})


def levels(covered: int = 1, partial: int = 1) -> tuple[LevelRow, ...]:
    statuses = [Status.COVERED] * covered + [Status.PARTIAL] * partial
    statuses += [Status.GAP] * (12 - len(statuses))
    return tuple(
        LevelRow(level=level, status=status, reason=f"it is {status}")
        for level, status in zip(Level, statuses, strict=True)
    )


def facts(*tests: TestEntry, evals: tuple[EvalEntry, ...] = (), **more: Any) -> Facts:
    values: dict[str, Any] = {"origin": origin(), "tiers": (TIER,), "levels": levels()}
    return Facts(**{**values, "tests": tests, "evals": evals, **more})


def every_outcome() -> Facts:
    """Return one test of each outcome, one with a violation, and an eval of each verdict."""
    tests = [
        entry(f"tests/unit/test_a.py::test_{outcome}", outcome=outcome, message=f"why {outcome}")
        for outcome in Outcome
    ]
    calls = entry(TOUCH.subject, outcome=Outcome.FAILED, message="TW-NET", violations=(TOUCH,))
    evals = [
        evaluation(expectation(verdict=verdict), provider=f"by-{verdict}")
        for verdict in ("proven", "refuted", "undecided")
    ]
    return facts(*tests, calls, evals=(*evals, evaluation(provider="by-nobody")))


def hostile() -> Facts:
    """Return facts in which every text that comes from outside is hostile."""
    tests = [
        entry(
            f"tests/unit/{text}.py::test_{text}",
            outcome=Outcome.FAILED,
            message=text,
            violations=(replace(TOUCH, target=text, subject=text, stack=(f"{text}:1 in {text}",)),)
            if n % 2
            else (),
        )
        for n, text in enumerate(CORPUS)
    ]
    evals = [
        evaluation(
            expectation(expectation=text, reason=text, metric=text, verdict="refuted"),
            eval_id=text,
            provider=text,
            model=text,
        )
        for text in CORPUS
    ]
    return facts(*tests, evals=tuple(evals), origin=origin(project=CORPUS[0]))
