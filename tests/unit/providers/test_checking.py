from __future__ import annotations

import pytest
from pydantic import BaseModel, field_validator

from tierwise.domain import Message
from tierwise.errors import MisuseError
from tierwise.providers import Failure, FailureKind, Request
from tierwise.providers.checking import failure_of, parse_reply, refuse


class Move(BaseModel):
    to: str
    minutes: int = 0
    fast: bool = False


def ask(**changes: object) -> Request[Move]:
    fields: dict[str, object] = {"messages": (Message(role="user", content="go"),)}
    return Request(**(fields | changes))  # type: ignore[arg-type]


def reject(text: str, schema: type[BaseModel] = Move) -> Failure:
    reply = parse_reply(text, schema)
    assert isinstance(reply, Failure)
    return reply


def test_valid_json_becomes_an_instance() -> None:
    """Text that keeps the schema is returned as data."""
    assert parse_reply(' {"to": "inn", "minutes": 5}\n', Move) == Move(to="inn", minutes=5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "Sure! {}",
        '{"to": "inn"',
        "{'to': 'inn'}",
        '{"to": NaN}',
        '{"to": "\\ud800"',
        "[" * 100000,
        '{"to": "inn"} {"to": "inn"}',
        "```json\n{}\n```",
        '{"to": "' + chr(0xD800) + '"}',
    ],
)
def test_no_json_is_malformed(text: str) -> None:
    """What no JSON parser takes is malformed, with its text kept and not quoted."""
    failure = reject(text)
    assert failure.kind is FailureKind.MALFORMED
    assert failure.text == text
    assert len(failure.message) < 120


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("{}", "'to'"),
        ("[]", "the whole reply"),
        ("null", "the whole reply"),
        ('{"to": null}', "'to'"),
        ('{"to": "inn", "minutes": "5"}', "'minutes'"),
        ('{"to": "inn", "minutes": 1.5}', "'minutes'"),
        ('{"to": "inn", "fast": 1}', "'fast'"),
    ],
)
def test_json_of_another_shape_is_a_mismatch(text: str, field: str) -> None:
    """JSON that breaks the schema is a mismatch that names the field; types are strict."""
    failure = reject(text)
    assert failure.kind is FailureKind.SCHEMA_MISMATCH
    assert field in failure.message
    assert failure.text == text


def test_a_mismatch_never_quotes_what_was_said() -> None:
    """The message of a mismatch has no value from the reply."""
    failure = reject('{"to": ["poison"], "minutes": "poison"}')
    assert "poison" not in failure.message
    assert "poison" in failure.text


def test_many_problems_are_counted() -> None:
    """Beyond three problems the rest is counted, so that a message stays readable."""

    class Four(BaseModel):
        a: int
        b: int
        c: int
        d: int

    assert reject("{}", Four).message.endswith("and 1 more.")


def test_a_rule_of_the_project_counts_too() -> None:
    """A validator of the schema decides like its types."""

    class Even(BaseModel):
        n: int

        @field_validator("n")
        @classmethod
        def _even(cls, n: int) -> int:
            if n % 2:
                raise ValueError("must be even")
            return n

    assert "must be even" in reject('{"n": 3}', Even).message


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"messages": ()}, "messages"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"temperature": -0.1}, "temperature"),
    ],
)
def test_an_impossible_request_is_refused(changes: dict[str, object], word: str) -> None:
    """A request that no model can serve is a bad request that names the parameter."""
    failure = refuse(ask(**changes))
    assert failure is not None
    assert failure.kind is FailureKind.BAD_REQUEST
    assert word in failure.message


def test_a_possible_request_is_not_refused() -> None:
    """Zero temperature and one token are fine."""
    assert refuse(ask(temperature=0.0, max_tokens=1, schema=Move)) is None


@pytest.mark.parametrize("schema", [dict, Move(to="inn"), "Move"])
def test_a_schema_that_is_no_model_raises(schema: object) -> None:
    """A schema that is no pydantic class is an error of the program, and raised."""
    with pytest.raises(MisuseError, match="pydantic"):
        refuse(ask(schema=schema))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError(), FailureKind.TIMEOUT),
        (ConnectionResetError(), FailureKind.UNAVAILABLE),
        (ValueError(), None),
    ],
)
def test_only_the_wire_s_exceptions_are_failures(
    error: Exception, kind: FailureKind | None
) -> None:
    """Timeouts and broken connections stand for failures, other exceptions for nothing."""
    failure = failure_of(error)
    assert (failure and failure.kind) == kind
