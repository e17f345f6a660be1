"""Replies kept in a file: found again, never mixed up, and no trouble when the file is."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel, Field, RootModel

from tierwise.domain import Message, ToolCall, Usage
from tierwise.errors import MisuseError, StoreError
from tierwise.evals.caching import ReplyCache
from tierwise.evals.calling import Called, Caller
from tierwise.evals.listening import TrialProvider
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Request,
    SimulatedProvider,
    Tool,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ASK: Request[Any] = Request(messages=(Message(role="user", content="hi"),))


class Move(BaseModel):
    to: str = Field(alias="goal")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    """Open a cache in a folder that does not exist yet."""
    with ReplyCache.open(tmp_path / "state" / "cache.db") as opened:
        yield opened


def call(cache: ReplyCache, provider: Any, request: Request[Any] = ASK, **at: Any) -> Called[Any]:
    """Make one call, as trial 0 of case a of eval e unless said."""
    identity = at.pop("identity", "")
    caller = Caller(provider, cache=cache, identity=identity)
    place = {"eval_id": "e", "case_id": "a", "index": 0, "number": 0} | at
    return asyncio.run(caller.call(request, **place))


def replay(cache: ReplyCache, request: Request[Any] = ASK, **at: Any) -> Any:
    """Return what the cache gives; None when the provider had to be asked."""
    found = call(cache, MockProvider(["asked anew"], name="mock"), request, **at)
    return found.reply if found.source == "cache" else None


def test_a_reply_comes_back_whole_and_says_where_it_is_from(cache: ReplyCache) -> None:
    """Latency and usage are the first call's, and nothing was attempted or paid."""
    answer: Answer[Any] = Answer(
        text="fine \ud800",
        usage=Usage(input_tokens=3, output_tokens=2, cached_input_tokens=1, reasoning_tokens=1),
        model="m-1",
        latency_s=1.5,
    )
    first = call(cache, MockProvider([answer]))
    again = call(cache, MockProvider([]))
    assert (first.source, again.source) == ("live", "cache")
    assert again.reply == Answer(
        text="fine \ud800", usage=answer.usage, model="m-1", latency_s=1.5, source="cache"
    )
    assert (again.attempts, again.cost_usd, again.waited_s) == ((), 0.0, 0.0)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (Request(messages=ASK.messages, schema=Move), Move(goal="inn")),
        (Request(messages=ASK.messages, schema=RootModel[list[int]]), [1, 2]),
        (
            Request(messages=ASK.messages, tools=(Tool(name="look"),)),
            ToolCall(name="look", arguments={"at": ["chest", 1]}, id="t1"),
        ),
    ],
    ids=["aliased data", "a root model", "tool calls"],
)
def test_data_and_tool_calls_come_back(
    cache: ReplyCache, request_: Request[Any], answer: Any
) -> None:
    """As objects of the schema's class."""
    first = call(cache, MockProvider([answer]), request_).reply
    again = replay(cache, request_)
    assert again is not None
    assert (again.data, again.tool_calls) == (first.data, first.tool_calls)


@pytest.mark.parametrize(
    "at",
    [{"index": 1}, {"number": 1}, {"case_id": "b"}, {"eval_id": "f"}],
    ids=lambda at: next(iter(at)),
)
def test_repeats_are_independent(cache: ReplyCache, at: dict[str, Any]) -> None:
    """Another trial, call, case or eval with the same prompt asks anew."""
    call(cache, MockProvider(["one"]))
    assert replay(cache, **at) is None


def test_five_repeats_keep_five_replies(cache: ReplyCache) -> None:
    """And a second run gives each trial its own again."""
    provider = MockProvider([f"reply {n}" for n in range(5)])
    first = [call(cache, provider, index=n).reply.text for n in range(5)]
    again = [replay(cache, index=n).text for n in range(5)]
    assert first == again
    assert len(set(first)) == 5


@pytest.mark.parametrize(
    "changed",
    [
        {"messages": (Message(role="user", content="ho"),)},
        {"messages": (Message(role="system", content="hi"),)},
        {"schema": Move},
        {"tools": (Tool(name="look"),)},
        {"temperature": 0.5},
        {"max_tokens": 9},
        {"seed": 3},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_another_request_is_another_key(cache: ReplyCache, changed: dict[str, Any]) -> None:
    """Whatever of it reaches the model."""
    call(cache, MockProvider(["one"]))
    assert replay(cache, Request(**({"messages": ASK.messages} | changed))) is None


def test_a_tool_or_schema_that_changed_is_another_key(cache: ReplyCache) -> None:
    """The model reads descriptions too."""
    request = Request(messages=ASK.messages, tools=(Tool(name="look", description="a"),))
    call(cache, MockProvider(["one"]), request)
    assert replay(cache, request) is not None
    other = Request(messages=ASK.messages, tools=(Tool(name="look", description="b"),))
    assert replay(cache, other) is None


def test_another_provider_is_another_key(cache: ReplyCache) -> None:
    """By its identity: two settings of one model are two."""
    call(cache, MockProvider(["one"]), identity="big, n_ctx 2048")
    assert replay(cache, identity="big, n_ctx 4096") is None
    assert replay(cache, identity="big, n_ctx 2048") is not None


def test_labels_that_never_reach_the_model_are_no_part_of_the_key(cache: ReplyCache) -> None:
    """Renaming a purpose pays nothing again."""
    call(cache, MockProvider(["one"]))
    assert replay(cache, Request(messages=ASK.messages, purpose="judge", viewer="tom"))


def test_a_seed_that_follows_from_the_plan_is_no_part_of_the_key(cache: ReplyCache) -> None:
    """An eval whose scoring changes has other seeds, and keeps its replies."""
    caller = Caller(SimulatedProvider(), cache=cache)
    for seed in (1, 2):
        provider = TrialProvider(caller, seed=seed, eval_id="e", index=0, case_id="a")
        asyncio.run(provider.generate(ASK))
    assert provider.exchanges[0].source == "cache"


@pytest.mark.parametrize("kind", FailureKind)
def test_no_trouble_is_ever_kept(cache: ReplyCache, kind: FailureKind) -> None:
    """What the model itself did is kept, good or bad; what went wrong on the way is not.

    Asking anew only where the model failed would make it look better with each run.
    """
    failure = Failure(kind=kind, message="no", text="said")
    call(cache, MockProvider([failure]))
    again = replay(cache)
    assert (again is not None) == kind.is_scored
    if again is not None:
        assert (again.kind, again.text, again.message) == (kind, "said", "no")
    else:
        with pytest.raises(MisuseError, match=f"'{kind.value}'"):
            cache.keep("k", ASK, failure)


@pytest.mark.parametrize("value", [object(), (1, 2)], ids=["no JSON", "changed by JSON"])
def test_a_reply_that_could_not_come_back_is_not_kept(cache: ReplyCache, value: object) -> None:
    """A double may give arguments that no text could hold."""
    request = Request(messages=ASK.messages, tools=(Tool(name="look"),))
    wish = ToolCall(name="look", arguments={"at": value})
    call(cache, MockProvider([Answer(text="", tool_calls=(wish,))]), request)
    assert replay(cache, request) is None


def test_a_damaged_reply_is_asked_anew(cache: ReplyCache, tmp_path: Path) -> None:
    """A row that says nothing is no reply."""
    call(cache, MockProvider(["one"]))
    other = sqlite3.connect(tmp_path / "state" / "cache.db")
    other.execute("UPDATE replies SET body = substr(body, 1, 9)")
    other.commit()
    other.close()
    assert replay(cache) is None


def test_what_is_kept_first_stays(cache: ReplyCache) -> None:
    """Two processes that ask at once give the same from then on."""
    key = cache.key(ASK, identity="p", namespace=("e",))
    for text in ("first", "second"):
        cache.keep(key, ASK, Answer(text=text))
    found = cache.find(key, ASK)
    assert found is not None
    assert found.text == "first"


def test_it_outlives_its_process(tmp_path: Path) -> None:
    """A second run reads what the first one paid for."""
    for _ in range(2):
        with ReplyCache.open(tmp_path / "cache.db") as opened:
            found = call(opened, SimulatedProvider())
    assert found.source == "cache"


def test_two_processes_write_one_file(tmp_path: Path) -> None:
    """Nothing is lost and nobody is told that the file is locked."""
    script = textwrap.dedent("""
        import pathlib, sys
        from tierwise.domain import Message
        from tierwise.evals.caching import ReplyCache
        from tierwise.providers import Answer, Request
        request = Request(messages=(Message(role="user", content="hi"),))
        with ReplyCache.open(pathlib.Path(sys.argv[1])) as cache:
            for n in range(200):
                key = cache.key(request, identity=sys.argv[2], namespace=(n,))
                cache.keep(key, request, Answer(text=f"{sys.argv[2]} {n}"))
            print(cache.problem)
    """)
    path = tmp_path / "cache.db"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path), name], stdout=subprocess.PIPE, text=True
        )
        for name in "ab"
    ]
    assert [process.communicate(timeout=60)[0].strip() for process in running] == ["", ""]
    with ReplyCache.open(path) as cache:
        for name in "ab":
            keys = [cache.key(ASK, identity=name, namespace=(n,)) for n in range(200)]
            assert all(cache.find(key, ASK) for key in keys)


def no_database(path: Path) -> None:
    """Write something else."""
    path.write_bytes(b"this is no database, and long enough to be looked at" * 100)


def cut_short(path: Path) -> None:
    """Lose the end of the file, and with it what pages point at."""
    with ReplyCache.open(path) as cache:
        for n in range(2000):
            cache.keep(f"k{n}", ASK, Answer(text="x" * 500))
    path.write_bytes(path.read_bytes()[:8192])


@pytest.mark.parametrize("damage", [no_database, cut_short])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    """With words, and the run goes on."""
    path = tmp_path / "cache.db"
    damage(path)
    with ReplyCache.open(path) as cache:
        assert call(cache, MockProvider(["one"])).reply.text == "one"
        for n in range(2000):
            cache.find(f"k{n}", ASK)
        assert "was damaged" in cache.problem
        assert "set aside as cache.db.damaged-" in cache.problem
    assert len(list(tmp_path.glob("cache.db.damaged-*"))) >= 1
    with ReplyCache.open(path) as cache:
        assert cache.problem == ""
        call(cache, MockProvider(["one"]))
        assert replay(cache) is not None


def test_a_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """It is not ours to move."""
    path = tmp_path / "cache.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (n)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="another program"):
        ReplyCache.open(path)
    assert path.exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """At the start, with the way out."""
    (tmp_path / "state").write_text("a file, no folder")
    with pytest.raises(StoreError, match="run without --cache"):
        ReplyCache.open(tmp_path / "state" / "cache.db")


def test_a_file_that_fails_in_the_middle_costs_no_trial(tmp_path: Path) -> None:
    """The run goes on without it, and says so."""
    with ReplyCache.open(tmp_path / "cache.db", busy_timeout_s=0.01) as cache:
        blocker = sqlite3.connect(tmp_path / "cache.db", isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        assert call(cache, MockProvider(["one"])).reply.text == "one"
        blocker.execute("ROLLBACK")
        blocker.close()
        assert "locked" in cache.problem
        assert "went on without it" in cache.problem
        assert replay(cache) is None
