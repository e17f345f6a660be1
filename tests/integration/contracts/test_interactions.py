"""What a consumer asked of a double, kept in a file and asked of the real side."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.contracts import record_interactions, same_type, verify_interactions
from tierwise.domain import Message
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass
class Shelf:
    """The double; what its real side does otherwise is in its subclasses."""

    name: str = "shelf"
    books: list[str] = field(default_factory=list)

    def put(self, book: str, *, key: str = "") -> int:
        """Take a book and say how many there are."""
        self.books.append(book)
        return len(self.books)

    def take(self) -> str:
        """Give the last book."""
        return self.books.pop()

    async def order(self, message: Message) -> Message:
        """Say what was ordered."""
        return Message(role="assistant", content=f"ordered {message.content}")

    def __len__(self) -> int:
        return len(self.books)


def fill(shelf: Shelf) -> None:
    shelf.put("a", key="key-4711")
    len(shelf)


async def order(shelf: Shelf) -> str:
    return (await shelf.order(Message(role="user", content="b"))).content


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """Give a place for a file of interactions."""
    return tmp_path / "shelf.json"


def record(file: Path, description: str = "it fills", **more: Any) -> None:
    with record_interactions(Shelf(), file, description, **more) as shelf:
        assert isinstance(shelf, Shelf)
        fill(shelf)


def verify(file: Path, real: Any = Shelf, **more: Any) -> tuple[str, list[str]]:
    report = verify_interactions(file, real, **more)
    return report.verdict.value, report.render().splitlines()


def test_the_real_side_that_answers_alike_is_proven(file: Path) -> None:
    """Calls, operators and attributes are asked again, in order, of a fresh one."""
    with record_interactions(Shelf(), file, "it is used") as shelf:
        fill(shelf)
        assert shelf.name == "shelf"
        shelf.name = "other"
        assert shelf.take() == "a"
        with pytest.raises(IndexError):
            shelf.take()
    assert verify(file) == ("proven", ["passed it is used"])
    calls = [
        list(one)[0:1] for one in json.loads(file.read_text())["scenarios"][0]["interactions"]
    ]
    assert calls == [["call"], ["call"], ["get"], ["set"], ["call"], ["call"]]


def test_each_difference_is_shown_by_call_and_place(file: Path) -> None:
    """Another answer, another exception, none, and a method that is not there."""

    class Other(Shelf):
        def put(self, book: str, *, key: str = "") -> int:
            return 7

        def take(self) -> str:
            raise LookupError("empty")

    with record_interactions(Shelf(), file, "it is used") as shelf:
        fill(shelf)
        shelf.take()
        with pytest.raises(IndexError):
            shelf.take()
    verdict, lines = verify(file, Other)
    assert verdict == "refuted"
    assert lines == [
        "failed it is used",
        "    1. put $: 7, expected 1",
        "    2. __len__ $: 0, expected 1",
        "    3. take: it raised LookupError('empty'), expected an answer",
        "    4. take: it raised LookupError('empty'), expected builtins:IndexError",
    ]
    assert verify(file, dict)[0] == "refuted"

    class Silent(Shelf):
        def take(self) -> Any:
            return self.books.pop() if self.books else None

    assert verify(file, Silent)[1][1:] == [
        "    4. take: it answered, expected builtins:IndexError"
    ]


def test_an_exception_of_a_subclass_is_as_good(file: Path) -> None:
    """Whoever catches what the double raised catches what the real side raises."""

    class EmptyError(IndexError):
        pass

    class Real(Shelf):
        def take(self) -> str:
            raise EmptyError

    with record_interactions(Shelf(), file, "it is empty") as shelf, pytest.raises(IndexError):
        shelf.take()
    assert verify(file, Real)[0] == "proven"
    with pytest.raises(IndexError), record_interactions(Shelf(), file, "it fails") as shelf:
        shelf.take()
    assert len(json.loads(file.read_text())["scenarios"]) == 1


def test_coroutines_are_asked_in_a_loop(file: Path) -> None:
    """Recorded as awaited, verified as awaited; a real side made by a coroutine as well."""

    async def record_it() -> None:
        with record_interactions(Shelf(), file, "it orders") as shelf:
            assert await order(shelf) == "ordered b"

    asyncio.run(record_it())

    async def make() -> Shelf:
        return Shelf()

    class Other(Shelf):
        async def order(self, message: Message) -> Message:
            return message

    class AtOnce(Shelf):
        def order(self, message: Message) -> Any:
            return message

    assert verify(file)[0] == verify(file, make)[0] == "proven"
    assert verify(file, Other)[1][1:] == [
        "    1. order $.role: 'user', expected 'assistant'",
        "    1. order $.content: 'b', expected 'ordered b'",
    ]
    assert verify(file, AtOnce)[1][1:] == ["    1. order: it is answered at once and was awaited"]


def test_a_double_that_answers_at_once_is_not_one_of_a_coroutine(file: Path) -> None:
    """The real side has to be awaited where the double was not."""

    class Later(Shelf):
        async def take(self) -> str:  # type: ignore[override]
            return "a"

    with record_interactions(Shelf(books=["a"]), file, "it gives") as shelf:
        shelf.take()
    assert verify(file, Later)[1][1:] == ["    1. take: it has to be awaited"]


def test_matchers_stand_in_for_values_that_differ(file: Path) -> None:
    """By type: another number is as good, a text is not. A matcher for no call is refused."""
    record(file, match={"put": {"$": same_type()}})

    class Real(Shelf):
        def put(self, book: str, *, key: str = "") -> Any:
            super().put(book)
            return self.name if self.name != "shelf" else 99

    assert verify(file, Real)[0] == "proven"
    assert verify(file, lambda: Real(name="x"))[1][1:] == [
        "    1. put $: 'x' is a string, expected a number"
    ]
    with pytest.raises(MisuseError, match="match speaks of 'puts', which was not called"):
        record(file, match={"puts": {"$": same_type()}})


def test_secrets_are_masked_and_put_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A named secret goes back in; one that only the environment knew is unobservable."""
    record(file, secrets={"key": "key-4711"})
    assert "key-4711" not in file.read_text()
    assert "[masked key]" in file.read_text()
    seen: list[str] = []

    class Real(Shelf):
        def put(self, book: str, *, key: str = "") -> int:
            seen.append(key)
            return super().put(book)

    assert verify(file, Real, secrets={"key": "key-5000"})[0] == "proven"
    assert seen == ["key-5000"]
    verdict, lines = verify(file, Real)
    assert verdict == "undecided"
    assert lines == [
        "unobservable it fills: put holds a secret that was masked. Name it in secrets=."
    ]
    monkeypatch.setenv("SHELF_API_KEY", "key-4711")
    record(file)
    assert "key-4711" not in file.read_text()


def test_scenarios_are_kept_by_their_description(file: Path) -> None:
    """Recording again replaces the scenario; the same again touches nothing."""
    record(file, "first")
    record(file, "second")
    before = file.stat().st_mtime_ns
    record(file, "first")
    assert file.stat().st_mtime_ns == before
    with record_interactions(Shelf(), file, "first") as shelf:
        len(shelf)
    kept = json.loads(file.read_text())["scenarios"]
    assert [(one["description"], len(one["interactions"])) for one in kept] == [
        ("first", 1),
        ("second", 2),
    ]
    assert [path.name for path in file.parent.iterdir()] == ["shelf.json"]


def test_a_scenario_begins_in_its_state(file: Path) -> None:
    """The real side is brought there first; a state that nobody knows is refused."""
    with record_interactions(Shelf(books=["a"]), file, "it gives", given="a book is there") as it:
        it.take()

    def fill_up(shelf: Shelf) -> None:
        shelf.books.append("a")

    assert verify(file, given={"a book is there": fill_up})[0] == "proven"
    assert verify(file, given={"a book is there": lambda _: None})[0] == "refuted"
    with pytest.raises(MisuseError, match=r"state 'a book is there'.*given="):
        verify(file, given={"a book": fill_up})


def test_what_could_not_be_told_is_no_proof(file: Path) -> None:
    """A real side that can't be made, or prepared, is an error and undecided."""
    record(file)

    def make() -> Shelf:
        raise OSError("no such database")

    assert verify(file, make) == ("undecided", ["error it fills: OSError: no such database"])


def test_what_checks_nothing_is_refused(file: Path) -> None:
    """Nothing asked, nothing recorded, no file, another file: each says what to do."""
    with (
        pytest.raises(MisuseError, match="nothing was asked"),
        record_interactions(Shelf(), file, "idle"),
    ):
        pass
    assert not file.exists()
    with pytest.raises(MisuseError, match=r"can't be read.*Record it first"):
        verify(file)
    for text, complaint in [
        ("{", "is no file of interactions"),
        ('{"tierwise_interactions": 2, "scenarios": []}', "of version 2"),
        ('{"tierwise_interactions": 1, "scenarios": []}', "holds no interactions"),
        (
            '{"tierwise_interactions": 1, "scenarios": [{"interactions": [{}]}]}',
            "is no file of interactions",
        ),
    ]:
        file.write_text(text)
        with pytest.raises(MisuseError, match=complaint):
            verify(file)


def test_an_argument_that_no_file_can_hold_is_refused(file: Path) -> None:
    """The call is named, and what can be held."""
    with (
        pytest.raises(MisuseError, match=r"put\(\.\.\.\) was given a builtins:object"),
        record_interactions(Shelf(), file, "odd") as shelf,
    ):
        shelf.put(object())  # type: ignore[arg-type]
    assert not file.exists()


def test_a_function_is_a_double_too(file: Path) -> None:
    """What is called itself is recorded by its call."""
    with record_interactions(lambda x: x + 1, file, "it counts") as count:
        assert count(1) == 2
    assert verify(file, lambda: lambda x: x + 1)[0] == "proven"
    assert verify(file, lambda: lambda x: x)[1][1:] == ["    1. __call__ $: 1, expected 2"]
