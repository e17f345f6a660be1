"""What every provider promises, real or double, as clauses that are run on it."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, Field, create_model

from tierwise.contracts.contract import Contract, in_loop, require, unobservable
from tierwise.domain import Message, Outcome, ToolCall
from tierwise.providers import Answer, Failure, FailureKind, Provider, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tierwise.contracts.subjects import ProviderSubject

_CANARY = "canary-7f3a91"
_N_AT_ONCE = 6
_CANCEL_S = 5.0


class Note(BaseModel):
    """The schema that most clauses ask for; short, so that a real model comes to an end."""

    text: str = Field(max_length=80)


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
        answer = _expect_answer(await _ask(implementation.answering(), _form(Note)))
        require(isinstance(answer.data, Note), f"data is {answer.data!r}, expected a Note")
        require(
            Note.model_validate_json(answer.text) == answer.data, "text and data tell two tales"
        )

    @in_loop
    async def test_plain_text_has_no_data(self, implementation: ProviderSubject) -> None:
        """Without a schema, success comes with text and without data."""
        answer = _expect_answer(await _ask(implementation.answering(), _form(None)))
        require(answer.data is None, f"data is {answer.data!r}, and nothing asked for it")
        require(isinstance(answer.text, str), f"text is {answer.text!r}")

    @in_loop
    async def test_text_that_is_no_json_is_malformed(
        self, implementation: ProviderSubject
    ) -> None:
        """Text that is no JSON, or none at all, is `malformed`, and what there was is kept."""
        for said in ("I would rather not.", '{"text": ', '{"text": NaN}', ""):
            await _expect_rejected(implementation, said, FailureKind.MALFORMED)

    @in_loop
    async def test_json_that_breaks_the_schema_is_a_schema_mismatch(
        self, implementation: ProviderSubject
    ) -> None:
        """JSON of another shape is `schema_mismatch`, kept apart from text that is no JSON."""
        for said in ('{"text": 5}', "{}", "[]", "null"):
            await _expect_rejected(implementation, said, FailureKind.SCHEMA_MISMATCH)

    @in_loop
    async def test_a_request_without_messages_is_a_bad_request(
        self, implementation: ProviderSubject
    ) -> None:
        """A request that nobody can serve is a `bad_request`, returned and not raised."""
        reply = await _ask(implementation.answering(), Request[Note](messages=(), schema=Note))
        _expect_failure(reply, FailureKind.BAD_REQUEST)

    @in_loop
    async def test_usage_adds_up(self, implementation: ProviderSubject) -> None:
        """Usage counts tokens read and written, and a longer prompt reads more of them."""
        provider = implementation.answering()
        short = _expect_answer(await _ask(provider, _form(Note, "hello"))).usage
        long = _expect_answer(await _ask(provider, _form(Note, "hello there " * 20))).usage
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
        await _try_kinds(implementation, lambda kind: kind.is_scored)

    @in_loop
    async def test_failures_of_the_wire_can_be_retried(
        self, implementation: ProviderSubject
    ) -> None:
        """What may pass by itself is retryable; a given time to wait is not negative."""
        await _try_kinds(implementation, lambda kind: kind.is_retried)

    @in_loop
    async def test_failures_of_the_vendor_are_unobservable(
        self, implementation: ProviderSubject
    ) -> None:
        """A vendor who moved or is busy makes a trial `unobservable`, never failed."""
        await _try_kinds(implementation, lambda kind: kind.outcome is Outcome.UNOBSERVABLE)

    @in_loop
    async def test_failures_of_ours_are_errors(self, implementation: ProviderSubject) -> None:
        """Our own mistake ends a trial as `error` and is not retried."""
        await _try_kinds(
            implementation,
            lambda kind: kind.outcome is Outcome.ERROR and not kind.is_retried,
        )

    @in_loop
    async def test_a_call_can_be_cancelled(self, implementation: ProviderSubject) -> None:
        """A cancelled call ends as cancelled, soon, and not as an answer or a failure."""
        if implementation.hanging is None:
            unobservable("it can't be made to take long")
        prompt = "Tell a very long story, in all detail."
        request = _form(None, prompt, max_tokens=1500, temperature=1.0)
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
        schemas = [_only(marker) for marker in markers]
        replies = await asyncio.gather(
            *(
                _ask(provider, _form(schema, f"Say {marker!r}."))
                for schema, marker in zip(schemas, markers, strict=True)
            )
        )
        got = [getattr(_expect_answer(reply).data, "marker", None) for reply in replies]
        require(got == markers, f"answers came back as {got}")

    @in_loop
    async def test_no_secret_is_in_an_error(self, implementation: ProviderSubject) -> None:
        """The message of a failure shows neither the prompt nor a key."""
        prompt = f"The secret word is {_CANARY}."
        failures = [await _ask(make(), _form(Note, prompt)) for make in _failing(implementation)]
        if not failures:
            unobservable("it can't be made to fail")
        for failure in failures:
            require(isinstance(failure, Failure), f"{failure!r} was to be a failure")
            for secret in (_CANARY, *implementation.secrets):
                shown = secret in getattr(failure, "message", "")
                require(not shown, f"the message of {failure.kind} shows {secret!r}")  # type: ignore[union-attr]  # required above

    @in_loop
    async def test_the_request_is_not_changed(self, implementation: ProviderSubject) -> None:
        """A call leaves its request, and what hangs on it, as it was."""
        called = Message(
            role="assistant", content="", tool_calls=(ToolCall(name="look", arguments={"at": 1}),)
        )
        messages = (_user("Where?"), called, Message(role="tool", content="here"), _user("So?"))
        request = Request(messages=messages, schema=Note, temperature=0.5, seed=3, purpose="p")
        before = copy.deepcopy(request)
        await _ask(implementation.answering(), request)
        require(request == before, f"the request is {request!r} and was {before!r}")

    @in_loop
    async def test_calls_are_recorded(self, implementation: ProviderSubject) -> None:
        """A provider that keeps a record keeps failures in it too."""
        if implementation.calls is None:
            unobservable("it keeps no record; wrap it in a RecordingProvider where one is needed")
        provider = implementation.answering()
        await _ask(provider, _form(Note))
        await _ask(provider, Request[Note](messages=(), schema=Note))
        replies = [type(call.reply).__name__ for call in implementation.calls(provider)]
        require(replies == ["Answer", "Failure"], f"the record holds {replies}")

    @in_loop
    async def test_one_schema_serves_many_calls(self, implementation: ProviderSubject) -> None:
        """A schema class is not used up or changed by being asked for."""
        provider, before = implementation.answering(), copy.deepcopy(Note.model_json_schema())
        for _ in range(3):
            answer = _expect_answer(await _ask(provider, _form(Note)))
            require(isinstance(answer.data, Note), f"data is {answer.data!r}")
        require(Note.model_json_schema() == before, "the schema class was changed")

    @in_loop
    async def test_parameters_are_passed(self, implementation: ProviderSubject) -> None:
        """Temperature, seed and max_tokens arrive as they were sent."""
        if implementation.calls is None:
            unobservable("what arrives is not recorded")
        provider = implementation.answering()
        await _ask(provider, _form(Note, temperature=0.25, seed=11, max_tokens=99))
        got = implementation.calls(provider)[0].request
        passed = (got.temperature, got.seed, got.max_tokens)
        require(passed == (0.25, 11, 99), f"(temperature, seed, max_tokens) arrived as {passed}")


def _user(text: str) -> Message:
    return Message(role="user", content=text)


def _only(marker: str) -> type[BaseModel]:
    allowed: Any = Literal[marker]
    return create_model("Marked", marker=(allowed, ...))


def _form(
    schema: type[BaseModel] | None,
    prompt: str = "Say hello in one word.",
    *,
    temperature: float = 0.0,
    seed: int = 1,
    max_tokens: int | None = None,
) -> Request[Any]:
    return Request(
        messages=(_user(prompt),),
        schema=schema,
        temperature=temperature,
        seed=seed,
        max_tokens=max_tokens,
    )


async def _ask(provider: Provider, request: Request[Any]) -> Answer[Any] | Failure:
    try:
        reply = await provider.generate(request)
    except Exception as error:
        require(claim=False, otherwise=f"generate raised {type(error).__name__}: {error}")
        raise
    require(
        isinstance(reply, Answer | Failure), f"generate returned {reply!r}, no Answer or Failure"
    )
    return reply


def _expect_answer(reply: Answer[Any] | Failure) -> Answer[Any]:
    if isinstance(reply, Failure):
        require(claim=False, otherwise=f"expected an answer, got {reply.kind}: {reply.message}")
    assert isinstance(reply, Answer)  # noqa: S101  _ask lets nothing else through
    return reply


def _expect_failure(reply: Answer[Any] | Failure, kind: FailureKind) -> Failure:
    require(isinstance(reply, Failure), f"expected {kind}, got {reply!r}")
    assert isinstance(reply, Failure)  # noqa: S101  required above
    require(reply.kind is kind, f"expected {kind}, got {reply.kind}: {reply.message}")
    require(reply.message.strip(), f"{kind} has no message")
    require(reply.retryable == kind.is_retried, f"retryable of {kind} is {reply.retryable}")
    require(reply.retry_after_s is None or reply.retry_after_s >= 0, "retry_after_s is negative")
    require(reply.attempts >= 1, f"attempts is {reply.attempts}")
    return reply


async def _expect_rejected(subject: ProviderSubject, said: str, kind: FailureKind) -> None:
    if subject.saying is None:
        unobservable("it can't be made to say a given text")
    failure = _expect_failure(await _ask(subject.saying(said), _form(Note)), kind)
    require(failure.text == said, f"the text {said!r} was kept as {failure.text!r}")


async def _try_kinds(subject: ProviderSubject, belongs: Callable[[FailureKind], bool]) -> None:
    """Try the kinds that can be provoked, then say which could not."""
    kinds = [kind for kind in FailureKind if belongs(kind)]
    tried = [kind for kind in kinds if kind in subject.failing]
    for kind in tried:
        failure = _expect_failure(await _ask(subject.failing[kind](), _form(Note)), kind)
        require(failure.text or not kind.is_scored, f"{kind} has lost what the model said")
    if tried != kinds:
        unobservable(
            f"can't be provoked: {_names(kind for kind in kinds if kind not in tried)}"
            + (f"; kept: {_names(tried)}" if tried else "")
        )


def _names(kinds: Iterable[FailureKind]) -> str:
    return ", ".join(kind.value for kind in kinds)


def _failing(subject: ProviderSubject) -> list[Callable[[], Provider]]:
    """Return every way to a failure that the subject knows."""
    makers = list(subject.failing.values())
    saying = subject.saying
    if saying is not None:
        makers += [lambda: saying(_CANARY), lambda: saying(f'{{"text": ["{_CANARY}"]}}')]
    return makers
