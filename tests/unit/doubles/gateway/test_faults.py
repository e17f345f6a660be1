"""What goes wrong on the wire, at each position, and how long it takes."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING

import pytest
from toy_vendor import DONE, ToyVendor, ask

from tierwise.doubles.gateway import Ending, Gateway, Latency
from tierwise.doubles.gateway.latency import draw_between, draw_normal
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.doubles.gateway import HttpResponse, Rule

WORDS = "one two three four five"
EVENTS = 6
"""One a word, and the end."""


def answer(begin: Callable[[Rule], object], *, stream: bool, seed: int = 0) -> HttpResponse:
    """Return what arrives by a rule."""
    toy = Gateway(vendors=[ToyVendor()], seed=seed)
    begin(toy.when())
    return toy.handle_now(ask("x", stream=stream))


@pytest.mark.parametrize("word", ["cut", "truncate", "stall", "reset"])
@pytest.mark.parametrize(("after", "kept"), [(0, 0), (2, 2), (None, EVENTS // 2)])
def test_a_stream_ends_after_so_many_events(word: str, after: int | None, kept: int) -> None:
    """The middle unless said; what was sent before is as it would have been."""
    whole = answer(lambda rule: rule.say(WORDS), stream=True)
    broken = answer(lambda rule: getattr(rule.say(WORDS), word)(after), stream=True)
    endings = {"cut": Ending.CUT, "stall": Ending.STALLED, "reset": Ending.RESET}
    assert broken.chunks == whole.chunks[:kept]
    assert broken.ending is endings.get(word, Ending.COMPLETE)
    assert whole.body.endswith(DONE)


@pytest.mark.parametrize("word", ["cut", "stall", "reset"])
def test_a_plain_body_ends_after_so_many_bytes(word: str) -> None:
    """Its length was told before, so that the client can see that something is missing."""
    whole = answer(lambda rule: rule.say(WORDS), stream=False)
    broken = answer(lambda rule: getattr(rule.say(WORDS), word)(7), stream=False)
    assert broken.body == whole.body[:7]
    assert dict(broken.headers)["content-length"] == str(len(whole.body))


def test_a_plain_body_that_is_truncated_cleanly_tells_its_own_length() -> None:
    """Only the JSON is not whole."""
    broken = answer(lambda rule: rule.say(WORDS).truncate(), stream=False)
    assert "content-length" not in dict(broken.headers)
    assert broken.ending is Ending.COMPLETE
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken.body)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("word", "ending"),
    [("cut", Ending.CUT), ("stall", Ending.STALLED), ("reset", Ending.RESET)],
)
def test_without_an_answer_there_is_no_status_line(
    word: str, ending: Ending, *, stream: bool
) -> None:
    """The connection breaks before anything is sent."""
    broken = answer(lambda rule: getattr(rule, word)(), stream=stream)
    assert (broken.status, broken.chunks, broken.ending) == (0, (), ending)


def test_a_malformed_body_is_no_json_under_a_good_status() -> None:
    """As a proxy that was cut off would send it."""
    broken = answer(lambda rule: rule.say(WORDS).malformed_body(), stream=False)
    assert broken.status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken.body)


@pytest.mark.parametrize("at", [0, 2, 99])
def test_a_malformed_chunk_is_one_event(at: int) -> None:
    """The others come as they would; a place beyond the end is the last one."""
    whole = answer(lambda rule: rule.say(WORDS), stream=True)
    broken = answer(lambda rule: rule.say(WORDS).malformed_chunk(at), stream=True)
    differ = [i for i in range(EVENTS) if broken.chunks[i] != whole.chunks[i]]
    assert differ == [min(at, EVENTS - 1)]
    data = broken.chunks[differ[0]].data
    assert data.startswith(b"data: ")
    assert data.endswith(b"\n\n")
    with pytest.raises(json.JSONDecodeError):
        json.loads(data.removeprefix(b"data: "))


def test_each_malformed_fault_serves_both_kinds_of_body() -> None:
    """A stream's body is its first event, a plain body is one chunk."""
    stream = answer(lambda rule: rule.say(WORDS).malformed_body(), stream=True)
    assert len(stream.chunks) == EVENTS
    with pytest.raises(json.JSONDecodeError):
        json.loads(stream.chunks[0].data.removeprefix(b"data: "))
    plain = answer(lambda rule: rule.say(WORDS).malformed_chunk(3), stream=False)
    with pytest.raises(json.JSONDecodeError):
        json.loads(plain.body)


def test_an_error_event_ends_a_stream_of_status_200() -> None:
    """After so many events, in the vendor's words."""
    broken = answer(lambda rule: rule.say(WORDS).error_event(529, after=2), stream=True)
    assert broken.status == 200
    assert len(broken.chunks) == 3
    assert broken.chunks[-1].data == b'event: error\ndata: {"error": 529}\n\n'


def test_an_error_event_is_a_plain_refusal_where_nothing_is_streamed() -> None:
    """The vendor has no other way to tell it."""
    assert answer(lambda rule: rule.say(WORDS).error_event(529), stream=False).status == 529


def test_a_fault_breaks_a_refusal_as_a_plain_body() -> None:
    """An error is no stream, whatever was asked for."""
    broken = answer(lambda rule: rule.fail(500).cut(4), stream=True)
    assert (broken.status, len(broken.body), broken.ending) == (500, 4, Ending.CUT)


def test_a_body_of_one_s_own_is_sent_as_it_is() -> None:
    """What a proxy says is no vendor's JSON."""
    broken = answer(lambda rule: rule.fail(502, body=b"<html>Bad gateway"), stream=False)
    assert (broken.status, broken.body) == (502, b"<html>Bad gateway")


def test_a_slow_stream_takes_its_time_to_the_first_token_and_for_each_one() -> None:
    """The status line, the first event, then the others."""
    slow = answer(
        lambda rule: rule.say(WORDS).slow(1.0, first_token_s=0.5, per_token_s=0.25), stream=True
    )
    assert slow.before_s == 1.0
    assert [chunk.after_s for chunk in slow.chunks] == [0.5] + [0.25] * 5


def test_a_plain_answer_takes_as_long_as_its_tokens() -> None:
    """All of it before the status line."""
    slow = answer(
        lambda rule: rule.say(WORDS).slow(1.0, first_token_s=0.5, per_token_s=0.25), stream=False
    )
    assert slow.before_s == pytest.approx(1.0 + 0.5 + 5 * 0.25)


def test_drawn_times_differ_and_repeat_with_the_seed() -> None:
    """A distribution is drawn from anew for each token, from the gateway's seed."""

    def slow(seed: int) -> list[float]:
        def begin(rule: Rule) -> Rule:
            return rule.say(WORDS).slow(per_token_s=lambda rng: rng.uniform(1, 2))

        return [chunk.after_s for chunk in answer(begin, stream=True, seed=seed).chunks[1:]]

    assert slow(1) == slow(1) != slow(2)
    assert len(set(slow(1))) == EVENTS - 1
    assert all(1 <= seconds <= 2 for seconds in slow(1))


def test_a_negative_draw_takes_no_time() -> None:
    """A normal distribution has a tail on that side."""
    response = answer(lambda rule: rule.say("a").slow(lambda _rng: -3.0), stream=False)
    assert response.before_s == 0.0


def test_the_gateway_s_own_latency_is_for_all_that_say_nothing_else() -> None:
    """A rule's goes first; refusals take time too."""
    toy = Gateway(vendors=[ToyVendor()], latency=Latency(before_s=2.0))
    toy.when().say("a").then.fail(500).then.say("b").slow(5.0)
    assert [toy.handle_now(ask("x")).before_s for _ in range(3)] == [2.0, 2.0, 5.0]


def test_bounds_and_spreads_that_no_time_has_are_refused() -> None:
    """Both ways to draw say what they expect."""
    rng = Random(1)
    assert 1 <= draw_between(1, 2)(rng) <= 2
    assert draw_normal(3, 0)(rng) == 3
    with pytest.raises(MisuseError, match=re.escape("0 <= low <= high")):
        draw_between(2, 1)
    with pytest.raises(MisuseError, match="0 or more"):
        draw_normal(-1, 1)
