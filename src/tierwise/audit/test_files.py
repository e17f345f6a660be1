"""What a file says of its tests, read from its syntax tree; nothing of it is run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FRAMEWORKS = frozenset({"pytest", "unittest", "nose", "hypothesis"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFacts:
    """A class that may hold tests."""

    name: str
    line: int
    tests: tuple[str, ...]
    """Its methods that are named like tests."""
    bases: tuple[str, ...] = ()
    has_constructor: bool = False
    is_switched_off: bool = False
    """Does it say `__test__ = False`?"""

    @property
    def is_unittest(self) -> bool:
        """Is it collected by its base, whatever its name?"""
        return any(base.rpartition(".")[2].endswith("TestCase") for base in self.bases)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """What a file holds."""

    path: str
    is_empty: bool = False
    """Is there nothing but comments and a docstring?"""
    functions: tuple[tuple[str, int], ...] = ()
    """Functions at the top that are named like tests, each with its line."""
    classes: tuple[ClassFacts, ...] = ()
    twice: tuple[tuple[str, int], ...] = ()
    """Tests that a later one of the same name and place hides, each with its line."""
    frameworks: frozenset[str] = frozenset()
    """Which test frameworks it imports."""
    error: str = ""
    """Why it could not be read."""

    @property
    def n_tests(self) -> int:
        """How many tests it seems to hold."""
        return len(self.functions) + sum(len(found.tests) for found in self.classes)


def read_test_file(path: str, source: bytes) -> FileFacts:
    """Return what a Python file holds."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return FileFacts(path=path, error=str(error).partition("\n")[0])
    body = _flatten(tree.body)
    functions = [node for node in body if _is_test(node)]
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    return FileFacts(
        path=path,
        is_empty=all(_is_text(node) for node in tree.body),
        functions=tuple((_name(node), node.lineno) for node in functions),
        classes=tuple(_class_of(node) for node in classes),
        twice=(
            *_find_twice(tree.body, ""),
            *(pair for node in classes for pair in _find_twice(node.body, f"{node.name}::")),
        ),
        frameworks=_frameworks_of(body),
    )


def _flatten(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a module, those below `if` and `try` at its top included."""
    found: list[ast.stmt] = []
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        found.append(node)
        for name in ("body", "orelse", "finalbody"):
            if isinstance(node, ast.If | ast.Try | ast.With):
                waiting.extend(getattr(node, name, ()))
        if isinstance(node, ast.Try):
            waiting.extend(inner for handler in node.handlers for inner in handler.body)
    return found


def _is_test(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test")
        and not _is_fixture(node)
    )


def _is_fixture(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("fixture" in ast.unparse(mark) for mark in node.decorator_list)


def _name(node: ast.stmt) -> str:
    return str(getattr(node, "name", ""))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _class_of(node: ast.ClassDef) -> ClassFacts:
    return ClassFacts(
        name=node.name,
        line=node.lineno,
        tests=tuple(_name(one) for one in node.body if _is_test(one)),
        bases=tuple(ast.unparse(base) for base in node.bases),
        has_constructor=any(_name(one) in ("__init__", "__new__") for one in node.body),
        is_switched_off=any(
            isinstance(one, ast.Assign)
            and any(isinstance(to, ast.Name) and to.id == "__test__" for to in one.targets)
            for one in node.body
        ),
    )


def _find_twice(body: Iterable[ast.stmt], prefix: str) -> list[tuple[str, int]]:
    """Return tests that are defined again below, in one and the same block."""
    first: dict[str, int] = {}
    hidden: list[tuple[str, int]] = []
    for node in body:
        is_plain = _is_test(node) or (
            isinstance(node, ast.ClassDef) and node.name.startswith("Test")
        )
        if not is_plain:
            continue
        name = _name(node)
        if name in first and not _is_registered(node):
            hidden.append((f"{prefix}{name}", first[name]))
        first[name] = node.lineno
    return hidden


def _is_registered(node: ast.stmt) -> bool:
    """Tell whether a decorator keeps what the name held before, as `@overload` does."""
    marks = getattr(node, "decorator_list", ())
    texts = [ast.unparse(mark) for mark in marks]
    return any("register" in text or "overload" in text or ".setter" in text for text in texts)


def _frameworks_of(body: Iterable[ast.stmt]) -> frozenset[str]:
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return frozenset(found & _FRAMEWORKS)
