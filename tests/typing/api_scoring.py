"""Scorers, judges and cases of files, used as a user would: type-checked, never run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_type

from pydantic import BaseModel

from tierwise.domain import Exchange, Message, ToolCall
from tierwise.errors import ScorerError
from tierwise.evals import (
    CaseList,
    Sensitivity,
    Trial,
    at_least,
    evaluate,
    load_cases,
    never,
)
from tierwise.evals.judges import (
    Grade,
    ItemAgreement,
    JudgeAgreement,
    Judged,
    JudgeUnavailable,
    LabelledSample,
    Question,
    Rubric,
    judge,
    measure_agreement,
)
from tierwise.evals.scorers import (
    Calls,
    DecimalMark,
    Extraction,
    Ignorable,
    Order,
    Scored,
    Step,
    Take,
    Text,
    called,
    called_in_order,
    called_none,
    close_to,
    contains,
    contains_any,
    contains_none,
    cost_usd,
    exact,
    follows_schema,
    follows_trajectory,
    is_json,
    latency_s,
    leaks,
    matches,
    trajectory_share,
)
from tierwise.leaks import Secret
from tierwise.providers import Answer, Provider, Request
from tierwise.stats import Agreement, Undetermined


class City(BaseModel):
    name: str


@dataclass(frozen=True)
class Trip:
    id: str
    question: str


NPC = Rubric(
    "npc",
    (
        Question("leaks", "Does it say where?"),
        Question("short", "Is it short?", needs_quote=False),
        Grade("warmth", "How warm is it?", 1, 5, meanings={1: "icy"}),
    ),
    about="A villager's reply.",
    inputs=("question",),
    temperature=0.0,
)
AGREEMENT = JudgeAgreement.from_json("{}")
ASK = Request[City](messages=(Message(role="user", content="Where?"),), schema=City)


def load() -> None:
    plain = load_cases("cases.jsonl")
    assert_type(plain, CaseList[dict[str, Any]])
    trips = load_cases("cases.csv", Trip, id_field="id")
    assert_type(trips, CaseList[Trip])
    assert_type(trips[0], Trip)
    assert_type(trips[1:], CaseList[Trip])
    assert_type(trips.ids, tuple[str, ...] | None)


def score_texts(reply: Answer[City], text: Text) -> list[Scored]:
    ignore: list[Ignorable] = ["case", "form"]
    return [
        exact(reply, "Paris", "paris", ignore=ignore),
        contains(text, "Paris", ignore=["space"], whole_words=True),
        contains_any(text, "a", "b"),
        contains_none(text, "c"),
        matches(text, r"\d+", whole=True),
        leaks(reply, Secret("the blue heron")),
    ]


def score_values(text: Text) -> list[Scored]:
    extract: Extraction = "fenced"
    take: Take = "last"
    decimal: DecimalMark = ","
    return [
        is_json(text, extract=extract),
        follows_schema(text, City),
        follows_schema(text, {"type": "object"}, extract="embedded"),
        close_to(text, 4, absolute=0.5, take=take, decimal=decimal),
        close_to(3.9, 4, relative=0.1),
    ]


def score_acts(said: tuple[Exchange, ...], calls: Calls) -> None:
    order: Order = "subsequence"
    steps: list[Step] = ["look", ToolCall(name="open", arguments={"what": "chest"})]
    assert_type(called(said, "look", arguments={"at": "chest"}, times=1), Scored)
    assert_type(called_none(calls), Scored)
    assert_type(called_in_order(said, "look", "open"), Scored)
    assert_type(follows_trajectory(said, steps, order=order), Scored)
    assert_type(trajectory_share([each.purpose for each in said], ["intent"]), float)
    assert_type(latency_s(said), float)
    assert_type(cost_usd(said[0]), float)


@evaluate(
    cases=load_cases("cases.jsonl"),
    trials=20,
    expect=[never("leaks", below=0.05, detector=AGREEMENT.sensitivity("leaks"))],
)
async def judged_eval(case: dict[str, Any], provider: Provider, trial: Trial) -> None:
    reply = trial.require(await provider.generate(ASK))
    try:
        judged = await judge(
            provider,
            NPC,
            reply,
            inputs={"question": case["question"]},
            by=provider,
            agreement=AGREEMENT,
            max_tokens=300,
        )
    except ScorerError as error:
        trial.note(str(error))
        raise
    assert_type(judged, Judged)
    assert_type(judged["leaks"], Scored)
    assert_type(judged.scores(), dict[str, Scored])
    trial.score(leaks=judged["leaks"], warmth=float(judged["warmth"]), plain=True)
    scored = judged["short"]
    if scored:
        trial.note(f"{scored.why} {scored.grader} {scored.value} {judged.identity}")
    assert_type(trial.exchanges, tuple[Exchange, ...])
    assert_type(trial.graders, dict[str, str])


async def measure(provider: Provider) -> JudgeAgreement:
    samples = [LabelledSample(text="It is here.", labels={"leaks": True, "warmth": 2})]
    try:
        found = await measure_agreement(provider, NPC, samples, by=None, concurrency=2)
    except JudgeUnavailable as error:
        raise RuntimeError(str(error.kind)) from error
    await measure_agreement(provider, NPC, load_cases("labelled.csv"))
    assert_type(found.sensitivity("leaks"), Sensitivity)
    assert_type(found.lines(), tuple[str, ...])
    assert_type(found.find_change(NPC, "m"), str)
    item = found.item("leaks")
    assert_type(item, ItemAgreement)
    assert_type(item.caught, tuple[int, int])
    assert_type(item.sensitivity_lower(), float | Undetermined)
    assert_type(item.kappa(), Agreement | Undetermined)
    assert_type(found.to_json(), str)
    at_least("short", 0.5)
    return found
