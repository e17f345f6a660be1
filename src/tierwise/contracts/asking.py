"""How the clauses of the provider contract ask, and what they expect of a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, create_model

from tierwise.contracts.contract import require, unobservable
from tierwise.domain import Message, ToolCall
from tierwise.providers import Answer, Failure, FailureKind, Provider, Request, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.contracts.subjects import ProviderSubject

CANARY = "canary-7f3a91"
PARTS = {
    part: f"{word}-5d20"
    for part, word in {
        "system turn": "amber",
        "first turn": "basalt",
        "answer before": "cedar",
        "argument": "damask",
        "result of a tool": "ember",
        "last turn": "fennel",
        "tool on offer": "garnet",
    }.items()
}
"""What tells each part of `conversation` from all others."""


class Note(BaseModel):
    """The schema that most clauses ask for; short, so that a real model comes to an end."""

    text: str = Field(max_length=80)


def user(text: str) -> Message:
    """Return a turn of the user."""
    return Message(role="user", content=text)


def conversation() -> Request[Any]:
    """Return a request whose every part can be told in what reaches the model: see `PARTS`."""
    call = ToolCall(name="look_around", arguments={"at": PARTS["argument"]}, id="call_1")
    return Request(
        messages=(
            Message(role="system", content=f"Be {PARTS['system turn']}."),
            user(f"Begin with {PARTS['first turn']}."),
            Message(role="assistant", content=PARTS["answer before"], tool_calls=(call,)),
            Message(role="tool", content=PARTS["result of a tool"], tool_call_id="call_1"),
            user(f"Go on with {PARTS['last turn']}."),
        ),
        tools=(
            Tool(
                name="look_around",
                description=PARTS["tool on offer"],
                parameters={
                    "type": "object",
                    "properties": {"at": {"type": "string"}},
                    "required": ["at"],
                    "additionalProperties": False,
                },
            ),
        ),
        max_tokens=40,
    )


def find_heard(subject: ProviderSubject, provider: Provider) -> str:
    """Return what reached the model in the last call, as text."""
    if subject.heard is not None:
        return subject.heard(provider)
    if subject.calls is None:
        unobservable("what reaches the model is not known; give the subject a `heard`")
    return repr(subject.calls(provider)[-1].request)


def only(marker: str) -> type[BaseModel]:
    """Return a schema that one answer alone can keep."""
    allowed: Any = Literal[marker]
    return create_model("Marked", marker=(allowed, ...))


def form(
    subject: ProviderSubject,
    schema: type[BaseModel] | None,
    prompt: str = "Say hello in one word.",
    *,
    temperature: float = 0.0,
    seed: int = 1,
    max_tokens: int | None = None,
) -> Request[Any]:
    """Return a request that a real model, too, answers shortly and, where it can, each time alike.

    A temperature is left out where the subject takes none.
    """
    return Request(
        messages=(user(prompt),),
        schema=schema,
        temperature=temperature if subject.takes_temperature else None,
        seed=seed,
        max_tokens=max_tokens,
    )


async def ask(provider: Provider, request: Request[Any]) -> Answer[Any] | Failure:
    """Return the reply; raising, or returning anything else, breaks the clause."""
    try:
        reply = await provider.generate(request)
    except Exception as error:
        require(claim=False, otherwise=f"generate raised {type(error).__name__}: {error}")
        raise
    require(
        isinstance(reply, Answer | Failure), f"generate returned {reply!r}, no Answer or Failure"
    )
    return reply


def expect_answer(reply: Answer[Any] | Failure) -> Answer[Any]:
    """Require an answer."""
    if isinstance(reply, Failure):
        require(claim=False, otherwise=f"expected an answer, got {reply.kind}: {reply.message}")
    assert isinstance(reply, Answer)  # noqa: S101  _ask lets nothing else through
    return reply


def expect_failure(reply: Answer[Any] | Failure, kind: FailureKind) -> Failure:
    """Require a whole failure of the kind."""
    require(isinstance(reply, Failure), f"expected {kind}, got {reply!r}")
    assert isinstance(reply, Failure)  # noqa: S101  required above
    require(reply.kind is kind, f"expected {kind}, got {reply.kind}: {reply.message}")
    require(reply.message.strip(), f"{kind} has no message")
    require(reply.retryable == kind.is_retried, f"retryable of {kind} is {reply.retryable}")
    require(reply.retry_after_s is None or reply.retry_after_s >= 0, "retry_after_s is negative")
    require(reply.attempts >= 1, f"attempts is {reply.attempts}")
    return reply


async def expect_rejected(subject: ProviderSubject, said: str, kind: FailureKind) -> None:
    """Require that a reply with this text is a failure of the kind that keeps the text."""
    if subject.saying is None:
        unobservable("it can't be made to say a given text")
    failure = expect_failure(await ask(subject.saying(said), form(subject, Note)), kind)
    require(failure.text == said, f"the text {said!r} was kept as {failure.text!r}")


async def try_kinds(subject: ProviderSubject, belongs: Callable[[FailureKind], bool]) -> None:
    """Try the kinds that can be provoked, then say which could not."""
    kinds = [kind for kind in FailureKind if belongs(kind)]
    tried = [kind for kind in kinds if kind in subject.failing]
    for kind in tried:
        failure = expect_failure(await ask(subject.failing[kind](), form(subject, Note)), kind)
        require(failure.text or not kind.is_scored, f"{kind} has lost what the model said")
    if tried != kinds:
        unobservable(
            f"can't be provoked: {_names(kind for kind in kinds if kind not in tried)}"
            + (f"; kept: {_names(tried)}" if tried else "")
        )


def _names(kinds: Iterable[FailureKind]) -> str:
    return ", ".join(kind.value for kind in kinds)


def failing(subject: ProviderSubject) -> list[Callable[[], Provider]]:
    """Return every way to a failure that the subject knows."""
    makers = list(subject.failing.values())
    saying = subject.saying
    if saying is not None:
        makers += [lambda: saying(CANARY), lambda: saying(f'{{"text": ["{CANARY}"]}}')]
    return makers
