"""What the workflows of GitHub Actions run."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

from tierwise.audit.ci.project import join
from tierwise.audit.ci.shell import commands_of
from tierwise.audit.ci.values import Command, Unread
from tierwise.audit.ci.yaml_files import load_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.audit.ci.project import Project

PATTERNS = (".github/workflows/*.yml", ".github/workflows/*.yaml")
_MATRIX = re.compile(r"\$\{\{\s*matrix\.([\w.-]+)\s*\}\}")
_MOST_CELLS = 60
_SCRIPTS = ("run", "script", "command", "cmd")
"""What an action of another repository that runs commands calls them."""
_RUNS_TESTS = re.compile(r"pytest|tox|nox|test", re.IGNORECASE)


def read_workflow(path: str, text: str, project: Project) -> Iterator[Command | Unread]:
    """Yield the commands of a workflow, and what of it could not be told."""
    workflow = load_yaml(text)
    if not isinstance(workflow, dict) or not isinstance(workflow.get("jobs"), dict):
        raise LookupError("it has no jobs")  # noqa: TRY004  of what was read, not of a type
    folder = _folder_of(workflow, "")
    variables = _texts(workflow.get("env"))
    for name, job in workflow["jobs"].items():
        if isinstance(job, dict):
            where = f"{path}: {name}"
            yield from _read_job(job, where, _folder_of(job, folder), variables, project)


def _read_job(  # noqa: PLR0917  one a thing that a job inherits
    job: Mapping[str, Any],
    where: str,
    folder: str,
    variables: Mapping[str, str],
    project: Project,
) -> Iterator[Command | Unread]:
    used = job.get("uses")
    if isinstance(used, str) and not used.startswith("./"):
        yield Unread(where=where, reason=f"it uses a workflow of another repository: {used}")
    known = {**variables, **_texts(job.get("env"))}
    for cell in cells_of(job.get("strategy")):
        for step in job.get("steps") or ():
            if isinstance(step, dict):
                yield from _read_step(_fill(step, cell), where, folder, known, project)


def _read_step(  # noqa: PLR0917  one a thing that a step inherits
    step: Mapping[str, Any],
    where: str,
    folder: str,
    variables: Mapping[str, str],
    project: Project,
) -> Iterator[Command | Unread]:
    known = {**variables, **_texts(step.get("env"))}
    if isinstance(step.get("run"), str):
        here = join("", str(step["working-directory"])) if "working-directory" in step else folder
        yield from commands_of(step["run"], here, where, known)
    used, given = step.get("uses"), _texts(step.get("with"))
    if not isinstance(used, str):
        return
    if used.startswith("./"):
        yield from _read_action(used, where, folder, project)
    elif scripts := [text for name in _SCRIPTS if (text := given.get(name))]:
        yield from commands_of("\n".join(scripts), folder, where, known)
    elif _RUNS_TESTS.search(used):
        yield Unread(where=where, reason=f"it uses {used}, whose commands are elsewhere")


def _read_action(
    used: str, where: str, folder: str, project: Project
) -> Iterator[Command | Unread]:
    names = (join(used, "action.yml"), join(used, "action.yaml"))
    path = next((name for name in names if project.has(name)), names[0])
    text = project.read(path)
    if text is None:
        yield Unread(where=where, reason=f"it uses {used}, which is not here")
        return
    action = load_yaml(text)
    steps = action.get("runs", {}).get("steps", ()) if isinstance(action, dict) else ()
    for step in steps:
        if isinstance(step, dict) and isinstance(step.get("run"), str):
            yield from commands_of(step["run"], folder, f"{where} > {path}")


def cells_of(strategy: object) -> list[dict[str, str]]:
    """Return the combinations of a matrix, as far as they are written out; one empty for none."""
    matrix = strategy.get("matrix") if isinstance(strategy, dict) else None
    if not isinstance(matrix, dict):
        return [{}]
    axes = {
        name: values
        for name, values in matrix.items()
        if isinstance(values, list) and name not in ("include", "exclude")
    }
    cells = [
        {key: value for entry in combined for key, value in entry}
        for combined in itertools.product(
            *([_flatten(name, value) for value in values] for name, values in axes.items())
        )
    ]
    included = matrix.get("include")
    cells += [
        dict(pair for name in entry for pair in _flatten(name, entry[name]))
        for entry in (included if isinstance(included, list) else ())
        if isinstance(entry, dict)
    ]
    return (cells or [{}])[:_MOST_CELLS]


def _flatten(name: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key in value for pair in _flatten(f"{name}.{key}", value[key])]
    return [(name, str(value))]


def _fill(step: Mapping[str, Any], cell: Mapping[str, str]) -> dict[str, Any]:
    def put(found: re.Match[str]) -> str:
        return cell.get(found.group(1), found.group(0))

    return {
        name: _MATRIX.sub(put, value) if isinstance(value, str) else value
        for name, value in step.items()
    }


def _folder_of(entry: Mapping[str, Any], folder: str) -> str:
    defaults = entry.get("defaults")
    run = defaults.get("run") if isinstance(defaults, dict) else None
    found = run.get("working-directory") if isinstance(run, dict) else None
    return join("", str(found)) if found else folder


def _texts(entry: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in entry.items()} if isinstance(entry, dict) else {}
