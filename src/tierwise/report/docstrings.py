"""What the tests of a file exercise, read from its syntax tree: nothing of it is imported."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SENTENCE = re.compile(r"(?<=[.!?])\s")
_MOST_SENTENCES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The docstring of a module or class, and those of the tests right inside."""

    says: str = ""
    tests: Mapping[str, str] = field(default_factory=dict)
    has_bases: bool = False
    """Has the class others above it, so that tests of it may be written elsewhere?"""


def describe_tests(source: str) -> dict[str, Described]:
    """Return what a file says of its classes by name, nested ones as `A::B`, of itself as "".

    A file that is no Python any more says nothing.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return dict(_walk("", tree))


def say_what(described: Described | None, tests: Iterable[str]) -> str:
    """Return what tests exercise: the class in a sentence, or else its tests in a few."""
    if described is None:
        return ""
    if described.says:
        return described.says
    found = dict.fromkeys(filter(None, (described.tests.get(name, "") for name in tests)))
    sentences = [sentence.rstrip(".") for sentence in found]
    shown = "; ".join(sentences[:_MOST_SENTENCES])
    left = len(sentences) - _MOST_SENTENCES
    return f"{shown}; and {left} more" if left > 0 else shown


def is_written(described: Mapping[str, Described], names: str) -> bool:
    """Tell whether a file still has a test, by the part of its node id behind the file."""
    group, test = split_names(names)
    found = described.get(group)
    return found is not None and (test in found.tests or found.has_bases)


def split_nodeid(nodeid: str) -> tuple[str, str, str]:
    """Return the file, the class (nested ones as `A::B`, "" for none) and the test's own name."""
    path, _, names = nodeid.partition("::")
    return (path, *split_names(names))


def split_names(names: str) -> tuple[str, str]:
    """Return the class and the test of what stands behind the file in a node id."""
    group, _, test = names.partition("[")[0].rpartition("::")
    return group, test


def _walk(name: str, node: ast.Module | ast.ClassDef) -> Iterable[tuple[str, Described]]:
    own = list(_statements(node.body))
    functions = [each for each in own if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    yield (
        name,
        Described(
            says=_first_sentence(ast.get_docstring(node)),
            tests={each.name: _first_sentence(ast.get_docstring(each)) for each in functions},
            has_bases=isinstance(node, ast.ClassDef) and bool(node.bases),
        ),
    )
    for each in own:
        if isinstance(each, ast.ClassDef):
            yield from _walk(f"{name}::{each.name}" if name else each.name, each)


def _statements(body: Iterable[ast.stmt]) -> Iterable[ast.stmt]:
    """Yield statements with those that an `if` or a `try` around them guards."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            yield from _statements(statement.body)
            yield from _statements(getattr(statement, "orelse", []))


def _first_sentence(text: str | None) -> str:
    paragraph = " ".join((text or "").partition("\n\n")[0].split())
    return _SENTENCE.split(paragraph, maxsplit=1)[0]
