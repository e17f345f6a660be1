"""The provider contract proves itself: for each clause, a provider that breaks it is caught."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.contracts import ProviderContract, double_subjects, list_clauses, run_contract
from tierwise.domain import Outcome, Usage
from tierwise.providers import Answer, Failure, FailureKind, MockProvider, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.contracts import ProviderSubject

MOCK = double_subjects()["mock"]


class Wrapped:
    """A provider that does something to the requests or the replies of a good one."""

    real = False

    def __init__(self, inner: Any, change: Callable[[Request[Any], Any], Any]) -> None:
        self.inner, self.name, self._change = inner, inner.name, change
        self.calls = ()

    async def generate(self, request: Request[Any]) -> Any:
        """Answer, changed."""
        reply = await self.inner.generate(request)
        self.calls = self.inner.calls
        return self._change(request, reply)


def changed(change: Callable[[Request[Any], Any], Any]) -> ProviderSubject:
    """Return the mock's subject with every reply changed."""
    saying = MOCK.saying
    assert saying is not None
    return replace(
        MOCK,
        answering=lambda: Wrapped(MOCK.answering(), change),
        saying=lambda text: Wrapped(saying(text), change),
        failing={
            kind: (lambda make=make: Wrapped(make(), change))
            for kind, make in MOCK.failing.items()
        },
    )


def drop_data(_: Request[Any], reply: Any) -> Any:
    return replace(reply, data=None) if isinstance(reply, Answer) else reply


def add_data(request: Request[Any], reply: Any) -> Any:
    plain = isinstance(reply, Answer) and request.schema is None
    return replace(reply, data={"made": "up"}) if plain else reply


def as_kind(old: FailureKind, new: FailureKind) -> Callable[[Request[Any], Any], Any]:
    def change(_: Request[Any], reply: Any) -> Any:
        hit = isinstance(reply, Failure) and reply.kind is old
        return replace(reply, kind=new) if hit else reply

    return change


def drop_text(_: Request[Any], reply: Any) -> Any:
    return replace(reply, text="") if isinstance(reply, Failure) else reply


def no_usage(_: Request[Any], reply: Any) -> Any:
    return replace(reply, usage=Usage())


def flat_usage(_: Request[Any], reply: Any) -> Any:
    return replace(reply, usage=Usage(input_tokens=5, output_tokens=5))


def quote_prompt(request: Request[Any], reply: Any) -> Any:
    hit = isinstance(reply, Failure)
    return replace(reply, message=f"{reply.message} {request.prompt_text}") if hit else reply


def raise_failures(_: Request[Any], reply: Any) -> Any:
    if isinstance(reply, Failure):
        raise RuntimeError(reply.message)  # noqa: TRY004  any exception breaks the clause
    return reply


def change_request(request: Request[Any], reply: Any) -> Any:
    for message in request.messages:
        for call in message.tool_calls:
            call.arguments["at"] = 2  # type: ignore[index]
    return reply


class Mixing(Wrapped):
    """Gives each call the reply to the call before it."""

    def __init__(self) -> None:
        super().__init__(MOCK.answering(), lambda _, reply: reply)
        self._held: list[Any] = []

    async def generate(self, request: Request[Any]) -> Any:
        """Answer what was answered last."""
        reply = await self.inner.generate(request)
        self._held.append(reply)
        await asyncio.sleep(0)
        return self._held.pop()


class Stubborn(Wrapped):
    """Takes a cancellation for a reason to answer."""

    def __init__(self) -> None:
        super().__init__(MockProvider([]), lambda _, reply: reply)

    async def generate(self, request: Request[Any]) -> Any:
        """Wait, and swallow the cancellation."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return Failure(kind=FailureKind.TIMEOUT, message="cancelled")


def once_only() -> Callable[[Request[Any], Any], Any]:
    counter = itertools.count()

    def change(_: Request[Any], reply: Any) -> Any:
        return reply if next(counter) == 0 else drop_data(_, reply)

    return change


def forget_parameters() -> ProviderSubject:
    def calls(provider: Any) -> Any:
        return [
            replace(call, request=replace(call.request, temperature=None))
            for call in provider.calls
        ]

    return replace(MOCK, calls=calls)


def hearing(change: Callable[[Request[Any]], Request[Any]]) -> ProviderSubject:
    """Return the mock's subject behind something that changes what it is sent."""

    class Between(Wrapped):
        async def generate(self, request: Request[Any]) -> Any:
            return await super().generate(change(request))

    return replace(MOCK, answering=lambda: Between(MOCK.answering(), lambda _, reply: reply))


BROKEN = {
    "test_all_of_a_conversation_reaches_the_model": lambda: hearing(
        lambda request: replace(request, messages=request.messages[:1])
    ),
    "test_it_has_a_name_and_says_whether_it_is_real": lambda: replace(
        MOCK, answering=lambda: MockProvider([], name=" ")
    ),
    "test_an_answer_keeps_its_schema": lambda: changed(drop_data),
    "test_plain_text_has_no_data": lambda: changed(add_data),
    "test_text_that_is_no_json_is_malformed": lambda: changed(
        as_kind(FailureKind.MALFORMED, FailureKind.SCHEMA_MISMATCH)
    ),
    "test_json_that_breaks_the_schema_is_a_schema_mismatch": lambda: changed(
        as_kind(FailureKind.SCHEMA_MISMATCH, FailureKind.MALFORMED)
    ),
    "test_a_request_without_messages_is_a_bad_request": lambda: changed(raise_failures),
    "test_usage_adds_up": lambda: changed(flat_usage),
    "test_failures_of_the_model_keep_their_text": lambda: changed(drop_text),
    "test_failures_of_the_wire_can_be_retried": lambda: changed(
        as_kind(FailureKind.TIMEOUT, FailureKind.AUTH)
    ),
    "test_failures_of_the_vendor_are_unobservable": lambda: changed(
        as_kind(FailureKind.RETIRED, FailureKind.BAD_REQUEST)
    ),
    "test_failures_of_ours_are_errors": lambda: changed(
        as_kind(FailureKind.AUTH, FailureKind.NOT_FOUND)
    ),
    "test_a_call_can_be_cancelled": lambda: replace(MOCK, hanging=Stubborn),
    "test_concurrent_calls_do_not_mix": lambda: replace(MOCK, answering=Mixing),
    "test_no_secret_is_in_an_error": lambda: changed(quote_prompt),
    "test_the_request_is_not_changed": lambda: changed(change_request),
    "test_calls_are_recorded": lambda: replace(MOCK, calls=lambda p: p.calls[:1]),
    "test_one_schema_serves_many_calls": lambda: replace(
        MOCK, answering=lambda: Wrapped(MOCK.answering(), once_only())
    ),
    "test_parameters_are_passed": forget_parameters,
}


def test_each_clause_has_a_provider_that_breaks_it() -> None:
    """No clause of the contract goes without its proof."""
    assert set(BROKEN) == set(list_clauses(ProviderContract))


@pytest.mark.parametrize("clause", BROKEN)
def test_a_broken_provider_is_caught(clause: str) -> None:
    """The clause is broken by the provider that breaks it, and says how."""
    report = run_contract(ProviderContract, {"broken": BROKEN[clause]()})
    assert report.outcome_of(clause, "broken") is Outcome.FAILED, report.render()


@pytest.mark.parametrize(
    ("lost", "change"),
    [
        ("tool on offer", lambda request: replace(request, tools=())),
        ("last turn", lambda request: replace(request, messages=request.messages[:-1])),
        ("system turn", lambda request: replace(request, messages=request.messages[1:])),
        (
            "argument",
            lambda request: replace(
                request, messages=tuple(replace(m, tool_calls=()) for m in request.messages)
            ),
        ),
    ],
    ids=["tools", "last turn", "system turn", "calls"],
)
def test_what_did_not_reach_the_model_is_named(
    lost: str, change: Callable[[Request[Any]], Request[Any]]
) -> None:
    """Each part of a conversation that a provider may drop is told by its name."""
    clause = "test_all_of_a_conversation_reaches_the_model"
    report = run_contract(ProviderContract, {"broken": hearing(change)})
    assert report.outcome_of(clause, "broken") is Outcome.FAILED
    assert f"the model did not get: {lost}" in report.render()


def test_usage_of_zero_is_caught_too() -> None:
    """An answer with text that claims no tokens breaks the clause of usage."""
    report = run_contract(ProviderContract, {"broken": changed(no_usage)})
    assert report.outcome_of("test_usage_adds_up", "broken") is Outcome.FAILED


def test_kinds_that_cannot_be_provoked_are_named_and_not_passed() -> None:
    """A subject that can provoke some kinds of a group is unobservable for the rest."""
    some = {FailureKind.BUSY: MOCK.failing[FailureKind.BUSY]}
    report = run_contract(ProviderContract, {"some": replace(MOCK, failing=some)})
    clause = "test_failures_of_the_wire_can_be_retried"
    assert report.outcome_of(clause, "some") is Outcome.UNOBSERVABLE
    (result,) = [r for r in report.results if r.clause == clause]
    assert "garbled, timeout, unavailable" in result.message
    assert "kept: busy" in result.message
