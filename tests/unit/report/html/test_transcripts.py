"""Trials stand in the page as room allows, one of each eval in turn, the rest beside it."""

from __future__ import annotations

from dataclasses import replace

from tierwise.domain import Exchange, Message, Outcome, ToolCall
from tierwise.records import PlanRow, TrialRow
from tierwise.records.scores import PlanUsage
from tierwise.report.html.transcripts import PAGE_SIZE, lay_out, pages_of, view_trial
from tierwise.report.html.values import EvalPart

PLAN = PlanRow(
    run_id="r",
    plan_hash="p",
    eval_id="tests/evals/test_e.py::test_e",
    tier="evals",
    n_cases=1,
    trials=9,
    n_planned=9,
    provider="x",
    detail={"better": {"leak": "lower"}},
)
SAID = Exchange(
    prompt=(Message(role="user", content="Where?"),),
    reply="in the honey jar",
    provider="x",
    model="m",
)
NOTE = "leak: key: 'honey jar' at 7..16 (exact)"


def trial(index: int = 0, **more: object) -> TrialRow:
    values: dict[str, object] = {
        "run_id": "r",
        "outcome": Outcome.PASSED,
        "exchanges": (SAID,),
        **more,
    }
    return TrialRow(
        plan_hash="p",
        eval_id=PLAN.eval_id,
        case_id="c",
        index=index,
        key=f"{index:064}",
        seed=1,
        **values,  # type: ignore[arg-type]
    )


def part(n: int, **more: object) -> EvalPart:
    return EvalPart(
        plan=PLAN,
        provider="x",
        started_at="",
        is_finished=True,
        verdict="proven",
        judgements=(),
        outcomes={"passed": n},
        controls={},
        usage=PlanUsage(),
        trials=tuple(trial(index, **more) for index in range(n)),
    )


def test_all_trials_stand_in_the_page_where_they_fit() -> None:
    """A small store needs no folder."""
    (shown,) = lay_out([part(3)])
    assert (len(shown.inline), shown.beside) == (3, ())


def test_each_eval_gets_its_share_of_the_page() -> None:
    """A large eval does not push the others out of the page."""
    weight = view_trial(part(1), trial()).weight
    shown = lay_out([part(50), part(2), part(50)], budget=weight * 10)
    assert [len(entry.inline) for entry in shown] == [4, 2, 4]
    assert [len(entry.beside) for entry in shown] == [46, 0, 46]


def test_a_trial_that_is_too_long_for_the_page_is_beside_it() -> None:
    """Nothing is lost: what has no room in the page is on a page of its own."""
    (shown,) = lay_out([part(2)], budget=10)
    assert (shown.inline, len(shown.beside)) == ((), 2)


def test_pages_hold_all_trials_once() -> None:
    """Each page has as many as it may, the last one the rest."""
    views = [view_trial(part(1), trial(index)) for index in range(PAGE_SIZE + 1)]
    assert [len(page) for page in pages_of(views)] == [PAGE_SIZE, 1]


def test_a_finding_is_marked_in_the_reply_and_not_in_the_question() -> None:
    """The reply's part that gives the secret away carries the finding."""
    view = view_trial(part(1), trial(notes=(NOTE,), scores={"leak": True}))
    asked, reply = view.calls[0].turns
    assert [segment.label for segment in asked.segments] == [""]
    assert [segment.text for segment in reply.segments if segment.label] == ["honey jar"]
    assert view.is_against


def test_a_judge_is_not_searched_for_what_the_subject_said() -> None:
    """A judge's reply may quote the secret: that is no leak."""
    said = replace(SAID, purpose="judge")
    view = view_trial(part(1), trial(notes=(NOTE,), exchanges=(said,)))
    assert not any(segment.label for segment in view.calls[0].turns[-1].segments)


def test_a_trial_of_the_control_speaks_against_nothing() -> None:
    """A control is meant to leak, and makes no claim."""
    view = view_trial(part(1), trial(arm="control", scores={"leak": True}))
    assert (view.is_control, view.is_against) == (True, False)


def test_a_call_without_a_reply_says_what_came_of_it() -> None:
    """Failures, attempts and tool calls are told, and no empty reply is made up."""
    call = ToolCall(name="ring", arguments={"n": 1})
    failed = replace(SAID, reply="", failure="busy")
    called = replace(SAID, reply="", tool_calls=(call,))
    view = view_trial(part(1), trial(exchanges=(failed, called)))
    assert view.calls[0].problems == ("failure: busy",)
    assert [turn.role for turn in view.calls[0].turns] == ["user"]
    assert view.calls[1].turns[-1].segments[0].text == 'ring({"n": 1})'


def test_a_trial_that_was_taken_over_names_its_run() -> None:
    """It was run before, and says when."""
    assert view_trial(part(1), trial(run_id="earlier")).taken_from == "earlier"
    assert view_trial(part(1), trial()).taken_from == ""


def test_a_long_reply_is_cut_and_says_so() -> None:
    """A model that does not stop does not fill the page."""
    view = view_trial(part(1), trial(exchanges=(replace(SAID, reply="la " * 9000),)))
    text = view.calls[0].turns[-1].segments[0].text
    assert text.endswith("(27,000 characters)")
    assert view.weight < 8000
