"""What the journal shows of a client."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from toy_vendor import ToyVendor, ask

from tierwise.doubles.gateway import Gateway
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.doubles.gateway import Rule


class Client:
    """Asks a toy gateway, at times that a test chooses."""

    def __init__(self, begin: Callable[[Rule], object]) -> None:
        self.now = 0.0
        self.gateway = Gateway(vendors=[ToyVendor()], clock=lambda: self.now)
        begin(self.gateway.when())

    def ask(self, *says: Any, after_s: float = 0.0, **more: Any) -> None:
        """Make a request, some time after the one before."""
        self.now += after_s
        key = more.pop("key", None)
        http = ask(*(says or ("x",)), **more)
        if key is not None:
            http = replace(http, headers={**http.headers, "authorization": key})
        self.gateway.handle_now(http)

    def kinds(self, **how: Any) -> list[str]:
        """Return the kinds of all verdicts."""
        return [str(verdict.kind) for verdict in self.gateway.verdicts(**how)]


def test_a_client_that_is_answered_did_nothing_wrong() -> None:
    """So did one that asks the same twice and is answered twice."""
    client = Client(lambda rule: rule.say("a"))
    client.ask()
    client.ask()
    assert client.kinds() == []
    client.gateway.expect_good_client()


@pytest.mark.parametrize(("waited_s", "kinds"), [(2.0, []), (1.5, ["retry_after_ignored"])])
def test_a_retry_waits_as_long_as_it_was_told(waited_s: float, kinds: list[str]) -> None:
    """Not a moment less; clocks are given a little."""
    client = Client(lambda rule: rule.fail(429, retry_after_s=2).then.say("a"))
    client.ask()
    client.ask(after_s=waited_s)
    assert client.kinds() == kinds


def test_the_wait_is_told_in_milliseconds_too() -> None:
    """The header that some vendors send goes first."""
    headers = [("retry-after-ms", "1500"), ("retry-after", "9")]
    client = Client(lambda rule: rule.fail(503, headers=headers).then.say("a"))
    client.ask()
    client.ask(after_s=1.5)
    assert client.kinds() == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_never_helps_is_not_asked_again(status: int) -> None:
    """One request is enough to learn it."""
    client = Client(lambda rule: rule.fail(status))
    client.ask()
    assert client.kinds() == []
    client.ask()
    assert client.kinds() == ["retried_non_retryable"]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_what_may_help_is_asked_again(status: int) -> None:
    """A client that leaves it at one attempt gave up."""
    client = Client(lambda rule: rule.fail(status).then.say("a"))
    client.ask()
    assert client.kinds() == ["gave_up"]
    client.ask()
    assert client.kinds() == []


def test_the_vendor_s_own_word_on_retries_decides() -> None:
    """`x-should-retry` goes before the status."""
    told = Client(lambda rule: rule.fail(500, headers=[("x-should-retry", "false")]))
    told.ask()
    assert told.kinds() == []
    told.ask()
    assert told.kinds() == ["retried_non_retryable"]


def test_many_attempts_in_vain_are_a_storm() -> None:
    """More than five, unless said."""
    client = Client(lambda rule: rule.fail(500).times(9).then.say("a"))
    for _ in range(5):
        client.ask()
    assert client.kinds() == ["gave_up"]
    assert client.kinds(most_attempts=4) == ["retry_storm", "gave_up"]
    client.ask()
    assert client.kinds() == ["retry_storm", "gave_up"]


def test_an_answer_ends_the_count_of_attempts() -> None:
    """The same request later is another one."""
    client = Client(
        lambda rule: rule.fail(500).times(3).then.say("a").then.fail(500).times(3).then.say("a")
    )
    for _ in range(8):
        client.ask()
    assert client.kinds() == []


@pytest.mark.parametrize("word", ["cut", "reset", "stall", "malformed_body", "malformed_chunk"])
def test_a_broken_answer_is_asked_for_again(word: str) -> None:
    """Or the client gave up."""
    client = Client(lambda rule: getattr(rule.say("a b c"), word)().then.say("a b c"))
    client.ask(stream=True)
    assert client.kinds() == ["gave_up"]
    client.ask(stream=True)
    assert client.kinds() == []


def test_an_error_inside_a_stream_is_a_failure() -> None:
    """Its status of 200 makes no answer of it."""
    client = Client(lambda rule: rule.say("a b").error_event(529))
    client.ask(stream=True)
    assert client.kinds() == ["gave_up"]


def test_a_stream_that_ended_early_is_not_taken_for_an_answer() -> None:
    """Without the test's word the journal cannot tell whether the client told its caller."""
    client = Client(lambda rule: rule.say("a b c").truncate().then.say("a b c"))
    client.ask(stream=True)
    (verdict,) = client.gateway.verdicts()
    assert (verdict.kind, verdict.is_certain) == ("truncated_stream_accepted", False)
    assert client.kinds(raised=True) == []
    (verdict,) = client.gateway.verdicts(raised=False)
    assert verdict.is_certain
    client.ask(stream=True)
    assert client.kinds() == []


def test_going_on_from_half_an_answer_proves_that_it_was_accepted() -> None:
    """The turns that were asked before stand in the next request."""
    client = Client(lambda rule: rule.say("a b c").truncate().then.say("d"))
    client.ask("x", stream=True)
    client.ask("x", ["assistant", "a b"], "y", stream=True)
    (verdict,) = client.gateway.verdicts()
    assert verdict.is_certain
    assert verdict.numbers == (1, 2)
    assert "request 2 goes on from there" in str(verdict)


def test_half_a_plain_body_is_no_stream() -> None:
    """No client can read it as an answer: it failed, and was not asked for again."""
    client = Client(lambda rule: rule.say("a b c").truncate())
    client.ask()
    assert client.kinds() == ["gave_up"]


def test_different_requests_are_no_attempts_of_one_another() -> None:
    """One was refused for good, another was asked."""
    client = Client(lambda rule: rule.fail(400))
    client.ask("x")
    client.ask("y")
    assert client.kinds() == []


def test_a_client_that_falls_back_to_another_model_did_not_give_up() -> None:
    """It put the same question elsewhere; the last place that failed counts."""
    client = Client(lambda rule: rule.fail(503).then.fail(503).then.say("a"))
    client.ask()
    client.ask(model="toy-2")
    (verdict,) = client.gateway.verdicts()
    assert (verdict.kind, verdict.numbers) == ("gave_up", (2,))
    client.ask(model="toy-3")
    assert client.kinds() == []


def test_another_question_to_another_model_is_no_fallback() -> None:
    """The first one was given up."""
    client = Client(lambda rule: rule.fail(503).then.say("a"))
    client.ask("x")
    client.ask("y", model="toy-2")
    assert client.kinds() == ["gave_up"]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_another_key_may_be_let_through(status: int) -> None:
    """The refusal was about the key."""
    client = Client(lambda rule: rule.fail(status).then.say("a"))
    client.ask()
    client.ask(key="Bearer other")
    assert client.kinds() == []


def test_another_key_does_not_mend_a_mistake() -> None:
    """What is wrong with the request itself stays wrong."""
    client = Client(lambda rule: rule.fail(400).then.say("a"))
    client.ask()
    client.ask(key="Bearer other")
    assert client.kinds() == ["retried_non_retryable"]


@pytest.mark.parametrize("word", ["code", "type"])
def test_an_account_that_is_used_up_is_not_asked_again(word: str) -> None:
    """No wait mends a spent quota, though its status is that of a rate limit."""
    body = json.dumps({"error": {word: "insufficient_quota"}}).encode()
    client = Client(lambda rule: rule.fail(429, body=body).then.say("a"))
    client.ask()
    assert client.kinds() == []
    client.ask()
    assert client.kinds() == ["retried_non_retryable"]


def test_another_question_waits_as_well() -> None:
    """The limit is the key's for the model, whatever is asked."""
    client = Client(lambda rule: rule.fail(429, retry_after_s=2).then.say("a").times(3))
    client.ask("x")
    client.ask("y", after_s=1)
    client.ask("x", after_s=1)
    (verdict,) = client.gateway.verdicts()
    assert (verdict.kind, verdict.numbers) == ("retry_after_ignored", (1, 2))
    assert verdict.is_certain


def test_what_is_asked_at_the_same_moment_may_have_been_on_its_way() -> None:
    """A client that asks much at once cannot know of the refusal yet."""
    client = Client(lambda rule: rule.fail(429, retry_after_s=2).then.say("a"))
    client.ask("x")
    client.ask("y")
    client.ask("x", after_s=2)
    (verdict,) = client.gateway.verdicts()
    assert (verdict.kind, verdict.is_certain) == ("retry_after_ignored", False)


@pytest.mark.parametrize("other", [{"model": "toy-2"}, {"key": "Bearer other"}])
def test_another_model_or_key_need_not_wait(other: dict[str, str]) -> None:
    """Each has a limit of its own."""
    client = Client(lambda rule: rule.fail(429, retry_after_s=2).then.say("a"))
    client.ask("x")
    client.ask("y", after_s=1, **other)
    client.ask("x", after_s=1)
    assert client.kinds() == []


def test_verdicts_fail_a_test_unless_they_are_allowed() -> None:
    """Those that are not certain as well: could not tell is not fine."""
    client = Client(lambda rule: rule.say("a b").truncate().then.fail(500))
    client.ask(stream=True)
    client.ask("y")
    with pytest.raises(AssertionError, match="cannot be told from the journal alone"):
        client.gateway.expect_good_client(allow=["gave_up"])
    client.gateway.expect_good_client(allow=["gave_up"], raised=True)
    with pytest.raises(MisuseError, match=re.escape("Did you mean 'gave_up'")):
        client.gateway.expect_good_client(allow=["give_up"])
