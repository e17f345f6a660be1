"""What every provider promises, real or double, as clauses that are run on it."""

from __future__ import annotations

import asyncio
import copy
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from tierwise.contracts.asking import (
    CANARY,
    PARTS,
    Note,
    ask,
    conversation,
    expect_answer,
    expect_failure,
    expect_rejected,
    failing,
    find_heard,
    form,
    only,
    try_kinds,
    user,
)
from tierwise.contracts.contract import Contract, in_loop, require, unobservable
from tierwise.domain import Message, Outcome, ToolCall
from tierwise.providers import Failure, FailureKind, Provider, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.contracts.subjects import ProviderSubject

_N_AT_ONCE = 6
_CANCEL_S = 5.0


class ProviderContract(Contract):
    """The ready-made contract of providers; derive a class `Test...` and name implementations."""

    implementations: ClassVar[Mapping[str, ProviderSubject]] = {}

    @in_loop
    async def test_it_has_a_name_and_says_whether_it_is_real(
        self, implementation: ProviderSubject
    ) -> None:
        """A provider has a name for tables, and a claim to be real or not."""
        provider = implementation.answering()
        require(isinstance(provider, Provider), f"{provider!r} has no name, real and generate")
        require(provider.name.strip(), "its name is empty")
        require(provider.real in (True, False), f"real is {provider.real!r}")

    @in_loop
    async def test_an_answer_keeps_its_schema(self, implementation: ProviderSubject) -> None:
        """With a schema, success comes with an instance of it, and the text is that data."""
        answer = expect_answer(await ask(implementation.answering(), form(implementation, Note)))
        require(isinstance(answer.data, Note), f"data is {answer.data!r}, expected a Note")
        require(
            Note.model_validate_json(answer.text) == answer.data, "text and data tell two tales"
        )

    @in_loop
    async def test_plain_text_has_no_data(self, implementation: ProviderSubject) -> None:
        """Without a schema, success comes with text and without data."""
        answer = expect_answer(await ask(implementation.answering(), form(implementation, None)))
        require(answer.data is None, f"data is {answer.data!r}, and nothing asked for it")
        require(isinstance(answer.text, str), f"text is {answer.text!r}")

    @in_loop
    async def test_text_that_is_no_json_is_malformed(
        self, implementation: ProviderSubject
    ) -> None:
        """Text that is no JSON, or none at all, is `malformed`, and what there was is kept."""
        for said in ("I would rather not.", '{"text": ', '{"text": NaN}', ""):
            await expect_rejected(implementation, said, FailureKind.MALFORMED)

    @in_loop
    async def test_json_that_breaks_the_schema_is_a_schema_mismatch(
        self, implementation: ProviderSubject
    ) -> None:
        """JSON of another shape is `schema_mismatch`, kept apart from text that is no JSON."""
        for said in ('{"text": 5}', "{}", "[]", "null"):
            await expect_rejected(implementation, said, FailureKind.SCHEMA_MISMATCH)

    @in_loop
    async def test_a_request_without_messages_is_a_bad_request(
        self, implementation: ProviderSubject
    ) -> None:
        """A request that nobody can serve is a `bad_request`, returned and not raised."""
        reply = await ask(implementation.answering(), Request[Note](messages=(), schema=Note))
        expect_failure(reply, FailureKind.BAD_REQUEST)

    @in_loop
    async def test_usage_adds_up(self, implementation: ProviderSubject) -> None:
        """Usage counts tokens read and written, and a longer prompt reads more of them."""
        provider = implementation.answering()
        short = expect_answer(await ask(provider, form(implementation, Note, "hello"))).usage
        long = expect_answer(
            await ask(provider, form(implementation, Note, "hello there " * 20))
        ).usage
        for usage in (short, long):
            counts = (usage.input_tokens, usage.output_tokens)
            require(min(counts) > 0, f"usage is {counts} after an answer with text")
            require(usage.total_tokens == sum(counts), f"{usage.total_tokens} is not {counts}")
        require(long.input_tokens > short.input_tokens, "a longer prompt read no more tokens")

    @in_loop
    async def test_failures_of_the_model_keep_their_text(
        self, implementation: ProviderSubject
    ) -> None:
        """What the model itself did wrong is scored: no outcome yet, no retry, text kept."""
        await try_kinds(implementation, lambda kind: kind.is_scored)

    @in_loop
    async def test_failures_of_the_wire_can_be_retried(
        self, implementation: ProviderSubject
    ) -> None:
        """What may pass by itself is retryable; a given time to wait is not negative."""
        await try_kinds(implementation, lambda kind: kind.is_retried)

    @in_loop
    async def test_failures_of_the_vendor_are_unobservable(
        self, implementation: ProviderSubject
    ) -> None:
        """A vendor who moved or is busy makes a trial `unobservable`, never failed."""
        await try_kinds(implementation, lambda kind: kind.outcome is Outcome.UNOBSERVABLE)

    @in_loop
    async def test_failures_of_ours_are_errors(self, implementation: ProviderSubject) -> None:
        """Our own mistake ends a trial as `error` and is not retried."""
        await try_kinds(
            implementation,
            lambda kind: kind.outcome is Outcome.ERROR and not kind.is_retried,
        )

    @in_loop
    async def test_a_call_can_be_cancelled(self, implementation: ProviderSubject) -> None:
        """A cancelled call ends as cancelled, soon, and not as an answer or a failure."""
        if implementation.hanging is None:
            unobservable("it can't be made to take long")
        prompt = "Tell a very long story, in all detail."
        request = form(implementation, None, prompt, max_tokens=1500, temperature=1.0)
        task = asyncio.create_task(implementation.hanging().generate(request))
        await asyncio.wait({task}, timeout=implementation.begin_s)
        require(not task.done(), "the call that was to take long ended by itself")
        task.cancel()
        await asyncio.wait({task}, timeout=_CANCEL_S)
        require(task.done(), f"the call still runs {_CANCEL_S} s after it was cancelled")
        require(task.cancelled(), "the cancelled call ended as if it had not been")

    @in_loop
    async def test_concurrent_calls_do_not_mix(self, implementation: ProviderSubject) -> None:
        """Each of several calls under way gets the answer to its own request."""
        provider = implementation.answering()
        markers = [f"marker-{index}" for index in range(_N_AT_ONCE)]
        schemas = [only(marker) for marker in markers]
        replies = await asyncio.gather(
            *(
                ask(provider, form(implementation, schema, f"Say {marker!r}."))
                for schema, marker in zip(schemas, markers, strict=True)
            )
        )
        got = [getattr(expect_answer(reply).data, "marker", None) for reply in replies]
        require(got == markers, f"answers came back as {got}")

    @in_loop
    async def test_no_secret_is_in_an_error(self, implementation: ProviderSubject) -> None:
        """The message of a failure shows neither the prompt nor a key."""
        prompt = f"The secret word is {CANARY}."
        failures = [
            await ask(make(), form(implementation, Note, prompt))
            for make in failing(implementation)
        ]
        if not failures:
            unobservable("it can't be made to fail")
        for failure in failures:
            require(isinstance(failure, Failure), f"{failure!r} was to be a failure")
            for secret in (CANARY, *implementation.secrets):
                shown = secret in getattr(failure, "message", "")
                require(not shown, f"the message of {failure.kind} shows {secret!r}")  # type: ignore[union-attr]  # required above

    @in_loop
    async def test_the_request_is_not_changed(self, implementation: ProviderSubject) -> None:
        """A call leaves its request, and what hangs on it, as it was."""
        called = Message(
            role="assistant", content="", tool_calls=(ToolCall(name="look", arguments={"at": 1}),)
        )
        messages = (user("Where?"), called, Message(role="tool", content="here"), user("So?"))
        asked = form(implementation, Note, temperature=0.5, seed=3)
        request = replace(asked, messages=messages, purpose="p")
        before = copy.deepcopy(request)
        await ask(implementation.answering(), request)
        require(request == before, f"the request is {request!r} and was {before!r}")

    @in_loop
    async def test_all_of_a_conversation_reaches_the_model(
        self, implementation: ProviderSubject
    ) -> None:
        """No turn, no call or result of a tool and no tool on offer is left out."""
        provider = implementation.answering()
        await ask(provider, conversation())
        heard = find_heard(implementation, provider)
        lost = [part for part, marker in PARTS.items() if marker not in heard]
        require(not lost, f"the model did not get: {', '.join(lost)}")

    @in_loop
    async def test_calls_are_recorded(self, implementation: ProviderSubject) -> None:
        """A provider that keeps a record keeps failures in it too."""
        if implementation.calls is None:
            unobservable("it keeps no record; wrap it in a RecordingProvider where one is needed")
        provider = implementation.answering()
        await ask(provider, form(implementation, Note))
        await ask(provider, Request[Note](messages=(), schema=Note))
        replies = [type(call.reply).__name__ for call in implementation.calls(provider)]
        require(replies == ["Answer", "Failure"], f"the record holds {replies}")

    @in_loop
    async def test_one_schema_serves_many_calls(self, implementation: ProviderSubject) -> None:
        """A schema class is not used up or changed by being asked for."""
        provider, before = implementation.answering(), copy.deepcopy(Note.model_json_schema())
        for _ in range(3):
            answer = expect_answer(await ask(provider, form(implementation, Note)))
            require(isinstance(answer.data, Note), f"data is {answer.data!r}")
        require(Note.model_json_schema() == before, "the schema class was changed")

    @in_loop
    async def test_parameters_are_passed(self, implementation: ProviderSubject) -> None:
        """Temperature, seed and max_tokens arrive as they were sent."""
        if implementation.calls is None:
            unobservable("what arrives is not recorded")
        provider = implementation.answering()
        await ask(provider, form(implementation, Note, temperature=0.25, seed=11, max_tokens=99))
        got = implementation.calls(provider)[0].request
        passed = (got.temperature, got.seed, got.max_tokens)
        sent = (0.25 if implementation.takes_temperature else None, 11, 99)
        require(passed == sent, f"(temperature, seed, max_tokens) arrived as {passed}")
