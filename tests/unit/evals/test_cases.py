from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

import pydantic
import pytest
from hypothesis import given, settings, strategies as st

from tierwise.errors import EvalUsageError
from tierwise.evals.case_list import CaseList
from tierwise.evals.cases import gather_cases, hash_content, hash_rows


@dataclass(frozen=True)
class Secret:
    """A case as users write them."""

    value: str
    viewers: frozenset[str] = frozenset()


class Question(pydantic.BaseModel):
    """A case as a pydantic model."""

    text: str
    id: str | None = None


class Opaque:
    """A case whose content cannot be read."""


def test_strings_are_their_own_ids() -> None:
    """Short texts stay readable."""
    assert [case.id for case in gather_cases(["one", "two words"])] == ["one", "two words"]


def test_a_long_or_broken_text_gets_a_short_id_with_a_hash() -> None:
    """Ids fit a table and stay apart."""
    first, second = gather_cases(["x" * 200 + "1", "x" * 200 + "2"])
    assert len(first.id) <= 48
    assert first.id != second.id
    (line,) = gather_cases(["two\nlines"])
    assert line.id.startswith("two lines-")


def test_numbers_dicts_models_and_dataclasses_have_ids_from_content() -> None:
    """The same content has the same id in every process; other content another."""
    values: list[Any] = [3, {"q": 1}, {"q": 2}, Question(text="a"), Secret(value="a")]
    ids = [case.id for case in gather_cases(values)]
    assert ids == [case.id for case in gather_cases(values)]
    assert len(set(ids)) == 5
    assert ids[0] == "3"
    assert ids[1].startswith("dict-")
    assert ids[3].startswith("question-")


def test_an_id_of_the_users_wins() -> None:
    """An attribute or a key `id` names the case."""
    cases = gather_cases([Question(text="a", id="q1"), {"id": 7, "text": "b"}])
    assert [case.id for case in cases] == ["q1", "7"]


def test_the_value_is_handed_on_as_it_is() -> None:
    """The body gets the very object that was declared."""
    secret = Secret(value="a")
    (case,) = gather_cases([secret])
    assert case.value is secret


def test_a_generator_is_used_up_once() -> None:
    """Cases may be computed."""
    assert [case.id for case in gather_cases(str(n) for n in range(3))] == ["0", "1", "2"]


def test_duplicates_are_refused_with_both_places() -> None:
    """Trials of one case are `trials`, never the case twice."""
    with pytest.raises(EvalUsageError, match=r"cases\[2\] has the id 'a'.*cases\[0\]"):
        gather_cases(["a", "b", "a"])
    with pytest.raises(EvalUsageError, match="'q'"):
        gather_cases([{"id": "q", "x": 1}, {"id": "q", "x": 2}])


@pytest.mark.parametrize("make", [dict, list, Question.model_validate, tuple])
def test_the_same_content_twice_is_refused_without_an_id(make: Any) -> None:
    """Nobody counts one input as two."""
    with pytest.raises(EvalUsageError, match=r"cases\[1\] has the id .*cases\[0\]"):
        gather_cases([make({"text": "a"}), make({"text": "a"})])


def test_ids_of_a_file_go_with_their_cases() -> None:
    """A field that names cases wins over what the content would give."""
    cases = gather_cases(CaseList([{"id": 1, "q": "a"}, {"q": "b"}], ids=["first", "second"]))
    assert [case.id for case in cases] == ["first", "second"]


@pytest.mark.parametrize("given", ["", " \n"])
def test_an_empty_id_is_refused(given: str) -> None:
    """It names nothing, and is most often a value that is missing."""
    with pytest.raises(EvalUsageError, match=r"cases\[1\] has the id .*visible character"):
        gather_cases([{"id": "a"}, {"id": given}])


def test_two_contents_whose_short_hashes_agree_are_two_cases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Among many thousand cases some share eight digits; that is no duplicate."""
    hashes = {"[{'q': 1}]": "0" * 8 + "1" * 56, "[{'q': 2}]": "0" * 8 + "2" * 56}
    monkeypatch.setattr("tierwise.evals.cases.hash_data", lambda data: hashes[str(data)])
    first, second = gather_cases([{"q": 1}, {"q": 2}])
    assert first.id == "dict-00000000"
    assert second.id == "dict-00000000" + "2" * 16
    with pytest.raises(EvalUsageError, match="has the id"):
        gather_cases([{"q": 1}, {"q": 2}, {"q": 2}])


@pytest.mark.parametrize("cases", ["text", b"bytes", {"a": 1}, 3, None])
def test_something_that_is_no_collection_of_cases_is_refused(cases: object) -> None:
    """A single text is not a list of letters."""
    with pytest.raises(EvalUsageError, match="expected several cases"):
        gather_cases(cases)


def test_an_object_without_readable_content_needs_an_id() -> None:
    """An address in memory is no stable id."""
    with pytest.raises(EvalUsageError, match="content cannot be read"):
        gather_cases([Opaque()])
    with pytest.raises(EvalUsageError, match="content cannot be read"):
        gather_cases([lambda: None])


def test_the_content_is_hashed_beside_an_id_of_the_users() -> None:
    """An edited case keeps its id and loses its results."""
    (before,) = gather_cases([{"id": "q", "text": "a"}])
    (after,) = gather_cases([{"id": "q", "text": "b"}])
    assert before.id == after.id
    assert before.content != after.content


def test_equal_content_hashes_alike_whatever_its_order() -> None:
    """Order of keys and of sets does not matter, order of lists does."""

    class Colour(Enum):
        """Something with a value."""

        RED = "red"

    assert hash_content({"a": 1, "b": {2, 3}}) == hash_content({"b": {3, 2}, "a": 1})
    assert hash_content([1, 2]) != hash_content([2, 1])
    assert hash_content(Colour.RED) == hash_content("red")
    assert hash_content(PurePosixPath("a/b")) != hash_content("a/b")
    assert hash_content(b"\x01") != hash_content("01")


@settings(deadline=None)
@given(st.lists(st.text(), unique=True, min_size=1))
def test_any_texts_make_cases_or_are_refused_as_duplicates(texts: list[str]) -> None:
    """Ids are unique whenever cases come back, one for each value."""
    try:
        cases = gather_cases(texts)
    except EvalUsageError as error:
        assert "has the id" in str(error)  # noqa: PT017  both ends are allowed
    else:
        assert len({case.id for case in cases}) == len(texts)


def test_an_id_can_be_kept_in_a_file() -> None:
    """Half a surrogate is written out, in an id and in a text that becomes one."""
    given, made = gather_cases([{"id": "a\ud800"}, "b\ud800"])
    assert given.id == "a\\ud800"
    assert made.id.encode()


@pytest.mark.parametrize("rows", [[], [("a", 1)], [("a", 1), ("b \udc80 é", 2), ("c", 3)]])
def test_rows_that_come_one_by_one_have_the_hash_of_all_together(
    rows: list[tuple[str, int]],
) -> None:
    """A plan is found again whichever way its cases were hashed."""
    parts = ("definition", [{"b": 1, "a": 2}])
    assert hash_rows(parts, iter(rows)) == hash_content(*parts, rows)
