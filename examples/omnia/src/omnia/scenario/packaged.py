"""The scenarios that come with Omnia, read from the package."""

from __future__ import annotations

from importlib import resources

from omnia.scenario.build import ScenarioError

_SUFFIX = ".json"


def list_packaged() -> tuple[str, ...]:
    """Return the names of the scenarios that come along."""
    files = (resources.files("omnia.scenario") / "data").iterdir()
    return tuple(sorted(f.name[: -len(_SUFFIX)] for f in files if f.name.endswith(_SUFFIX)))


def read_packaged(name: str) -> str:
    """Return the JSON text of a scenario that comes along; name those there are otherwise."""
    names = list_packaged()
    if name not in names:
        raise ScenarioError([f"no scenario {name!r}; there are: {', '.join(names)}"])
    return (resources.files("omnia.scenario") / "data" / f"{name}{_SUFFIX}").read_text("utf-8")
