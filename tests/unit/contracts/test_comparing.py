"""Differences between what was expected and what came."""

from __future__ import annotations

from typing import Any

import pytest

from tierwise.contracts import Matcher, Rule, anything, matching, same_type
from tierwise.contracts.comparing import Comparison
from tierwise.contracts.paths import parse_path, render_path
from tierwise.errors import MisuseError


def differ(expected: Any, actual: Any, *, is_open: bool = False, **rules: Matcher) -> list[str]:
    by_path = {
        path.replace("at_", "$.").replace("_all", "[*]").replace("root", "$"): Rule(
            matchers=(matcher,)
        )
        for path, matcher in rules.items()
    }
    return [str(one) for one in Comparison(by_path, is_open=is_open).compare(expected, actual)]


@pytest.mark.parametrize("value", [None, 5, 1.5, "a", True, [1, [2]], {"a": {"b": []}}])
def test_equal_values_do_not_differ(value: Any) -> None:
    """Nothing is found where nothing is."""
    assert differ(value, value) == []


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        (1, 2, "$: 2, expected 1"),
        (1, True, "$: True, expected 1"),
        (None, 0, "$: 0, expected None"),
        ("5", 5, "$: 5, expected '5'"),
        ({"a": 1}, {}, "$.a: it is missing"),
        ({}, {"a": 1}, "$.a: nobody expected it"),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, "$.a[0].b: 2, expected 1"),
        ([1], [1, 2], "$: 2 items, expected 1"),
        ([1, 2], [1], "$: 1 items, expected 2"),
        ({"a b": 1}, {"a b": 2}, "$['a b']: 2, expected 1"),
        ({"a": 1}, [1], "$: [1], expected {'a': 1}"),
    ],
)
def test_a_difference_is_named_by_its_place(expected: Any, actual: Any, found: str) -> None:
    """Kind, value, missing and unexpected keys, length: each is one difference."""
    assert differ(expected, actual) == [found]


def test_an_open_comparison_lets_more_come() -> None:
    """Keys that nobody asked for are no fault there; those asked for still have to be."""
    assert differ({"a": 1}, {"a": 1, "b": 2}, is_open=True) == []
    assert differ({"a": 1}, {"b": 2}, is_open=True) == ["$.a: it is missing"]


def test_a_type_holds_for_all_that_lies_below() -> None:
    """Below a place that is compared by type, each value is; a nearer rule wins."""
    assert differ({"a": {"b": 1}}, {"a": {"b": 7}}, at_a=same_type()) == []
    assert differ({"a": {"b": 1}}, {"a": {"b": "7"}}, at_a=same_type()) == [
        "$.a.b: '7' is a string, expected a number"
    ]
    nearer = {"at_a": same_type(), "at_a.b": Matcher(match="equality")}
    assert differ({"a": {"b": 1}}, {"a": {"b": 7}}, **nearer) == ["$.a.b: 7, expected 1"]


def test_items_by_type_are_compared_with_what_was_recorded() -> None:
    """A list by type may be longer; an empty one would prove nothing and is a difference."""
    assert differ({"a": [{"n": 1}]}, {"a": [{"n": 5}, {"n": 6}]}, at_a=same_type()) == []
    assert differ({"a": [{"n": 1}]}, {"a": [{"n": 5}, {"n": ""}]}, at_a=same_type()) == [
        "$.a[1].n: '' is a string, expected a number"
    ]
    assert differ({"a": [1]}, {"a": []}, at_a=same_type()) == ["$.a: 0 items, expected at least 1"]
    assert differ({"a": [1]}, {"a": []}, at_a=Matcher(match="type", min=0)) == []
    assert differ({"a": [1]}, {"a": [1, 2, 3]}, at_a=Matcher(match="type", max=2)) == [
        "$.a: 3 items, expected at most 2"
    ]


def test_a_matcher_other_than_type_holds_for_its_place_alone() -> None:
    """`anything` at a place accepts what is below it as a whole, and nothing beside it."""
    assert differ({"a": {"b": 1}, "c": 1}, {"a": 5, "c": 1}, at_a=anything()) == []
    assert differ({"a": 1, "c": 1}, {"a": 5, "c": 2}, at_a=anything()) == ["$.c: 2, expected 1"]
    assert differ({"a": 1}, {}, at_a=anything()) == ["$.a: it is missing"]


@pytest.mark.parametrize(
    ("matcher", "met", "missed"),
    [
        (matching(r"\d+"), "42", "42a"),
        (Matcher(match="include", value="lo"), "hello", "hi"),
        (Matcher(match="integer"), 5, 5.5),
        (Matcher(match="integer"), 5, True),
        (Matcher(match="decimal"), 5.5, 5),
        (Matcher(match="number"), 5, "5"),
        (Matcher(match="boolean"), False, 0),
        (Matcher(match="null"), None, ""),
        (Matcher(match="notEmpty"), "a", ""),
        (Matcher(match="equality"), 1, 2),
    ],
)
def test_each_matcher_accepts_and_refuses(matcher: Matcher, met: Any, missed: Any) -> None:
    """Each has a value that it takes and a near one that it does not."""
    assert differ(1, met, root=matcher) == []
    assert len(differ(1, missed, root=matcher)) == 1


def test_rules_for_each_item_and_one_of_several() -> None:
    """`[*]` stands for each item; `OR` needs one of its matchers to agree."""
    each = {"$[*].id": Rule(matchers=(matching(r"n\d"),))}
    assert Comparison(each).compare([{"id": "n1"}], [{"id": "n2"}]) == ()
    assert len(Comparison(each).compare([{"id": "n1"}], [{"id": "x2"}])) == 1
    two = (Matcher(match="null"), Matcher(match="integer"))
    assert Comparison({"$": Rule(matchers=two, is_any=True)}).compare(1, None) == ()
    assert len(Comparison({"$": Rule(matchers=two)}).compare(1, None)) == 1


def test_what_is_not_understood_is_refused() -> None:
    """An unknown matcher, a broken expression and a path that leads nowhere check nothing."""
    with pytest.raises(MisuseError, match=r"no matcher 'typ'.*Did you mean 'type'"):
        differ(1, 1, root=Matcher(match="typ"))
    with pytest.raises(MisuseError, match="no regular expression"):
        matching("(")
    for path in ("a.b", "$.a..b", "$.a[b]", "$a"):
        with pytest.raises(MisuseError, match="The path"):
            parse_path(path)


@pytest.mark.parametrize("path", ["$", "$.a", "$.a[0].b-c", "$['a b'].c"])
def test_a_path_is_written_as_it_is_read(path: str) -> None:
    """Differences name places by paths that can be pasted into rules."""
    assert render_path(parse_path(path)) == path
