"""Is the reply this text, and which texts does it contain?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tierwise.errors import ScorerError
from tierwise.evals.scored import Scored
from tierwise.evals.scorers.folding import (
    Ignorable,
    fold,
    fold_expected,
    require_ignorable,
    say_ignorable,
)
from tierwise.evals.scorers.reading import Text, read_expected, read_text, show

if TYPE_CHECKING:
    from collections.abc import Collection

_UNRELATED = ("", "x", "7 -\n~")
"""Texts with nothing in common: what matches all of them matches anything."""


def exact(reply: Text, *accepted: str, ignore: Collection[Ignorable] = ()) -> Scored:
    """Say whether the reply is one of the accepted texts, character by character.

    Nothing is ignored unless `ignore` says so; the explanation tells when that would help.
    """
    require_ignorable(ignore)
    text, wanted = read_text(reply), read_expected(accepted, "exact()")
    folded = fold(text, ignore)
    if any(folded == fold_expected(each, ignore, "exact()") for each in wanted):
        return Scored(value=True)
    hints = (say_ignorable(text, each) for each in wanted)
    hint = next((found for found in hints if found), "")
    named = " or ".join(show(each) for each in wanted)
    return Scored(value=False, why=f"{show(text)} is not {named}{hint}")


def contains(
    reply: Text, *wanted: str, ignore: Collection[Ignorable] = (), whole_words: bool = False
) -> Scored:
    """Say whether the reply contains each of the texts.

    With `whole_words` no letter, digit or underscore may stand beside them: "know" has no "no".
    """
    found = _find(reply, wanted, "contains()", ignore=ignore, whole_words=whole_words)
    missing = [text for text, is_there in found.items() if not is_there]
    return Scored(value=not missing, why=_say("does not say", missing))


def contains_any(
    reply: Text, *wanted: str, ignore: Collection[Ignorable] = (), whole_words: bool = False
) -> Scored:
    """Say whether the reply contains at least one of the texts."""
    found = _find(reply, wanted, "contains_any()", ignore=ignore, whole_words=whole_words)
    said = [text for text, is_there in found.items() if is_there]
    return Scored(value=bool(said), why=_say("says", said) or _say("says none of", list(found)))


def contains_none(
    reply: Text, *unwanted: str, ignore: Collection[Ignorable] = (), whole_words: bool = False
) -> Scored:
    """Say whether the reply contains none of the texts.

    For what a model must keep to itself use `leaks`, which also finds it reworded or encoded.
    """
    found = _find(reply, unwanted, "contains_none()", ignore=ignore, whole_words=whole_words)
    said = [text for text, is_there in found.items() if is_there]
    return Scored(value=not said, why=_say("says", said))


def matches(reply: Text, pattern: str | re.Pattern[str], *, whole: bool = False) -> Scored:
    """Say whether the pattern matches somewhere in the reply, or all of it with `whole`.

    A pattern that matches any reply whatever, such as `x*`, could never fail and is refused.
    """
    text, expression = read_text(reply), _compile(pattern)
    if not whole and all(expression.search(probe) is not None for probe in _UNRELATED):
        raise ScorerError(
            f"matches() was given {expression.pattern!r}, which matches any text whatever: "
            "it could never fail. Give whole=True to match the whole reply."
        )
    found = expression.fullmatch(text) if whole else expression.search(text)
    if found is not None:
        return Scored(value=True, why=f"{show(found.group())} at {found.start()}")
    where = "does not match" if whole else "has no match for"
    return Scored(value=False, why=f"{show(text)} {where} {expression.pattern!r}")


def _find(
    reply: Text,
    wanted: tuple[str, ...],
    what: str,
    *,
    ignore: Collection[Ignorable],
    whole_words: bool,
) -> dict[str, bool]:
    require_ignorable(ignore)
    text = fold(read_text(reply), ignore)
    found = {}
    for each in read_expected(wanted, what):
        needle = fold_expected(each, ignore, what)
        found[each] = _has_word(text, needle) if whole_words else needle in text
    return found


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _compile(pattern: object) -> re.Pattern[str]:
    if isinstance(pattern, re.Pattern):
        if isinstance(pattern.pattern, str):
            return pattern
        raise ScorerError(f"matches() was given the pattern {pattern.pattern!r}: expected a text.")
    if not isinstance(pattern, str):
        raise ScorerError(
            f"matches() was given {pattern!r}, of type {type(pattern).__name__}: expected a "
            "pattern as text, or a compiled one."
        )
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ScorerError(
            f"matches() was given {pattern!r}, which is no pattern: {error}."
        ) from None


def _say(verb: str, texts: list[str]) -> str:
    return f"{verb} {', '.join(show(text) for text in texts)}" if texts else ""
