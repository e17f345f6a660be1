"""Requests that the vendor refuses, each beside a near miss that it serves."""

import copy
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic_box import HELLO, KEY, OLD, Box, post
from anthropic_mistakes import (
    CITATION,
    DOCUMENT,
    MISTAKES,
    RESULT,
    Mistake,
    ask,
    said,
    text,
    user,
)

from tierwise.doubles.gateway.vendor import Account
from tierwise.doubles.gateway.wire import HttpRequest


def _send(box: Box, body: dict[str, Any]) -> int:
    return box.answer(post(json.dumps(body).encode())).status


@pytest.mark.parametrize("one", MISTAKES, ids=lambda one: f"{one.rule}-{one.says[:40]}")
def test_a_mistake_is_refused_and_its_near_miss_is_served(box: Box, one: Mistake) -> None:
    """The rule is the one that was broken, the words are the vendor's, the twin passes."""
    before = copy.deepcopy(one.bad)
    status = _send(box, one.bad)

    assert [refusal.rule for refusal in box.refused] == [one.rule]
    assert (box.refused[0].message or "").startswith(one.says)
    assert status == (404 if one.rule == "model-known" else 400)
    assert one.bad == before
    assert _send(box, one.good) == 200, box.refused[-1].message


def test_each_rule_has_a_mistake(box: Box) -> None:
    """No rule about bodies is without a request that breaks it, here or below."""
    below = {"method", "key-given", "key-known", "version-given", "version-known", "size"}
    below |= {"json", "page", "sampling", "thread-known", "thread-once"}

    assert {rule.name for rule in box.vendor.rules} == {one.rule for one in MISTAKES} | below


def test_each_rule_is_on_its_page(box: Box) -> None:
    """The page of the docs lists the rules as they are, with their grounds."""
    page = (Path(__file__).parents[4] / "docs" / "gateway-anthropic.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 5]

    assert rows == [
        f"| `{rule.name}` | {rule.status} | {rule.ground} | {rule.says} |"
        for rule in box.vendor.rules
    ]


def test_rules_have_names_of_their_own(box: Box) -> None:
    """A name stands for one rule, and each rule says what it asks for."""
    names = [rule.name for rule in box.vendor.rules]

    assert len({*names}) == len(names)
    assert all(rule.says.endswith(".") for rule in box.vendor.rules)


NEWER = "claude-opus-4-6"
THINKING = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2000}
Case = tuple[str, int, Callable[[], HttpRequest], Callable[[], HttpRequest]]
GOOD = json.dumps(HELLO).encode()


def _get(path: str, **query: str) -> HttpRequest:
    headers = {"x-api-key": KEY, "anthropic-version": "2026-10-21"}
    return HttpRequest(method="GET", path=path, query=query, headers=headers)


@pytest.mark.parametrize(
    "case",
    [
        ("method", 405, lambda: _get("/v1/messages"), lambda: _get("/v1/models")),
        ("key-given", 401, lambda: post(GOOD, x_api_key=""), lambda: post(GOOD)),
        (
            "key-given",
            401,
            lambda: post(GOOD, x_api_key="", authorization=KEY),
            lambda: post(GOOD, x_api_key="", authorization=f"Bearer {KEY}"),
        ),
        ("key-known", 401, lambda: post(GOOD, x_api_key="sk-other"), lambda: post(GOOD)),
        (
            "key-known",
            401,
            lambda: post(GOOD, x_api_key="sk-other", authorization=f"Bearer {KEY}"),
            lambda: post(GOOD, authorization="Bearer sk-other"),
        ),
        ("version-given", 400, lambda: post(GOOD, anthropic_version=""), lambda: post(GOOD)),
        (
            "version-known",
            400,
            lambda: post(GOOD, anthropic_version="2023-10-01"),
            lambda: post(GOOD, anthropic_version="2023-06-01"),
        ),
        ("json", 400, lambda: post(b'{"model": '), lambda: post(GOOD)),
        ("json", 400, lambda: post(b"[]"), lambda: post(GOOD)),
        ("size", 413, lambda: post(GOOD + b" " * 2**25), lambda: post(GOOD + b" " * 2**20)),
        (
            "page",
            400,
            lambda: _get("/v1/models", limit="0"),
            lambda: _get("/v1/models", limit="1"),
        ),
        (
            "page",
            400,
            lambda: _get("/v1/models", after_id="nobody"),
            lambda: _get("/v1/models", after_id=OLD),
        ),
        (
            "page",
            400,
            lambda: _get("/v1/models", after_id=OLD, before_id=OLD),
            lambda: _get("/v1/models", before_id=OLD),
        ),
        (
            "model-known",
            404,
            lambda: _get("/v1/models/nobody"),
            lambda: _get(f"/v1/models/{OLD}"),
        ),
        (
            "sampling",
            400,
            lambda: post(_older(temperature=1.5), anthropic_version="2023-06-01"),
            lambda: post(_older(temperature=1), anthropic_version="2023-06-01"),
        ),
        (
            "sampling",
            400,
            lambda: post(
                _older(temperature=0.5, thinking={"type": "adaptive"}, model=NEWER),
                anthropic_version="2023-06-01",
            ),
            lambda: post(
                _older(temperature=1, thinking={"type": "adaptive"}, model=NEWER),
                anthropic_version="2023-06-01",
            ),
        ),
        *(
            (
                "sampling",
                400,
                lambda bad=bad: post(_older(**bad), anthropic_version="2023-06-01"),
                lambda good=good: post(_older(**good), anthropic_version="2023-06-01"),
            )
            for bad, good in (
                ({"temperature": 0.5, "top_p": 0.5}, {"top_p": 0.5}),
                (THINKING | {"top_k": 5}, {"top_k": 5}),
                (THINKING | {"top_p": 0.5}, THINKING | {"top_p": 0.95}),
            )
        ),
    ],
)
def test_a_request_is_refused_before_or_beside_its_body(box: Box, case: Case) -> None:
    """Method, key, version, size and query are read as the vendor reads them."""
    rule, status, bad, good = case
    box.account = Account(keys=frozenset({KEY}), models=frozenset({OLD}))

    assert box.answer(bad()).status == status
    assert [refusal.rule for refusal in box.refused] == [rule]
    assert box.answer(good()).status == 200


def _older(**fields: Any) -> bytes:
    return json.dumps(ask(**{"model": OLD} | fields)).encode()


@pytest.mark.parametrize(
    "body",
    [
        ask(messages=[user(text()), said(DOCUMENT), user(text())]),
        ask(messages=[user(text(citations=[CITATION]))]),
        ask(temperature=1.0),
    ],
)
def test_what_the_newest_version_took_away_is_served_by_the_one_before(
    box: Box, body: dict[str, Any]
) -> None:
    """Rules of a version hold for that version only."""
    request = post(json.dumps(body).encode(), anthropic_version="2023-06-01")

    assert box.answer(request).status == 200


def test_a_count_takes_no_limit(box: Box) -> None:
    """Counting tokens is another endpoint with fields of its own."""
    with pytest.raises(anthropic.BadRequestError, match="max_tokens: Extra inputs"):
        box.client().messages.count_tokens(
            model=OLD, messages=HELLO["messages"], extra_body={"max_tokens": 5}
        )


def test_a_count_is_held_to_the_rules_of_conversations(box: Box) -> None:
    """A conversation that can't be sent can't be counted."""
    with pytest.raises(anthropic.BadRequestError, match="unexpected `tool_use_id`"):
        box.client().messages.count_tokens(model=OLD, messages=[user(RESULT)])


def test_the_sdk_raises_for_a_refusal_as_for_any_other(box: Box) -> None:
    """A mistake of the program is a BadRequestError with the vendor's words."""
    with pytest.raises(anthropic.BadRequestError) as caught:
        box.create("sync", messages=[user(RESULT)])

    assert caught.value.type == "invalid_request_error"
    assert "Each `tool_result` block must have a corresponding" in caught.value.message


@pytest.mark.parametrize("where", ["model", "stop_sequences"])
def test_a_key_in_the_wrong_place_is_not_repeated(box: Box, where: str) -> None:
    """What is refused may be quoted; a key that was put there is not."""
    value: Any = KEY if where == "model" else KEY + "!"
    _send(box, ask(**{where: value}))

    assert KEY.encode() not in box.sent[0].body


def test_the_assistant_may_speak_first(box: Box) -> None:
    """The vendor took that rule back, and turns of one role in a row are fine too."""
    body = ask(messages=[said(text("Yes?")), user(text()), user(text())])

    assert _send(box, body) == 200


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens"])
def test_interleaved_thinking_may_go_beyond_one_answer(box: Box, path: str) -> None:
    """The beta counts the budget over all answers of a turn, so that max_tokens is no limit."""
    thinking = {"type": "enabled", "budget_tokens": 4000}
    body = ask(thinking=thinking, max_tokens=2000, model=OLD)
    if path.endswith("count_tokens"):
        del body["max_tokens"]
    request = post(json.dumps(body).encode(), anthropic_beta="interleaved-thinking-2025-05-14")

    assert box.answer(dataclasses.replace(request, path=path)).status == 200
