"""Which tests a run of pytest in CI selects, and which none does."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tierwise.audit.ci.project import join
from tierwise.audit.findings import Finding
from tierwise.audit.uncollected import is_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tierwise.audit.ci.values import Ci, Invocation
    from tierwise.audit.facts import TestFact

_OPERATORS = frozenset({"and", "or", "not"})
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What of a suite CI runs."""

    untold: str = ""
    """Why it cannot be told whether the other tests run."""
    run: frozenset[str] = frozenset()
    not_run: tuple[TestFact, ...] = ()


def select(ci: Ci, tests: Sequence[TestFact], testpaths: Sequence[str]) -> Selection:
    """Return which tests CI runs; a run that cannot be told may run any of them."""
    run: set[str] = set()
    untold = ""
    for invocation in ci.invocations:
        if invocation.unknown:
            untold = untold or f"{invocation.where}: {invocation.command}"
        run |= {test.nodeid for test in tests if selects(invocation, test, testpaths)}
    return Selection(
        run=frozenset(run),
        not_run=tuple(test for test in tests if test.nodeid not in run),
        untold=untold,
    )


def selects(invocation: Invocation, test: TestFact, testpaths: Sequence[str]) -> bool:
    """Tell whether a run selects a test for certain."""
    if invocation.unknown and not invocation.paths:
        return False
    paths = invocation.paths
    if not paths:
        paths = tuple(testpaths) if testpaths and not invocation.folder else (invocation.folder,)
    if not any(_names(path, test.nodeid) for path in paths):
        return False
    if any(is_below(test.path, p) or fnmatchcase(test.path, p) for p in invocation.ignored):
        return False
    if any(test.nodeid.startswith(prefix) for prefix in invocation.deselected):
        return False
    if invocation.marks is None and not invocation.keyword:
        return test.outcome != "deselected"
    return _matches(invocation, test)


def _names(path: str, nodeid: str) -> bool:
    if "::" in path:
        rest = nodeid.removeprefix(path)
        return nodeid.startswith(path) and rest[:1] in ("", ":", "[")
    return is_below(nodeid.partition("::")[0], path)


def _matches(invocation: Invocation, test: TestFact) -> bool:
    marks, names = set(test.marks), test.nodeid.lower()
    chosen = evaluate(invocation.marks or "", marks.__contains__)
    named = evaluate(invocation.keyword, lambda word: word.lower() in names or word in marks)
    return chosen is not False and named is not False


def evaluate(expression: str, holds: Callable[[str], bool]) -> bool | None:
    """Return what an expression of `-m` or `-k` comes to; None when it cannot be read."""
    if not expression.strip():
        return True
    words: list[str] = []

    def name(found: re.Match[str]) -> str:
        word = found.group(0)
        if word in _OPERATORS:
            return f" {word} "
        words.append(word)
        return f" w{len(words) - 1} "

    text = re.sub(r"[^\s()]+", name, expression)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return _evaluate(tree, words, holds)
    except (SyntaxError, ValueError):
        return None


def _evaluate(node: ast.expr, words: Sequence[str], holds: Callable[[str], bool]) -> bool:
    if isinstance(node, ast.BoolOp):
        found = [_evaluate(value, words, holds) for value in node.values]
        return all(found) if isinstance(node.op, ast.And) else any(found)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _evaluate(node.operand, words, holds)
    if isinstance(node, ast.Name):
        return holds(words[int(node.id[1:])])
    raise ValueError(ast.dump(node))


def find_not_in_ci(
    ci: Ci, tests: Sequence[TestFact], testpaths: Sequence[str]
) -> Iterator[Finding]:
    """Yield what CI does not run, by folder, and what of CI could not be told."""
    if not tests:
        return
    for unread in ci.unread:
        yield Finding(kind="ci_untold", subject=unread.where, text=unread.reason)
    for invocation in ci.invocations:
        if invocation.unknown:
            text = f"{invocation.command}: {invocation.unknown}"
            yield Finding(kind="ci_untold", subject=invocation.where, text=text)
    if not ci.files and not ci.others:
        text = "no CI is set up, and neither Makefile, justfile, tox nor nox runs the tests"
        yield Finding(kind="not_in_ci", subject="CI", text=text)
        return
    selection = select(ci, tests, testpaths)
    doubt = _doubt_of(ci, selection)
    yield from _by_folder(ci, tests, selection, doubt)


def _doubt_of(ci: Ci, selection: Selection) -> str:
    if selection.untold:
        return f"; whether {selection.untold} runs them could not be told"
    if ci.unread:
        return "; a part of CI could not be told"
    return ""


def _by_folder(
    ci: Ci, tests: Sequence[TestFact], selection: Selection, doubt: str
) -> Iterator[Finding]:
    who = "CI" if ci.files else f"No command of {', '.join(ci.others)}"
    verb = "does not run" if ci.files else "runs"
    if not selection.run and not selection.untold and not ci.unread:
        text = f"{who} {verb} pytest at all" if ci.files else f"{who} runs pytest"
        where = ", ".join(ci.files or ci.others)
        yield Finding(kind="not_in_ci", subject="all tests", text=text, where=where)
        return
    for folder, left in group_by_folder(tests, selection.not_run):
        names = tuple(test.nodeid for test in left)
        noun = "test" if len(names) == 1 else "tests"
        tests_of = f"{len(names)} {noun} of {folder}"
        text = f"nothing that could be told runs {tests_of}{doubt}"
        if not doubt:
            text = f"{who} {verb} {tests_of}"
        kind = "ci_untold" if doubt else "not_in_ci"
        yield Finding(kind=kind, subject=folder, text=text, tests=names)


def group_by_folder(
    tests: Iterable[TestFact], left: Iterable[TestFact]
) -> list[tuple[str, list[TestFact]]]:
    """Return the tests that are left, by the highest folder of which none runs, or by file."""
    left = list(left)
    missing = {test.nodeid for test in left}
    partly = {
        folder for test in tests if test.nodeid not in missing for folder in _folders_of(test.path)
    }
    groups: dict[str, list[TestFact]] = {}
    for test in left:
        place = next((one for one in _folders_of(test.path) if one not in partly), test.path)
        groups.setdefault(place or "the project", []).append(test)
    return sorted(groups.items())


def _folders_of(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]


def find_missing_paths(ci: Ci, exists: Callable[[str], bool]) -> Iterator[Finding]:
    """Yield the paths that CI names and that are not there."""
    for invocation in ci.invocations:
        for path in (*invocation.paths, *invocation.ignored):
            file = join("", path.partition("::")[0])
            if file and not set(file) & set("*?[$") and not exists(file):
                text = f"{invocation.command} names it"
                yield Finding(
                    kind="missing_folder", subject=file, text=text, where=invocation.where
                )
