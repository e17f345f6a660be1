from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.scorers import contains, contains_any, contains_none, exact, matches
from tierwise.evals.scorers.folding import ALL, fold
from tierwise.providers import Answer, Failure, FailureKind

TEXT = st.text()
SOME = st.text(min_size=1)


def test_exact_ignores_nothing_unless_told() -> None:
    """Each difference counts, and the explanation says which one it was."""
    assert exact("Paris", "Paris")
    wrong = exact("Paris.", "Paris")
    assert not wrong
    assert wrong.why == "'Paris.' is not 'Paris'; the same but for punctuation"
    assert "the same but for case" in exact("PARIS", "Paris").why
    assert "same" not in exact("Rome", "Paris").why
    assert "; the same but for case, space, punctuation, form" in exact(" PARIS.", "Paris").why


@pytest.mark.parametrize(
    ("reply", "expected", "ignore"),
    [
        ("PARIS", "paris", ["case"]),
        ("Straße", "STRASSE", ["case"]),
        ("  to  be\n", "to be", ["space"]),
        ("Don't!", "Dont", ["punctuation"]),
        ("cafe\u0301", "caf\u00e9", ["form"]),
        ("\uff30\uff41\uff52\uff49\uff53", "Paris", ["form"]),
        ("\ufb01ne", "FINE", ["form", "case"]),
        ("“Oui”, dit-il.", "oui ditil", ["punctuation", "case"]),
    ],
)
def test_what_is_ignored_is_said(reply: str, expected: str, ignore: list[Any]) -> None:
    """Each option takes away one kind of difference."""
    assert exact(reply, expected, ignore=ignore)
    assert not exact(reply, expected)
    assert contains(reply, expected, ignore=ignore)


def test_exact_takes_several_texts() -> None:
    """One of them is enough; the explanation names all."""
    assert exact("4", "four", "4")
    assert exact("5", "four", "4").why == "'5' is not 'four' or '4'"


def test_the_empty_reply_is_an_answer() -> None:
    """A model that says nothing was heard: it is judged, and can be what was asked for."""
    assert not exact("", "Paris")
    assert exact("", "")
    assert not contains("", "x")
    assert contains_none("", "x")


def test_contains_asks_for_all_any_or_none() -> None:
    """The three questions differ in what they count, and name what they found or missed."""
    assert contains("red and blue", "red", "blue")
    assert contains("red and blue", "red", "green").why == "does not say 'green'"
    assert contains_any("red and blue", "green", "blue")
    assert contains_any("red and blue", "green", "blue").why == "says 'blue'"
    assert not contains_any("red and blue", "green", "gold")
    assert contains_any("red", "green", "gold").why == "says none of 'green', 'gold'"
    assert contains_none("red and blue", "green")
    assert contains_none("red and blue", "green", "red").why == "says 'red'"


def test_whole_words_are_no_parts_of_words() -> None:
    """A "no" in "know" is none, whatever the alphabet."""
    assert contains("I know", "no")
    assert not contains("I know", "no", whole_words=True)
    assert not contains("north", "no", whole_words=True)
    assert contains("Oh, no!", "no", whole_words=True)
    assert not contains("Können", "nen", whole_words=True)
    assert contains("costs $5.", "$5", whole_words=True)
    assert not contains("a.b", "a?b", whole_words=True)


@pytest.mark.parametrize("scorer", [contains, contains_any, contains_none])
def test_an_empty_expectation_is_refused(scorer: Any) -> None:
    """Every text contains the empty one: such a check could never fail, or never pass."""
    with pytest.raises(ScorerError, match="nothing is left: every text would do"):
        scorer("reply", "")
    with pytest.raises(ScorerError, match="nothing to look for"):
        scorer("reply")
    with pytest.raises(ScorerError, match="left once punctuation is ignored"):
        scorer("reply", "?!", ignore=["punctuation"])


def test_texts_that_vanish_are_not_equal() -> None:
    """Two different marks are no match once both are ignored."""
    with pytest.raises(ScorerError, match="nothing is left"):
        exact("!", "?", ignore=["punctuation"])
    assert not exact("!", "?")


@pytest.mark.parametrize("scorer", [exact, contains, contains_any, contains_none])
@pytest.mark.parametrize("expected", [None, 42, b"x", ["a", "b"]])
def test_an_expectation_that_is_no_text_is_refused(scorer: Any, expected: Any) -> None:
    """A case without its value must not look like a wrong answer."""
    with pytest.raises(ScorerError, match=r"expected a text|\*texts"):
        scorer("reply", expected)


@pytest.mark.parametrize("scorer", [exact, contains, contains_any, contains_none, matches])
@pytest.mark.parametrize("reply", [None, 3, b"x", ["x"], float("nan")])
def test_a_reply_that_is_no_text_is_refused(scorer: Any, reply: Any) -> None:
    """What is missing is neither right nor wrong."""
    with pytest.raises(ScorerError, match=r"The reply is .*, of type"):
        scorer(reply, "x")


def test_an_answer_is_read_as_its_text() -> None:
    """The reply of a provider can be handed on as it is."""
    assert exact(Answer[Any](text="Paris"), "Paris")


def test_a_failure_is_refused_with_the_way_out() -> None:
    """Nobody scores a call that was not answered."""
    with pytest.raises(ScorerError, match=r"Failure \(busy: later\).*trial\.require"):
        contains_none(Failure(kind=FailureKind.BUSY, message="later"), "x")  # type: ignore[arg-type]


async def test_a_coroutine_is_refused_and_closed() -> None:
    """A missing `await` is named, and brings no second warning."""

    async def ask() -> str:
        return "x"

    with pytest.raises(ScorerError, match="`await` is missing"):
        exact(ask(), "x")  # type: ignore[arg-type]


def test_an_unknown_option_is_refused_with_the_closest() -> None:
    """A typo must not switch an option off."""
    with pytest.raises(EvalUsageError, match="Did you mean 'case'"):
        exact("a", "a", ignore=["cases"])  # type: ignore[list-item]
    with pytest.raises(EvalUsageError, match=r"such as ignore=\['case'\]"):
        exact("a", "a", ignore="case")  # type: ignore[arg-type]


def test_matches_searches_or_takes_the_whole() -> None:
    """The explanation shows what was found, or what was not."""
    found = matches("Order 4711 is out", r"\d{4}")
    assert found
    assert found.why == "'4711' at 6"
    assert not matches("Order 4711", r"\d{4}", whole=True)
    assert matches("4711", re.compile(r"\d{4}"), whole=True)
    assert "has no match for" in matches("none", r"\d").why


@pytest.mark.parametrize("pattern", ["", "x*", "(a|)", "[0-9]?", r"(?s)^.*$"])
def test_a_pattern_that_matches_anything_is_refused(pattern: str) -> None:
    """A check that cannot fail checks nothing."""
    with pytest.raises(ScorerError, match="could never fail"):
        matches("anything", pattern)


def test_a_pattern_for_the_empty_reply_is_none_of_them() -> None:
    """Only the whole of an empty text matches it."""
    assert matches("", r"\A\Z")
    assert not matches("x", r"\A\Z")
    assert matches("", "x*", whole=True)


@pytest.mark.parametrize("pattern", ["(", "[a-", "a{99999999999}", None, 3, re.compile(b"x")])
def test_a_pattern_that_is_none_is_refused(pattern: Any) -> None:
    """A broken pattern is no verdict on the model."""
    with pytest.raises(ScorerError, match=r"matches\(\) was given"):
        matches("text", pattern)


@settings(deadline=None)
@given(TEXT)
def test_every_text_is_exactly_itself(text: str) -> None:
    """Whatever Unicode holds."""
    assert exact(text, text)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_exact_agrees_with_equality(text: str, other: str) -> None:
    """Nothing is folded behind the caller's back."""
    assert bool(exact(text, other)) == (text == other)


@settings(deadline=None)
@given(TEXT, SOME, TEXT)
def test_a_text_contains_its_parts(before: str, part: str, after: str) -> None:
    """And `none` is its opposite."""
    assert contains(before + part + after, part)
    assert not contains_none(before + part + after, part)


@settings(deadline=None)
@given(TEXT, SOME)
def test_any_and_none_never_agree(text: str, part: str) -> None:
    """One of them holds, never both."""
    assert bool(contains_any(text, part)) != bool(contains_none(text, part))


@settings(deadline=None)
@given(TEXT, st.sets(st.sampled_from(ALL)))
def test_folding_twice_is_folding_once(text: str, ignore: set[Any]) -> None:
    """Both sides are folded alike, so that a folded text stays as it is."""
    once = fold(text, ignore)
    assume("case" not in ignore or "form" in ignore or once.casefold() == once)
    assert fold(once, ignore) == once


@settings(deadline=None)
@given(TEXT, st.sets(st.sampled_from(ALL)))
def test_ignoring_more_never_turns_equal_into_different(text: str, ignore: set[Any]) -> None:
    """A text matches itself under every option, unless nothing of it is left."""
    assume(fold(text, ignore) or not text)
    assert exact(text, text, ignore=ignore)


@settings(deadline=None)
@given(TEXT, SOME)
def test_scorers_answer_or_refuse_and_do_nothing_else(text: str, pattern: str) -> None:
    """Any text as a pattern is judged or refused in words."""
    try:
        found = matches(text, pattern)
    except ScorerError:
        return
    assert isinstance(found.value, bool)
