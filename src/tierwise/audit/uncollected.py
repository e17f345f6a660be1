"""Tests that are written and never collected, and the reason."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tierwise.audit.findings import Finding
from tierwise.audit.tree import is_named_like_tests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tierwise.audit.facts import RunFacts
    from tierwise.audit.test_files import ClassFacts, FileFacts

_TEST_FOLDERS = frozenset({"test", "tests", "testing"})


def find_uncollected(files: Sequence[FileFacts], run: RunFacts) -> Iterator[Finding]:
    """Yield what is never collected: files, classes, hidden tests, files without a test."""
    if not is_told(run):
        return
    known = {test.path for test in run.tests}
    told = {fact.path.partition("::")[0] for fact in run.not_collected}
    told |= {end.subject for end in run.ends}
    bases = {
        base.rpartition(".")[2] for file in files for one in file.classes for base in one.bases
    }
    for file in files:
        if file.path in known:
            yield from _in_collected_file(file, run, bases)
        elif not any(path and f"/{file.path}".endswith(f"/{path}") for path in told) and not any(
            subject.endswith(f"/{file.path}") for subject in told
        ):
            yield from _of_file(file, run)


def is_told(run: RunFacts) -> bool:
    """Tell whether pytest got as far as collecting, so that it is known what it does not take."""
    return bool(run.tests) or run.is_complete


def _of_file(file: FileFacts, run: RunFacts) -> Iterator[Finding]:
    if file.error:
        if is_named_like_tests(file.path):
            text = f"it could not be read: {file.error}"
            yield Finding(kind="never_collected", subject=file.path, text=text)
        return
    if not file.n_tests:
        yield from _without_tests(file, run)
        return
    if not looks_like_tests(file) or (
        excluding_folder(file.path, run) and not is_named_like_tests(file.path)
    ):
        return  # data for tests, which the project itself keeps out
    text = f"{_count(file.n_tests, 'test')} in it, none collected: {why_not(file, run)}"
    yield Finding(kind="never_collected", subject=file.path, text=text)


def _without_tests(file: FileFacts, run: RunFacts) -> Iterator[Finding]:
    if not is_named_like_tests(file.path):
        return
    if file.is_empty:
        yield Finding(kind="empty_test_file", subject=file.path, text="the file is empty")
    elif matches_any(file.path, run.session.settings.get("python_files", ())) and not file.classes:
        text = "it is named like a file of tests and holds none"
        yield Finding(kind="empty_test_file", subject=file.path, text=text)


def looks_like_tests(file: FileFacts) -> bool:
    """Tell whether what is named like a test is one: by its file, its folder or its imports."""
    folders = file.path.split("/")[:-1]
    is_beside_tests = any(folder.lower() in _TEST_FOLDERS for folder in folders)
    is_collectable = bool(file.functions) or any(
        one.tests and (one.name.startswith("Test") or one.is_unittest) for one in file.classes
    )
    is_meant = is_named_like_tests(file.path) or is_beside_tests or bool(file.frameworks)
    return is_meant and is_collectable and not all(one.is_switched_off for one in _holders(file))


def _holders(file: FileFacts) -> Sequence[ClassFacts]:
    """Return the classes that hold tests; one that is not switched off for functions."""
    from tierwise.audit.test_files import ClassFacts  # noqa: PLC0415  a value for what has none

    found = [one for one in file.classes if one.tests]
    return [*found, ClassFacts(name="", line=0, tests=())] if file.functions else found


def why_not(file: FileFacts, run: RunFacts) -> str:
    """Return why pytest does not collect a file."""
    settings = run.session.settings
    folder = excluding_folder(file.path, run)
    if folder:
        return f"norecursedirs leaves its folder {folder} out"
    patterns = settings.get("python_files", ())
    if not matches_any(file.path, patterns):
        return f"its name matches none of python_files ({', '.join(patterns)})"
    testpaths = settings.get("testpaths", ())
    if testpaths and not any(is_below(file.path, path) for path in testpaths):
        return f"it lies outside testpaths ({', '.join(testpaths)})"
    return "no setting says why: look for collect_ignore, --ignore, or classes with __init__"


def excluding_folder(path: str, run: RunFacts) -> str:
    """Return the folder of a path that norecursedirs keeps pytest out of; "" for none."""
    patterns = run.session.settings.get("norecursedirs", ())
    folders = path.split("/")[:-1]
    return next((one for one in folders if any(fnmatchcase(one, p) for p in patterns)), "")


def _in_collected_file(file: FileFacts, run: RunFacts, bases: Iterable[str]) -> Iterator[Finding]:
    for name, line in file.twice:
        text = "a later test of the same name hides it: it never runs"
        yield _found("defined_twice", f"{file.path}::{name}", text, f"{file.path}:{line}")
    collected = {
        test.nodeid.split("::")[1]
        for test in run.tests
        if test.path == file.path and "::" in test.nodeid
    }
    for one in file.classes:
        if not one.tests or one.name in collected or one.name in bases or one.is_switched_off:
            continue
        where, tests = f"{file.path}:{one.line}", _count(len(one.tests), "test")
        if one.has_constructor and not one.is_unittest:
            text = f"{tests} in it, none collected: a class with a constructor is left out"
        else:
            names = ", ".join(run.session.settings.get("python_classes", ()))
            text = (
                f"{tests} in it, none collected: its name matches none of python_classes ({names})"
            )
            if one.is_unittest or matches_class(one.name, run.session.settings):
                continue
        yield _found("never_collected", f"{file.path}::{one.name}", text, where)


def matches_class(name: str, settings: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether pytest takes a class of this name."""
    return any(
        name.startswith(entry) or fnmatchcase(name, entry)
        for entry in settings.get("python_classes", ("Test",))
    )


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Tell whether pytest takes a file by its name."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)


def is_below(path: str, folder: str) -> bool:
    """Tell whether a path is a folder, or lies below it; "" and "." hold everything."""
    folder = folder.strip("/").removeprefix("./")
    return folder in ("", ".") or path == folder or path.startswith(f"{folder}/")


def _found(kind: str, subject: str, text: str, where: str) -> Finding:
    return Finding(kind=kind, subject=subject, text=text, where=where)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
