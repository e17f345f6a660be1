"""A secret that a stream says piece by piece is masked in its pieces, event by event."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Place = tuple[str | int, ...]

_DATA = re.compile(r"^data:[ ]?(?P<data>.*)$", re.MULTILINE)


def mask_across_events(texts: Sequence[str], mask: Callable[[str], str]) -> list[str]:
    """Return the chunks of a body with `mask` applied to what they say one by one and together.

    The texts at one place of each event's JSON are read as one text: where `mask` finds
    something in it that no single piece holds, the first piece says all of it, masked.
    """
    plain = [mask(text) for text in texts]
    joined = mask("".join(texts))
    if joined != "".join(plain):
        plain = [joined, *[""] * (len(texts) - 1)]
    for place, pieces in _gather(plain).items():
        said = "".join(piece for _, piece in pieces)
        masked = mask(said)
        if masked != said:
            for number, (index, _) in enumerate(pieces):
                plain[index] = _replace(plain[index], place, masked if number == 0 else "")
    return plain


def _gather(texts: Sequence[str]) -> dict[Place, list[tuple[int, str]]]:
    found: dict[Place, list[tuple[int, str]]] = defaultdict(list)
    for index, text in enumerate(texts):
        event = _read(text)
        if event is not None:
            for place, leaf in _leaves(event):
                found[place].append((index, leaf))
    return found


def _read(text: str) -> Any:  # noqa: ANN401  JSON
    lines = _DATA.findall(text)
    if not lines:
        return None
    try:
        return json.loads("\n".join(lines))
    except ValueError:
        return None


def _leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:  # noqa: ANN401  JSON
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, (*place, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, (*place, index))


def _replace(text: str, place: Place, leaf: str) -> str:
    event = _read(text)
    holder = event
    for step in place[:-1]:
        holder = holder[step]
    if place:
        holder[place[-1]] = leaf
    else:
        event = leaf
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    first = _DATA.search(text)
    assert first is not None  # noqa: S101  `_read` found it
    rest = _DATA.sub("", text[first.end() :])
    return f"{text[: first.start()]}data: {data}{rest}"
