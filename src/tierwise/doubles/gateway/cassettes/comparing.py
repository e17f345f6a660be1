"""Whether a request is the recorded one, and in what it differs from it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tierwise.doubles.gateway.cassettes.cassette import Asking
from tierwise.doubles.gateway.vendors import guess_vendor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tierwise.doubles.gateway.cassettes.cassette import Interaction
    from tierwise.doubles.gateway.wire import HttpRequest

_MASK = re.compile(r"\[masked (?:key|value)\]")
_MISSING = object()
_LONGEST = 70
_MOST_SHOWN = 6


def form_asking(http: HttpRequest) -> Asking:
    """Return what a request is compared by; a key in the query is no part of it."""
    body: Any = None
    if http.body:
        try:
            body = json.loads(http.body)
        except ValueError:
            body = http.body.decode("utf-8", "backslashreplace")
    query = {name: value for name, value in http.query.items() if name != "key"}
    return Asking(
        vendor=guess_vendor(http),
        method=http.method.upper(),
        path=unquote(http.path),
        query=query,
        body=body,
    )


def find_differences(
    recorded: Asking, asked: Asking, *, ignore: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return each place in which two requests differ; `ignore` names places that may.

    A mask in the recorded one stands for any text.
    """
    found: list[tuple[str, Any, Any]] = []
    for name in ("vendor", "method", "path", "query", "body"):
        found += _compare(name, getattr(recorded, name), getattr(asked, name))
    return tuple(
        f"{place}: recorded {_show(old)}, asked {_show(new)}"
        for place, old, new in found
        if not any(_is_within(place, one) for one in ignore)
    )


def _is_within(place: str, ignored: str) -> bool:
    return place == ignored or place.startswith((f"{ignored}.", f"{ignored}["))


def _compare(place: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401  JSON
    if isinstance(old, dict) and isinstance(new, dict):
        for name in (*old, *(n for n in new if n not in old)):
            yield from _compare(
                f"{place}.{name}", old.get(name, _MISSING), new.get(name, _MISSING)
            )
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            yield from _compare(
                f"{place}[{index}]",
                old[index] if index < len(old) else _MISSING,
                new[index] if index < len(new) else _MISSING,
            )
    elif not _is_same(old, new):
        yield place, old, new


def _is_same(old: Any, new: Any) -> bool:  # noqa: ANN401  JSON
    if isinstance(old, str) and isinstance(new, str) and _MASK.search(old):
        pattern = ".+?".join(re.escape(part) for part in _MASK.split(old))
        return re.fullmatch(pattern, new, re.DOTALL) is not None
    return bool(old == new) and isinstance(old, bool) == isinstance(new, bool)


def _show(value: Any) -> str:  # noqa: ANN401  JSON
    if value is _MISSING:
        return "nothing"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def explain_unheld(
    asked: Asking, interactions: Iterable[Interaction], *, where: str, ignore: Sequence[str] = ()
) -> str:
    """Return what to tell whoever asked for what a cassette does not hold."""
    head = f"The cassette {where} does not hold this request: {asked.method} {asked.path}."
    numbered = [
        (number, find_differences(one.asking, asked, ignore=ignore))
        for number, one in enumerate(interactions, start=1)
    ]
    if not numbered:
        return f"{head} It holds none at all."
    number, differences = min(numbered, key=lambda found: _distance(found[1]))
    if not differences:
        return f"{head} It is recorded, and was replayed as often as it was asked for then."
    shown = "".join(f"\n  {one}" for one in differences[:_MOST_SHOWN])
    more = len(differences) - _MOST_SHOWN
    tail = f"\n  and {more} more" if more > 0 else ""
    return f"{head} The nearest is interaction {number}, which differs in:{shown}{tail}"


def _distance(differences: Sequence[str]) -> tuple[int, int]:
    """Another path is further away than any difference of bodies."""
    far = sum(not one.startswith(("body", "query")) for one in differences)
    return far, len(differences)
