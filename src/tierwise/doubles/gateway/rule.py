"""A rule of a scenario: which requests it is for, and what they get, one step after another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.answers import form_answer, write_data
from tierwise.doubles.gateway.criteria import find_mismatches
from tierwise.doubles.gateway.faults import Ended, ErrorEvent, MalformedBody, MalformedChunk
from tierwise.doubles.gateway.latency import Latency
from tierwise.doubles.gateway.saying import Refusal, Say, refuse_unfit_wait
from tierwise.doubles.gateway.steps import Computed, Fixed, Steps
from tierwise.doubles.gateway.wire import Ending
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    from tierwise.domain import Usage
    from tierwise.doubles.gateway.answers import AnswerFunction, AnswerLike
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.criteria import Criteria
    from tierwise.doubles.gateway.faults import Fault
    from tierwise.doubles.gateway.latency import Seconds
    from tierwise.doubles.gateway.saying import Stop
    from tierwise.doubles.gateway.steps import Source, Step
    from tierwise.providers import Provider


class Rule:
    """What requests of one kind get; made by `Gateway.when`, and told what to say.

    A step is what one request gets: `say`, `data` or `call` make an answer together, faults and
    times change it. `then` begins the next step. Each step serves one request unless `times`
    says otherwise; the last one stays for all further requests.
    """

    def __init__(self, criteria: Criteria, *, index: int, optional: bool = False) -> None:
        self.criteria = criteria
        self.optional = optional
        self.index = index
        self.n_used = 0
        self._checks = criteria.compile()
        self._steps = Steps()
        self._shown: str | None = None

    def __str__(self) -> str:
        """Return the rule as it was written: `rule 0, when(model='claude-*')`."""
        if self._shown is None:
            self._shown = f"rule {self.index}, when({self.criteria})"
        return self._shown

    # What is said

    def say(
        self,
        *texts: str | Say,
        thinking: str = "",
        refusal: str | None = None,
        stop: Stop | None = None,
        usage: Usage | None = None,
        pieces: Sequence[str] = (),
        headers: Sequence[tuple[str, str]] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> Self:
        """Answer with a text; several texts are the choices of a client that asks for `n`.

        It is sent as it is said, whatever limit or stop sequence the client gave: what a test
        says is what arrives. `stop=Stop.LENGTH` plays an answer that met the limit.
        """
        says = tuple(
            text
            if isinstance(text, Say)
            else Say(
                text=text,
                thinking=thinking,
                refusal=refusal,
                stop=stop,
                usage=usage,
                pieces=tuple(pieces),
                headers=tuple(headers),
                extra=dict(extra or {}),
            )
            for text in (texts or ("",))
        )
        earlier = self._says()
        if earlier is not None and any(say.text for say in earlier):
            raise self._refuse_second("say")
        if earlier is not None:
            says = tuple(replace(say, tool_calls=earlier[0].tool_calls) for say in says)
        return self._set(Fixed(says))

    def data(self, data: Mapping[str, Any] | Sequence[Any] | BaseModel) -> Self:
        """Answer with data, written as JSON."""
        form_answer(data, f"`data` of {self}")
        return self.say(write_data(data))

    def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, call_id: str = ""
    ) -> Self:
        """Ask to have a tool called; said again, all of them in parallel."""
        wish = ToolCall(name=tool, arguments=dict(arguments or {}), id=call_id)
        earlier = self._says() or (Say(),)
        first = replace(earlier[0], tool_calls=(*earlier[0].tool_calls, wish))
        return self._set(Fixed((first, *earlier[1:])))

    def embed(self, *vectors: Sequence[float]) -> Self:
        """Answer with these vectors, in the order of the texts."""
        return self._set_once(Fixed((Say(embeddings=tuple(tuple(v) for v in vectors)),)), "embed")

    def answer(self, function: AnswerFunction) -> Self:
        """Answer with what a function of the request returns, or of the request and the state.

        It may be async. It gets what was `Asked`, and `gateway.state` when it takes two
        arguments; it returns whatever `sequence` takes.
        """
        if not callable(function):
            raise MisuseError(f"`answer` of {self} is {function!r}; expected a function.")
        return self._set_once(Computed(function), "answer")

    def auto(self) -> Self:
        """Answer with anything that is valid: data for the schema, or calls that are asked for.

        The same request of the same gateway's seed gets the same.
        """
        from tierwise.doubles.gateway.automatic import Automatic  # noqa: PLC0415  when asked for

        return self._set_once(Automatic(), "auto")

    def provider(self, provider: Provider) -> Self:
        """Have a provider answer, such as `LocalProvider`, behind the vendor's protocol."""
        from tierwise.doubles.gateway.backing import Backed  # noqa: PLC0415  when asked for

        return self._set_once(Backed(provider), "provider")

    def sequence(self, *answers: AnswerLike | AnswerFunction) -> Self:
        """Answer each request with the next of these, and none after the last."""
        if not answers:
            raise MisuseError(f"`sequence` of {self} is empty; expected answers.")
        for number, answer in enumerate(answers):
            if number:
                _ = self.then
            self._set_once(self._source_of(answer, number), "sequence")
            self._steps.change(is_exact=True)
        return self

    # What goes wrong

    def fail(
        self,
        status: int,
        *,
        message: str | None = None,
        code: str | None = None,
        kind: str | None = None,
        retry_after_s: float | None = None,
        headers: Sequence[tuple[str, str]] = (),
        body: bytes | None = None,
    ) -> Self:
        """Refuse with this status, as the vendor does; all else follows from it unless said."""
        lowest, highest = 400, 599
        given: object = status  # a file may say anything
        if not isinstance(given, int) or isinstance(given, bool):
            raise MisuseError(
                f"`fail` of {self} has status {given!r}; expected a number from 400 to 599."
            )
        if not lowest <= status <= highest:
            raise MisuseError(f"`fail` of {self} has status {status}; expected 400 to 599.")
        refuse_unfit_wait(retry_after_s, f"`fail` of {self}")
        refusal = Refusal(
            status=status,
            message=message,
            code=code,
            kind=kind,
            retry_after_s=retry_after_s,
            headers=tuple(headers),
            body=body,
        )
        return self._set_once(Fixed(refusal), "fail")

    def malformed_body(self) -> Self:
        """Send JSON that ends in the middle, under a status of 200."""
        return self._add(MalformedBody())

    def malformed_chunk(self, at: int = 0) -> Self:
        """Send one event of a stream that is no JSON, and go on."""
        return self._add(MalformedChunk(at=at))

    def cut(self, after: int | None = None) -> Self:
        """Close the connection before the body has ended.

        `after` counts events of a stream, or bytes of a body that is none; None is the middle.
        Without an answer the connection is closed before any status line.
        """
        return self._add(Ended(name="cut", ending=Ending.CUT, after=after))

    def truncate(self, after: int | None = None) -> Self:
        """End the body early and cleanly: only what is missing tells. `after` as for `cut`."""
        return self._add(Ended(name="truncate", ending=Ending.COMPLETE, after=after))

    def stall(self, after: int | None = None) -> Self:
        """Send nothing more and keep the connection open. `after` as for `cut`."""
        return self._add(Ended(name="stall", ending=Ending.STALLED, after=after))

    def reset(self, after: int | None = None) -> Self:
        """Reset the connection. `after` as for `cut`."""
        return self._add(Ended(name="reset", ending=Ending.RESET, after=after))

    def error_event(
        self, status: int, after: int | None = None, *, message: str | None = None
    ) -> Self:
        """Report an error inside a stream of status 200, after so many events."""
        return self._add(ErrorEvent(refusal=Refusal(status=status, message=message), after=after))

    def slow(
        self,
        before_s: Seconds = 0.0,
        *,
        first_token_s: Seconds = 0.0,
        per_token_s: Seconds = 0.0,
    ) -> Self:
        """Take time: until the status line, from there to the first token, for each further one.

        Each is a number of seconds or a function of a seeded `random.Random`.
        """
        latency = Latency(before_s=before_s, first_token_s=first_token_s, per_token_s=per_token_s)
        self._steps.change(latency=latency)
        return self

    # How often

    def times(self, n: int) -> Self:
        """Have the step serve `n` requests, and no more."""
        if n < 1:
            raise MisuseError(f"`times` of {self} is {n}; expected 1 or more.")
        self._steps.change(times=n)
        return self

    @property
    def then(self) -> Self:
        """Begin the next step: what the request after those of this step gets."""
        if self._steps.last.is_empty:
            raise MisuseError(f"{self}: nothing is said before `then`; begin with say(...).")
        self._steps.begin()
        return self

    # What the gateway asks

    def find_mismatches(self, asked: Asked, call: int) -> tuple[str, ...]:
        """Return why the rule is not for this request; () if it is."""
        if not (asked.endpoint.is_generation or self.criteria.names_more_than_answers):
            return (f"endpoint is '{asked.endpoint}', which a rule has to name",)
        return find_mismatches(self._checks, asked, call)

    def matches(self, asked: Asked, call: int) -> bool:
        """Tell whether the rule is for this request."""
        if not (asked.endpoint.is_generation or self.criteria.names_more_than_answers):
            return False
        for _, check, value in self._checks:  # noqa: SIM110  a generator costs more than the check
            if not check(asked, call, value):
                return False
        return True

    @property
    def is_used_up(self) -> bool:
        """True when every step has served all its requests."""
        limit = self.limit
        return limit is not None and self.n_used >= limit

    @property
    def limit(self) -> int | None:
        """How many requests the rule serves; None for any number."""
        return self._steps.limit

    @property
    def n_expected(self) -> int:
        """How many requests it must have served by the end of the test."""
        return 0 if self.optional else self._steps.n_expected

    def take(self) -> Step:
        """Return the step for the next request, and count it."""
        self.n_used += 1
        return self._steps.find(self.n_used)

    def check(self) -> str | None:
        """Return what is missing of the rule, or None."""
        if self._steps.last.is_empty:
            return f"{self} says nothing; give it say(...), data(...), fail(...) or auto()."
        return None

    # How steps are put together

    def _says(self) -> tuple[Say, ...] | None:
        source = self._steps.last.source
        if source is None:
            return None
        if not isinstance(source, Fixed) or isinstance(source.answer, Refusal):
            raise self._refuse_second("answer")
        return source.answer

    def _set(self, source: Source) -> Self:
        self._steps.change(source=source)
        return self

    def _set_once(self, source: Source, word: str) -> Self:
        if self._steps.last.source is not None:
            raise self._refuse_second(word)
        return self._set(source)

    def _refuse_second(self, word: str) -> MisuseError:
        return MisuseError(
            f"{self}: `{word}` follows another answer in the same step. Put `.then` between two "
            "answers, or give a rule of its own to each."
        )

    def _add(self, fault: Fault) -> Self:
        self._steps.change(faults=(*self._steps.last.faults, fault))
        return self

    def _source_of(self, answer: AnswerLike | AnswerFunction, number: int) -> Source:
        if callable(answer) and not isinstance(answer, type):
            return Computed(answer)
        return Fixed(form_answer(answer, f"answer {number} of {self}"))
