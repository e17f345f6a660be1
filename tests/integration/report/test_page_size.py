"""The page stays small, and opens, however much and whatever a store holds."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from report_world import HOSTILE

from tierwise.domain import Exchange, Judgement, Level, Message, Outcome, Verdict
from tierwise.records import PlanRow, TrialRow
from tierwise.records.scores import PlanUsage
from tierwise.report.html.page import render_report
from tierwise.report.html.values import (
    EvalPart,
    GapLine,
    Line,
    ProofLine,
    Report,
    Source,
    TestLine,
    ViolationLine,
)
from tierwise.report.map import LevelRow, Status

LONG = "".join(HOSTILE) * 40
"""More than 10,000 characters of what a page must not obey."""


def a_test(number: int, name: str) -> TestLine:
    return TestLine(
        nodeid=f"tests/unit/test_{number // 40}.py::test_{name}[{number}]",
        tier="unit",
        outcome=Outcome.FAILED if len(name) > 100 else Outcome.PASSED,
        duration_s=1.5,
        message=name if len(name) > 100 else "",
        started_at=datetime(2026, 11, 30, tzinfo=UTC).isoformat(),
    )


def an_eval(number: int, text: str, n_trials: int) -> EvalPart:
    plan = PlanRow(
        run_id="20261130T100000-aaaaaaaa",
        plan_hash=f"p{number}",
        eval_id=f"tests/evals/test_e.py::test_{text}_{number}",
        tier="evals",
        n_cases=10,
        trials=100,
        n_planned=1000,
        provider=text,
        detail={"better": {"leak": "lower"}},
    )
    said = Exchange(prompt=(Message(role="user", content=text),) * 5, reply=text, provider="x")
    trials = tuple(
        TrialRow(
            run_id=plan.run_id,
            plan_hash=plan.plan_hash,
            eval_id=plan.eval_id,
            case_id=text,
            index=index,
            key=f"{number}-{index}",
            seed=1,
            outcome=Outcome.PASSED,
            exchanges=(said,),
        )
        for index in range(n_trials)
    )
    judgement = Judgement(
        expectation=f"never {text}",
        metric="leak",
        verdict=Verdict.UNDECIDED,
        reason=text,
        n_scored=1000,
        n_planned=1000,
        estimate=0.5,
        interval=(0.4, 0.6),
    )
    return EvalPart(
        plan=plan,
        provider=text,
        started_at="2026-11-30T10:00:00+00:00",
        is_finished=True,
        verdict="undecided",
        judgements=(judgement, judgement),
        outcomes={"passed": 1000},
        controls={},
        usage=PlanUsage(),
        trials=trials,
    )


def a_report(text: str, *, n_tests: int, n_evals: int, n_trials: int) -> Report:
    tests = tuple(a_test(number, text) for number in range(n_tests))
    touch = ViolationLine(
        nodeid=tests[0].nodeid, tier=text, capability="tmp", target=text, stack=(text,) * 200
    )
    return Report(
        source=Source(project="bell", store="r.db", made_at="2026-11-30T10:00:00", tierwise="1"),
        levels=tuple(LevelRow(level=level, status=Status.GAP, reason="") for level in Level),
        tests=tests,
        violations=(touch,) * 500,
        slowest=tests[:15],
        evals=tuple(an_eval(number, text, n_trials) for number in range(n_evals)),
        guards=(ProofLine(name=text, state="proven", detail=text),) * 500,
        gaps=(GapLine(nodeid=tests[0].nodeid, reason=text, ticket=text),) * 500,
        history=(Line(title=text, detail=text, values=(0.1, None) * 20, last="proven"),) * 500,
    )


def test_five_thousand_tests_and_ten_thousand_trials_make_a_page_below_one_megabyte() -> None:
    """All tests are in it, and all trials that are shown are in it or beside it."""
    report = a_report("does_what_it_says", n_tests=5000, n_evals=10, n_trials=100)
    found = render_report(report, folder="beside")
    assert len(found.html.encode()) < 1_000_000
    assert found.html.count("of 5,000 tests are shown.") == 1  # without JavaScript alone
    n_beside = sum(html.count("data-trial ") for html in found.beside.values())
    assert found.html.count("data-trial ") + n_beside == 1000


@pytest.mark.parametrize("n_evals", [3, 300])
def test_hostile_texts_of_any_length_do_not_make_it_larger(n_evals: int) -> None:
    """Names, messages and replies that are long on purpose are cut, and that is said."""
    report = a_report(LONG, n_tests=3000, n_evals=n_evals, n_trials=3)
    found = render_report(report, folder="beside")
    assert len(found.html.encode("utf-8", "backslashreplace")) < 1_000_000
    assert found.html.count("of 3,000 tests are shown.") == 2
    assert found.html.count("<script") == 2
    assert not re.search("[\u202e\u2066\u200b\x00\x1b\x85\u2028]", found.html)
