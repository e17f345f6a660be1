"""Cases kept in a file: JSONL, JSON, CSV or YAML."""

from __future__ import annotations

import difflib
import inspect
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.case_list import CaseList
from tierwise.evals.case_models import make_validator
from tierwise.evals.case_rows import READERS, Row, read_rows
from tierwise.evals.cases import hash_content

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

T = TypeVar("T")

_LIKE = 0.8


@overload
def load_cases(
    path: str | Path, model: None = None, *, id_field: str | None = None
) -> CaseList[dict[str, Any]]: ...
@overload
def load_cases(
    path: str | Path, model: type[T], *, id_field: str | None = None
) -> CaseList[T]: ...
def load_cases(
    path: str | Path, model: type[Any] | None = None, *, id_field: str | None = None
) -> CaseList[Any]:
    """Return the cases of a `.jsonl`, `.json`, `.csv`, `.yaml` or `.yml` file, in its order.

    The path is relative to the file that calls this. With a `model`, a pydantic model or a
    dataclass, each row is made one, and a field that it does not know is refused; without, each is
    a dict, and a field that looks like a misspelt one of other rows is refused. A case's id is its
    `id_field`, else its `id`, else comes from its content. Two rows with the same id, or with the
    same content, are refused.
    """
    if not isinstance(path, str | PathLike):
        raise EvalUsageError(
            f"load_cases({path!r}): expected the path of a file, such as 'cases.jsonl'."
            " Cases that are at hand go to evaluate(cases=[...]) as they are."
        )
    if not isinstance(id_field, str | None):
        raise EvalUsageError(f"id_field={id_field!r}: expected the name of a field.")
    frame = inspect.currentframe()
    found = _find_file(Path(path), None if frame is None else frame.f_back)
    file = _name_file(found)
    rows = read_rows(found.read_bytes(), _kind_of(found, file), file)
    ids = None if id_field is None else [_read_id(row, file, id_field) for row in rows]
    _refuse_same_ids(rows, file, id_field or "id")
    _refuse_same_content(rows, file, id_field or "id")
    if model is None:
        _refuse_lookalikes(rows, file)
        return CaseList([dict(row.fields) for row in rows], ids)
    validate = make_validator(model, file, is_text=found.suffix.lower() == ".csv")
    return CaseList([validate(row) for row in rows], ids)


def _find_file(path: Path, caller: FrameType | None) -> Path:
    name: str | None = None if caller is None else caller.f_globals.get("__file__")
    beside = "" if name is None else f" The path is relative to {Path(name).name}, which names it."
    folder = Path.cwd() if name is None else Path(name).resolve().parent
    found = folder / path
    if found.is_file():
        return found
    what = "is a folder" if found.is_dir() else "does not exist"
    elsewhere = f" There is one at {path} seen from here." * (name is not None and path.is_file())
    near = [entry.name for entry in found.parent.iterdir()] if found.parent.is_dir() else []
    close = difflib.get_close_matches(path.name, near, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise EvalUsageError(f"The file of cases {_name_file(found)} {what}.{beside}{elsewhere}{hint}")


def _name_file(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.name


def _kind_of(path: Path, file: str) -> str:
    kind = path.suffix.lower()
    if kind not in READERS:
        raise EvalUsageError(f"{file}: cases are not read from {kind!r}.{suggest(kind, READERS)}")
    return kind


def _refuse_lookalikes(rows: Sequence[Row], file: str) -> None:
    """Refuse two fields that look alike when no row has both: one is misspelt."""
    counts = Counter(name for row in rows for name in row.fields)
    rare = sorted((name for name, n in counts.items() if n < len(rows)), key=counts.__getitem__)
    for place, name in enumerate(rare):
        for other in difflib.get_close_matches(name, rare[place + 1 :], n=3, cutoff=_LIKE):
            if any(name in row.fields and other in row.fields for row in rows):
                continue
            row = next(row for row in rows if name in row.fields)
            raise EvalUsageError(
                f"{file}, {row.where} has the field {name!r}, where {counts[other]} other row(s) "
                f"have {other!r}: one of them is misspelt. If both are meant, give a row both, or "
                "name the fields by a model=..."
            )


def _refuse_same_content(rows: Sequence[Row], file: str, id_field: str) -> None:
    seen: dict[str, Row] = {}
    for row in rows:
        content = {name: value for name, value in row.fields.items() if name != id_field}
        try:
            key = hash_content(content or row.fields)
        except RecursionError:
            raise EvalUsageError(
                f"{file}, {row.where} nests too deeply, or without an end."
            ) from None
        first = seen.setdefault(key, row)
        if first is not row:
            but = f" but for its {id_field}" if first.fields != row.fields else ""
            raise EvalUsageError(
                f"{file}, {row.where} is the same case as {first.where}{but}. More runs of one "
                "case are trials=..., not the case twice."
            )


def _refuse_same_ids(rows: Sequence[Row], file: str, id_field: str) -> None:
    seen: dict[str, Row] = {}
    for row in rows:
        if (value := row.fields.get(id_field)) is None:
            continue
        first = seen.setdefault(" ".join(str(value).split()), row)
        if first is not row:
            raise EvalUsageError(
                f"{file}, {row.where} has the {id_field} {value!r}, which {first.where} has "
                "already. Give each case one of its own."
            )


def _read_id(row: Row, file: str, id_field: str) -> str:
    value = row.fields.get(id_field)
    if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
        return " ".join(str(value).split())
    hint = "" if id_field in row.fields else suggest(id_field, row.fields)
    raise EvalUsageError(
        f"{file}, {row.where}: {id_field!r} names the case and is {value!r}; expected a text or a "
        f"whole number.{hint}"
    )
