"""Cases of any kind made into values with an id and a hash of their content."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tierwise.errors import EvalUsageError
from tierwise.evals.case_content import as_text, hash_data, read_content
from tierwise.evals.case_list import CaseList

_LONGEST_ID = 48
_SHORT = 8


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input of an eval: what the body gets, its id and a hash of what is in it."""

    id: str
    value: Any
    content: str
    unreadable: tuple[str, ...] = ()
    """The types of what in it cannot be read: whether such a case was edited nobody can tell."""


def gather_cases(values: Iterable[Any], *, what: str = "cases") -> tuple[Case, ...]:
    """Return all values as cases with unique ids; a generator is used up once.

    The id of a case is its `id` attribute or key, or else comes from its content; two cases with
    one id are refused, since nobody could tell their trials apart.
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise EvalUsageError(
            f"{what}={values!r}: expected several cases, such as a list, a tuple or a generator. "
            f"A single case is a list of one: {what}=[...]."
        )
    ids = values.ids if isinstance(values, CaseList) else None
    cases: dict[str, Case] = {}
    for position, value in enumerate(values):
        case = _case_of(value, position, what, named=None if ids is None else ids[position])
        if case.id in cases and cases[case.id].content != case.content:
            case = _lengthen(case)
        if case.id in cases:
            first = list(cases).index(case.id)
            raise EvalUsageError(
                f"{what}[{position}] has the id {case.id!r}, which {what}[{first}] has already. "
                "Give each case an `id` of its own; more runs of one case are trials=..., not "
                "the case twice."
            )
        cases[case.id] = case
    if not cases:
        raise EvalUsageError(
            f"{what} is empty: there is nothing to run, and nothing run is nothing proven. "
            "Give at least one case."
        )
    return tuple(cases.values())


def hash_content(*parts: object) -> str:
    """Return the SHA-256 of the parts' canonical JSON."""
    return hash_data([canonical(part) for part in parts])


def hash_rows(parts: Sequence[object], rows: Iterable[Sequence[str | int]]) -> str:
    """Return `hash_content(*parts, [*rows])` with one row after another in memory."""
    found = hashlib.sha256(as_text([canonical(part) for part in parts])[:-1])
    found.update(b", [")
    before = b""
    for row in rows:
        found.update(before + as_text(row))
        before = b", "
    found.update(b"]]")
    return found.hexdigest()


def canonical(value: object) -> Any:  # noqa: ANN401  JSON-like data
    """Return the value as JSON-like data that is equal whenever the content is equal."""
    return read_content(value).data


def _case_of(value: object, position: int, what: str, *, named: str | None = None) -> Case:
    try:
        read = read_content(value)
        content = hash_data([read.data])
    except RecursionError:
        raise EvalUsageError(
            f"{what}[{position}] contains itself, or is nested too deeply to be read. Give the "
            "body a flatter value, or the name of a file that it reads itself."
        ) from None
    own = value.get("id") if isinstance(value, Mapping) else getattr(value, "id", None)
    given = own if named is None else named
    if given is not None and not callable(given):
        found = _require_id(given, position, what)
    else:
        if callable(value) or (read.unreadable and not _is_container(value)):
            raise EvalUsageError(
                f"{what}[{position}] is a {type(value).__qualname__}, whose content cannot be "
                "read, so it has no stable id. Use a frozen dataclass, a pydantic model or a "
                "dict, or give it an `id`."
            )
        found = _id_from_content(value, content)
    return Case(id=found, value=value, content=content, unreadable=read.unreadable)


def _is_container(value: object) -> bool:
    return isinstance(value, str | int | float | bool | Mapping | list | tuple)


def _require_id(given: object, position: int, what: str) -> str:
    if found := _clean(str(given)):
        return found
    raise EvalUsageError(
        f"{what}[{position}] has the id {given!r}: expected one with a visible character. Leave "
        "it out (None) to have it come from the content."
    )


def _lengthen(case: Case) -> Case:
    """Return the case with more of its hash in its id: two contents can share the short one."""
    if not case.id.endswith(f"-{case.content[:_SHORT]}"):
        return case
    return dataclasses.replace(case, id=f"{case.id}{case.content[_SHORT : 3 * _SHORT]}")


def _id_from_content(value: object, content: str) -> str:
    short = content[:_SHORT]
    if isinstance(value, str):
        text = _clean(value)
        is_whole = text == value and len(text) <= _LONGEST_ID
        return text if is_whole else f"{text[: _LONGEST_ID - _SHORT - 1].rstrip()}-{short}"
    if isinstance(value, int | float | bool):
        return str(value)
    return f"{type(value).__name__.lower()}-{short}"


def _clean(text: str) -> str:
    # Half a surrogate has no place in a file: the store would keep another id than this one.
    return " ".join(text.encode("utf-8", "backslashreplace").decode().split())
