"""Which test a person means."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.pollution.orders import Order, module_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_SHOWN = 5
_CLOSE = 0.5


def choose_test(tests: Sequence[str], text: str) -> str:
    """Return the test whose node id is `text`, or the only one that it is a part of.

    A name of its own goes before a part of other names; MisuseError names the closest.
    """
    # pytest writes what is not ASCII in an id as an escape.
    text = text.encode("ascii", "backslashreplace").decode("ascii")
    ways = (
        lambda test: test == text,
        lambda test: test.endswith((f"::{text}", f"/{text}")),
        lambda test: test.partition("[")[0].endswith(f"::{text}"),
        lambda test: text in test,
    )
    for is_meant in ways:
        found = [test for test in tests if is_meant(test)]
        if len(found) == 1:
            return found[0]
        if found:
            raise MisuseError(
                f"{text!r} is a part of {len(found)} tests: {_few(found)}. Name one of them."
            )
    raise MisuseError(f"No collected test is named {text!r}.{_closest(tests, text)}")


def _closest(tests: Sequence[str], text: str) -> str:
    name = text.rpartition("::")[2]
    by_name: dict[str, str] = {}
    for test in tests:
        by_name.setdefault(test, test)
        by_name.setdefault(test.rpartition("::")[2], test)
    close = difflib.get_close_matches(text, by_name, n=1, cutoff=_CLOSE) or (
        difflib.get_close_matches(name, by_name, n=1, cutoff=_CLOSE)
    )
    hint = f" Did you mean {by_name[close[0]]!r}?" if close else ""
    return (
        f"{hint} {len(tests):,} were collected; `pytest --collect-only -q` lists them, and what "
        "stands behind `--` goes to pytest."
    )


def _few(tests: Sequence[str]) -> str:
    more = f" and {len(tests) - _MOST_SHOWN} more" if len(tests) > _MOST_SHOWN else ""
    return f"{', '.join(tests[:_MOST_SHOWN])}{more}"


def limit_order(order: Order, test: str, places: Iterable[str]) -> Order:
    """Return the order without the tests that stand in none of `places`: files, folders, ids."""
    chosen = tuple(place.removeprefix("./").rstrip("/") for place in places)
    if not chosen:
        return order
    kept = tuple(one for one in order.tests if one == test or _stands_in(one, chosen))
    if kept == (test,):
        raise MisuseError(
            f"--with {' --with '.join(chosen)}: no test but {test} itself was collected there. "
            "Name files, folders or node ids as pytest prints them."
        )
    return Order(name=order.name, tests=kept)


def _stands_in(test: str, places: Sequence[str]) -> bool:
    file = module_of(test)
    return any(
        place in (".", file, test) or file.startswith(f"{place}/") or test.startswith(f"{place}::")
        for place in places
    )
