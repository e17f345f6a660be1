"""What the jobs of GitLab CI run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.audit.ci.shell import commands_of
from tierwise.audit.ci.values import Command, Unread
from tierwise.audit.ci.yaml_files import load_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.audit.ci.project import Project

PATTERNS = (".gitlab-ci.yml",)
_NO_JOBS = frozenset(
    (
        *("default", "include", "stages", "variables", "workflow", "image", "services", "cache"),
        *("before_script", "after_script", "spec", "pages:deploy"),
    )
)
_DEEPEST = 8


def read_pipeline(
    path: str, text: str, project: Project, depth: int = 0
) -> Iterator[Command | Unread]:
    """Yield the commands of each job, and what of it could not be told."""
    pipeline = load_yaml(text)
    if not isinstance(pipeline, dict):
        raise LookupError("it holds no jobs")  # noqa: TRY004  of what was read
    yield from _read_includes(pipeline, path, project, depth)
    variables = _texts(pipeline.get("variables"))
    for name, job in pipeline.items():
        if name in _NO_JOBS or str(name).startswith(".") or not isinstance(job, dict):
            continue
        where, whole = f"{path}: {name}", _extend(job, pipeline)
        lines, untold = _lines_of(whole, pipeline)
        known = {**variables, **_texts(whole.get("variables"))}
        yield from commands_of("\n".join(lines), "", where, known)
        if untold:
            yield Unread(where=where, reason="a part of its script is taken from elsewhere")


def _lines_of(job: Mapping[str, Any], pipeline: Mapping[str, Any]) -> tuple[list[str], bool]:
    lines: list[str] = []
    is_untold = False
    default = pipeline.get("default")
    before = job.get("before_script", pipeline.get("before_script"))
    if before is None and isinstance(default, dict):
        before = default.get("before_script")
    for part in (before, job.get("script")):
        for line in _flat(part):
            if line is None:
                is_untold = True
            else:
                lines.append(line)
    return lines, is_untold


def _flat(part: object) -> Iterator[str | None]:
    if isinstance(part, list):
        for entry in part:
            yield from _flat(entry) if isinstance(entry, list) else [_text_of(entry)]
    elif part is not None:
        yield _text_of(part)


def _text_of(entry: object) -> str | None:
    return entry if isinstance(entry, str) else None


def _extend(job: Mapping[str, Any], pipeline: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    found = job.get("extends")
    names = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    whole: dict[str, Any] = {}
    for name in names:
        base = pipeline.get(name)
        if isinstance(base, dict) and depth < _DEEPEST:
            whole |= _extend(base, pipeline, depth + 1)
    return whole | dict(job)


def _read_includes(
    pipeline: Mapping[str, Any], path: str, project: Project, depth: int
) -> Iterator[Command | Unread]:
    included = pipeline.get("include")
    for entry in included if isinstance(included, list) else [included] if included else []:
        local = entry.get("local") if isinstance(entry, dict) else entry
        is_here = isinstance(local, str) and "://" not in local
        text = project.read(local.lstrip("/")) if is_here and isinstance(local, str) else None
        if text is None or depth > _DEEPEST:
            yield Unread(where=path, reason=f"it includes {_say(entry)}, which is not read")
        else:
            yield from read_pipeline(str(local).lstrip("/"), text, project, depth + 1)


def _say(entry: object) -> str:
    if isinstance(entry, dict):
        return " ".join(f"{key} {value}" for key, value in entry.items())
    return str(entry)


def _texts(entry: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in entry.items()} if isinstance(entry, dict) else {}
