from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from tierwise.errors import EvalUsageError, MissingExtraError
from tierwise.evals.case_models import make_validator
from tierwise.evals.case_rows import Row, read_rows

CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
VALUE = st.none() | st.booleans() | st.integers() | CELL | st.lists(CELL, max_size=2)


def rows(text: str | bytes, kind: str = ".jsonl") -> list[tuple[str, Any]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(row.where, row.fields) for row in read_rows(data, kind, "cases")]


def refusal(text: str | bytes, kind: str = ".jsonl") -> str:
    with pytest.raises(EvalUsageError) as refused:
        rows(text, kind)
    return str(refused.value)


class Part(BaseModel):
    """Something nested."""

    name: str


class Question(BaseModel):
    """A case as a pydantic model."""

    question: str
    people: int = 0
    parts: list[Part] = []


@dataclass(frozen=True)
class Plain:
    """A case as a dataclass."""

    question: str
    tags: frozenset[str] = field(default_factory=frozenset)


def make(model: Any, fields: dict[str, Any], *, is_text: bool = False) -> Any:
    return make_validator(model, "cases", is_text=is_text)(Row(where="line 3", fields=fields))


def test_the_four_formats_give_the_same_rows() -> None:
    """Each row knows where it stands."""
    wanted = [{"q": "a", "n": 1}, {"q": "b", "n": 2}]
    as_jsonl = "\n".join(map(json.dumps, wanted))
    assert rows(as_jsonl) == [("line 1", wanted[0]), ("line 2", wanted[1])]
    assert rows(json.dumps(wanted), ".json") == [("entry 1", wanted[0]), ("entry 2", wanted[1])]
    as_yaml = "# two\n- q: a\n  n: 1\n- {q: b, n: 2}\n"
    assert rows(as_yaml, ".yaml") == [("line 2", wanted[0]), ("line 4", wanted[1])]
    assert rows("q,n\na,1\nb,2\n", ".csv") == [
        ("line 2", {"q": "a", "n": "1"}),
        ("line 3", {"q": "b", "n": "2"}),
    ]


def test_marks_line_ends_and_empty_lines_make_no_difference() -> None:
    """A file saved by another editor holds the same cases, with their true lines."""
    assert rows(b'\xef\xbb\xbf{"q": 1}\r\n\r\n  \n{"q": 2}\r\n') == [
        ("line 1", {"q": 1}),
        ("line 4", {"q": 2}),
    ]
    assert rows(b"\xef\xbb\xbfq\r\n\r\na\r\n", ".csv") == [("line 3", {"q": "a"})]
    assert rows('\ufeff[{"q": 1}]\r\n', ".json") == [("entry 1", {"q": 1})]
    assert rows("\ufeff- q: 1\r\n\r\n- q: 2\r\n", ".yml")[1] == ("line 3", {"q": 2})


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", ".jsonl"),
        ("\n \n", ".jsonl"),
        ("", ".json"),
        ("[]", ".json"),
        ("", ".csv"),
        ("q,n\n", ".csv"),
        ("", ".yaml"),
        ("# nothing\n", ".yaml"),
        ("[]", ".yaml"),
    ],
)
def test_a_file_without_cases_is_refused(text: str, kind: str) -> None:
    """Nothing to run is nothing proven."""
    assert "nothing to run" in refusal(text, kind)


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        (
            '{"q": 1}\n{"q": 2',
            ".jsonl",
            "cases, line 2 is no JSON: Expecting ',' delimiter at column 8",
        ),
        ('{"q": NaN}', ".jsonl", "line 1 is no JSON: NaN is not a JSON value"),
        ('{"q": 1, "q": 2}', ".jsonl", "line 1 is no JSON: the key 'q' comes twice"),
        ('[\n{"q": 1}\n]', ".jsonl", "belongs into a .json file"),
        ('"text"', ".jsonl", "line 1 is 'text': expected a case with named fields"),
        ('{"q": 1}\n[1]', ".jsonl", "line 2 is [1]"),
        ('{"q": 1}\n{"q": 2}', ".json", "belongs into a .jsonl file"),
        ("[1]", ".json", "entry 1 is 1: expected a case"),
        ('"x"', ".json", "holds 'x': expected a list"),
        ("- 1\n", ".yaml", "line 1 is 1"),
        ("- {1: x}\n", ".yaml", "line 1: the field 1 is no text"),
        ("just words", ".yaml", "line 1 holds one value where a list"),
        ("- q: [\n", ".yaml", "line 2 is no plain YAML"),
        ("- q: 1\n---\n- q: 2\n", ".yaml", "line 2 is no plain YAML: but found another document"),
        ("- q: a\n  q: b\n", ".yaml", "line 2 is no plain YAML: the key 'q' comes twice"),
        ("- p: {a: 1, b: 2, a: 3}\n", ".yaml", "the key 'a' comes twice"),
        ("- q: !!python/object:os.system x\n", ".yaml", "would make an object"),
        ("- q: !mine x\n", ".yaml", "the tag '!mine' would make an object"),
        ("- q: *gone\n", ".yaml", "undefined alias"),
        ("- q: " + "9" * 5000, ".yaml", "cases: Exceeds the limit"),
        ("- q: \x07", ".yaml", "is no YAML"),
        ("q,n\na\n", ".csv", "line 2 has 1 cells and the header 2"),
        ("q,n\na,b,c\n", ".csv", "line 2 has 3 cells and the header 2"),
        ('q,n\n"a\nb",1\nc\n', ".csv", "line 4 has 1 cells"),
        ('q,n\n"a"b,1\n', ".csv", "line 2 is no CSV"),
        ('q,n\n"a,1\n', ".csv", "is no CSV: unexpected end of data"),
        ("q,,n\na,b,c\n", ".csv", "column 2 has no name"),
        ("q,n,q\na,b,c\n", ".csv", "names the column 'q' twice"),
        ("q;n\na;b\n", ".csv", "expected commas between columns"),
        (b"\xff\xfea\x00", ".csv", "UTF-16"),
        (b'{"q": 1}\n{"q": "caf\xe9"}', ".jsonl", "line 2: byte 0xe9 is no UTF-8"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: Any, kind: str, reason: str) -> None:
    """No row is guessed, skipped or taken for another."""
    assert reason in refusal(text, kind)


@pytest.mark.parametrize(
    ("text", "kind"), [('{"question": "a", "n": 1}', ".json"), ("question: a\nn: 1\n", ".yaml")]
)
def test_one_mapping_is_no_list_of_cases(text: str, kind: str) -> None:
    """A file of settings read as cases would run something else, or nothing."""
    assert "holds one mapping" in refusal(text, kind)


def test_yaml_words_stay_words() -> None:
    """Norway is no False, a time is no number, a date is a text."""
    text = "- {a: no, b: 12:30, c: 2024-05-03, d: 0o17, e: 007, f: 1e3, g: ~, h: true, i: 1_000}"
    assert rows(text, ".yaml")[0][1] == {
        "a": "no",
        "b": "12:30",
        "c": "2024-05-03",
        "d": 15,
        "e": 7,
        "f": 1000.0,
        "g": None,
        "h": True,
        "i": "1_000",
    }


def test_yaml_anchors_and_merges_are_plain_data() -> None:
    """What a merge brings may be overridden, however often it is used."""
    text = "- &base {q: a, n: 1}\n- {<<: *base, n: 2}\n- {<<: *base, n: 3}\n- *base\n"
    found = [fields for _, fields in rows(text, ".yaml")]
    assert found == [
        {"q": "a", "n": 1},
        {"q": "a", "n": 2},
        {"q": "a", "n": 3},
        {"q": "a", "n": 1},
    ]


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only YAML needs one."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[evals\]'"):
        rows("- q: a", ".yaml")
    assert rows('{"q": "a"}')


def test_yaml_that_holds_itself_is_refused() -> None:
    """Neither the reading nor the error goes on without end."""
    assert "nests too deeply" in refusal("- " + "[" * 3000 + "]" * 3000, ".yaml")
    assert "nests too deeply, or without an end" in refusal("- &a {q: *a}", ".yaml")


def test_a_cell_may_hold_commas_quotes_and_lines() -> None:
    """The next row has its true line all the same."""
    text = 'q,n\n"a, ""b""\nc",1\nd,2\n'
    assert rows(text, ".csv") == [
        ("line 2", {"q": 'a, "b"\nc', "n": "1"}),
        ("line 4", {"q": "d", "n": "2"}),
    ]


def test_a_line_separator_inside_a_text_is_no_end_of_a_line() -> None:
    """JSON allows U+2028 in a text."""
    assert rows('{"q": "a\u2028b\x85c"}') == [("line 1", {"q": "a\u2028b\x85c"})]


def test_a_row_becomes_its_model() -> None:
    """Pydantic models and dataclasses, with the types that they declare."""
    assert make(Question, {"question": "a", "people": "3"}) == Question(question="a", people=3)
    made = make(Plain, {"question": "a", "tags": ["x", "x"]})
    assert made == Plain(question="a", tags=frozenset({"x"}))


@pytest.mark.parametrize("model", [Question, Plain])
def test_a_misspelt_field_is_refused_with_the_closest(model: Any) -> None:
    """By default no field is unknown, whatever the model would let pass."""
    with pytest.raises(
        EvalUsageError, match=r"cases, line 3: \w+ has no field 'qestion'.*'question'"
    ):
        make(model, {"question": "a", "qestion": "b"})
    with pytest.raises(EvalUsageError, match="Did you mean 'question'"):
        make(model, {"qestion": "a"})


def test_a_misspelt_field_inside_is_refused_with_its_path() -> None:
    """However deep it lies."""
    with pytest.raises(EvalUsageError, match=r"Part has no field 'parts\.1\.nmae'.*'name'"):
        make(Question, {"question": "a", "parts": [{"name": "x"}, {"name": "y", "nmae": "z"}]})


def test_a_model_may_say_itself_what_becomes_of_other_fields() -> None:
    """What it declares is its own decision."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        question: str

    class Deaf(BaseModel):
        model_config = ConfigDict(extra="ignore")
        question: str

    assert make(Open, {"question": "a", "more": 1}).model_extra == {"more": 1}
    assert make(Deaf, {"question": "a", "more": 1}) == Deaf(question="a")


def test_aliases_are_names_too() -> None:
    """The name behind an alias is none, as it is for pydantic."""

    class Named(BaseModel):
        question: str = Field("x", validation_alias=AliasChoices("q", "frage"))
        other: str = Field("y", alias="o")

    assert make(Named, {"frage": "a", "o": "b"}).question == "a"
    with pytest.raises(EvalUsageError, match="has no field 'question'"):
        make(Named, {"question": "a"})


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "cases, line 3, field 'question': it is missing"),
        ({"question": "a", "people": "many"}, "field 'people' is 'many': Input should be a valid"),
        ({"question": "a", "parts": [{"name": 1}]}, r"field 'parts\.0\.name' is 1"),
        ({"question": "x" * 500, "people": "y" * 500}, r"'yyy.{40,70}\.\.\.: Input"),
    ],
)
def test_a_wrong_value_is_named_with_its_field(fields: Any, reason: str) -> None:
    """File, line, field and what was expected."""
    with pytest.raises(EvalUsageError, match=reason):
        make(Question, fields)


def test_an_empty_cell_is_a_missing_value() -> None:
    """A table has no other way to leave something out."""
    assert make(Question, {"question": "a", "people": ""}, is_text=True) == Question(question="a")
    with pytest.raises(EvalUsageError, match="missing, or its cell is empty"):
        make(Question, {"question": "", "people": "3"}, is_text=True)
    assert make(Question, {"question": ""}).question == ""


@pytest.mark.parametrize("model", [dict, "Question", Question(question="a"), list[str]])
def test_what_is_no_model_is_refused(model: Any) -> None:
    """A class of a kind that has named fields."""
    with pytest.raises(EvalUsageError, match="expected a pydantic model or a dataclass"):
        make(model, {"question": "a"})


def test_a_model_that_cannot_be_read_is_refused() -> None:
    """An annotation that only a type checker sees has no meaning here."""

    @dataclass
    class Blind:
        question: Nowhere  # type: ignore[name-defined]  # noqa: F821  this is what is tested

    with pytest.raises(EvalUsageError, match="Blind: its annotations cannot be read"):
        make(Blind, {"question": "a"})


@settings(deadline=None)
@given(st.lists(st.dictionaries(CELL, VALUE, max_size=3), min_size=1, max_size=4))
def test_whatever_json_holds_comes_back(values: list[dict[str, Any]]) -> None:
    """As a list and as lines, whatever stands in texts and keys."""
    for escaped in (True, False):
        listed = json.dumps(values, ensure_ascii=escaped)
        assert [fields for _, fields in rows(listed, ".json")] == values
        lines = "\n".join(json.dumps(value, ensure_ascii=escaped) for value in values)
        assert [fields for _, fields in rows(lines)] == values


@settings(deadline=None)
@example([("a\r\nb", "c\rd")])
@given(st.lists(st.tuples(CELL, CELL.filter(str.strip)), min_size=1, max_size=4))
def test_whatever_a_table_holds_comes_back(cells: list[tuple[str, str]]) -> None:
    """Written by the standard library, read to the same texts."""
    written = io.StringIO(newline="")
    csv.writer(written).writerows([("a", "b"), *cells])
    found = [(fields["a"], fields["b"]) for _, fields in rows(written.getvalue(), ".csv")]
    assert found == cells


@settings(deadline=None)
@given(st.binary(max_size=60), st.sampled_from([".jsonl", ".json", ".csv", ".yaml"]))
def test_any_bytes_are_read_or_refused_in_words(data: bytes, kind: str) -> None:
    """No file breaks the reading."""
    try:
        found = rows(data, kind)
    except EvalUsageError:
        return
    assert found


@settings(deadline=None)
@given(st.text("-:{}[]&*!|> \n'\"#,a1.~<", max_size=40))
def test_any_yaml_is_read_or_refused_in_words(text: str) -> None:
    """The signs that YAML gives a meaning to."""
    try:
        assert rows(text, ".yaml")
    except EvalUsageError:
        return
