"""All of a project's CI: services first, or its own commands where there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.audit.ci import github, gitlab, justfile, makefile
from tierwise.audit.ci.following import Following
from tierwise.audit.ci.nox import parse_noxfile
from tierwise.audit.ci.tox import read_tox
from tierwise.audit.ci.values import Ci, Command, Unread
from tierwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.audit.ci.project import Project

_NOT_READ = {
    ".circleci/config.yml": "CircleCI",
    ".travis.yml": "Travis CI",
    "azure-pipelines.yml": "Azure Pipelines",
    "Jenkinsfile": "Jenkins",
    "bitbucket-pipelines.yml": "Bitbucket Pipelines",
    ".drone.yml": "Drone",
    ".woodpecker.yml": "Woodpecker",
    "appveyor.yml": "AppVeyor",
    ".buildkite/pipeline.yml": "Buildkite",
    ".cirrus.yml": "Cirrus CI",
}


def read_ci(project: Project) -> Ci:
    """Return what the project's CI runs; where no service is set up, what its commands run."""
    following, files = Following(project), list[str]()
    for path in _service_files(project):
        files.append(path)
        _read_service(path, project, following)
    for path, name in _NOT_READ.items():
        if project.has(path):
            files.append(path)
            following.unread.append(Unread(where=path, reason=f"files of {name} are not read"))
    others: tuple[str, ...] = ()
    if not files:
        others = _read_commands(project, following)
    return Ci(
        files=tuple(files),
        others=others,
        invocations=tuple(dict.fromkeys(following.invocations)),
        unread=tuple(dict.fromkeys(following.unread)),
    )


def _service_files(project: Project) -> Iterator[str]:
    for pattern in (*github.PATTERNS, *gitlab.PATTERNS):
        yield from project.find(pattern)


def _read_service(path: str, project: Project, following: Following) -> None:
    text = project.read(path)
    if text is None:
        following.unread.append(Unread(where=path, reason="it cannot be read"))
        return
    read = gitlab.read_pipeline if path in gitlab.PATTERNS else github.read_workflow
    try:
        for found in read(path, text, project):
            if isinstance(found, Unread):
                following.unread.append(found)
            else:
                following.follow([found])
    except MissingExtraError:
        reason = "it is YAML, and pyyaml is not installed: pip install 'tierwise[evals]'"
        following.unread.append(Unread(where=path, reason=reason))
    except (LookupError, AttributeError, TypeError, ValueError) as error:
        following.unread.append(
            Unread(where=path, reason=str(error.args[0] if error.args else error))
        )


def _read_commands(project: Project, following: Following) -> tuple[str, ...]:
    """Follow all that the project's own files of commands offer."""
    files = []
    for path, calls in _calls(project):
        files.append(path)
        for words in calls:
            following.follow([Command(words=words, folder="", where=" ".join(words))])
    return tuple(files)


def _calls(project: Project) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    for name in makefile.NAMES:
        text = project.read(name)
        if text is not None:
            targets = makefile.parse_makefile(text).recipes
            yield name, [("make", target) for target in targets if target.isidentifier()]
    for name in justfile.NAMES:
        text = project.read(name)
        if text is not None:
            yield name, [("just", recipe) for recipe in justfile.parse_justfile(text).recipes]
    try:
        path, environments, _ = read_tox("", project)
        yield path, [("tox", "-e", name) for name in environments]
    except LookupError:
        pass
    text = project.read("noxfile.py")
    if text is not None:
        try:
            yield "noxfile.py", [("nox", "-s", name) for name in parse_noxfile(text)[0]]
        except LookupError:
            yield "noxfile.py", [("nox",)]
