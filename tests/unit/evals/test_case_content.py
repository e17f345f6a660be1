from __future__ import annotations

import decimal
import enum
import functools
import re
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pydantic
import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals.case_content import hash_data, read_content
from tierwise.evals.cases import gather_cases

if TYPE_CHECKING:
    from collections.abc import Callable


class Plain:
    """An object whose `repr` says nothing of what is in it."""

    def __init__(self, text: object) -> None:
        self.id = "one"
        self.text = text

    def __repr__(self) -> str:
        return "Plain"


class Slotted:
    """An object with a slot of its own name."""

    __slots__ = ("__text", "unset")

    def __init__(self, text: str) -> None:
        self.__text = text


class Model(pydantic.BaseModel):
    """A model that leaves fields out of its dumps."""

    id: str = "one"
    text: str = pydantic.Field(exclude=True)
    key: pydantic.SecretStr = pydantic.SecretStr("")
    _seen: str = pydantic.PrivateAttr(default="")


class Forgetful(Plain):
    """Its pickles leave out what a body may still ask."""

    def __getstate__(self) -> dict[str, object]:
        return {"id": self.id}


class Labelled(list[str]):
    """A list that carries something beside what is in it."""

    def __init__(self, label: str) -> None:
        super().__init__(["same"])
        self.label = label


@dataclass(frozen=True, slots=True)
class Field:
    """A dataclass that holds anything."""

    text: object


class Shade(enum.Enum):
    """Something with a value."""

    DARK = "a"


def with_private(text: str) -> Model:
    """Return a model that differs in a private attribute alone."""
    model = Model(text="")
    model._seen = text
    return model


def with_class_attribute(text: str) -> object:
    """Return an object whose class holds the text."""
    return type("Asked", (), {"id": "one", "text": text})()


def asking_for(text: str) -> Callable[[str], bool]:
    """Return a function that remembers the text."""
    return lambda answer: text in answer


@pytest.mark.parametrize(
    "make",
    [
        Plain,
        Slotted,
        Field,
        Forgetful,
        with_private,
        with_class_attribute,
        asking_for,
        re.compile,
        lambda text: Model(text=text),
        lambda text: Model(text="", key=pydantic.SecretStr(text)),
        lambda text: {"id": "one", "q": Plain(text)},
        lambda text: ({"q": [frozenset([Field(text)])]},),
        lambda text: deque([text]),
        lambda text: SimpleNamespace(text=text),
        lambda text: MappingProxyType({"text": text}),
        lambda text: functools.partial(print, text),
        Labelled,
        lambda text: {1 if text == "a" else "1": "same"},
        lambda text: {1: "x", "2": "y"} if text == "a" else {"1": "x", 2: "y"},
        lambda text: PurePosixPath("same") if text == "a" else "same",
        lambda text: b"a" if text == "a" else "61",
        lambda text: decimal.Decimal(ord(text)),
        lambda text: bytes(1000) + text.encode(),
    ],
)
def test_an_edit_of_any_part_is_seen(make: Callable[[str], Any]) -> None:
    """What a body can see of a case is its content, wherever it is kept."""
    one, two, again = (read_content(make(text)) for text in "aba")
    assert not one.unreadable
    assert hash_data(one.data) != hash_data(two.data)
    assert hash_data(one.data) == hash_data(again.data)


def test_tables_and_arrays_are_read_to_their_last_cell() -> None:
    """Their `repr` leaves out the middle, their content does not."""
    numpy = pytest.importorskip("numpy")
    one, two = numpy.zeros(5000), numpy.zeros(5000)
    two[2500] = 1
    assert hash_data(read_content(one).data) != hash_data(read_content(two).data)
    pandas = pytest.importorskip("pandas")
    tables = [pandas.DataFrame({"q": values}) for values in (one, two, one)]
    first, second, third = (hash_data(read_content({"t": table}).data) for table in tables)
    assert first != second
    assert first == third


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (threading.Lock, "lock"),
        (object, "object"),
        (lambda: (number for number in [1]), "generator"),
        (lambda: Plain(threading.Lock()), "lock"),
        (lambda: {"id": "one", "q": [object()]}, "object"),
    ],
)
def test_what_hides_its_content_is_named(make: Callable[[], Any], name: str) -> None:
    """Whether it was edited nobody can tell."""
    assert read_content(make()).unreadable == (name,)
    (case,) = gather_cases([{"id": "one", "q": make()}])
    assert case.unreadable == (name,)


def test_an_object_that_fails_to_show_itself_is_unreadable_and_no_error() -> None:
    """A broken `repr` or pickle of the user's ends nothing."""

    class Broken:
        """Refuses to be looked at."""

        def __reduce_ex__(self, _protocol: object) -> str:
            raise ValueError

        def __repr__(self) -> str:
            raise ValueError

    assert read_content([Broken()]).unreadable == (Broken.__qualname__,)


def test_a_value_that_holds_itself_is_read_once() -> None:
    """A parent that its child points back to is no endless content."""
    parent = Plain(None)
    parent.text = [parent, "a"]
    other = Plain(None)
    other.text = [other, "b"]
    assert not read_content(parent).unreadable
    assert read_content(parent).data != read_content(other).data


def test_equal_content_is_equal_whatever_made_it() -> None:
    """Enums count as their values, and neither order nor defaults that were named are content."""
    assert read_content(Shade.DARK).data == "a"
    assert read_content({1, 2, 3}).data == read_content({3, 2, 1}).data
    assert read_content(Model(text="a")).data == read_content(Model(text="a", id="one")).data
    assert read_content(10**5000).data == read_content(10**5000).data != 1


def test_a_list_in_itself_is_a_mistake() -> None:
    """So is what is nested deeper than anything can be read."""
    endless: list[object] = []
    endless.append({"q": (endless,)})
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    for value in (endless, deep):
        with pytest.raises(EvalUsageError, match=r"cases\[0\] contains itself, or is nested too"):
            gather_cases([{"id": "x", "q": value}])
    node = Plain(None)
    node.text = nodes = [node]
    assert not read_content(nodes).unreadable
