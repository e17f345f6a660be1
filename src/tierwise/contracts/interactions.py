"""What a consumer asked of a double, and what it was answered: a file that people review."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.contracts.comparing import Matcher
from tierwise.domain.masking import Masker, mask_leaves, secrets_of_environment
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERSION = 1
_VERSION_KEY = "tierwise_interactions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One call and its answer, both as plain data."""

    call: str
    kind: str = "call"
    """`call`, or `get` and `set` of an attribute."""
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    answer: Any = None
    raises: str | None = None
    """The type of the exception that came in place of an answer."""
    message: str = ""
    """What the exception said, for readers: its type alone is compared."""
    is_async: bool = False
    match: Mapping[str, Matcher] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What a consumer did with one double from its making on, in order."""

    description: str
    given: str = ""
    """The state that the provider has to be brought into first; "" is as it is made."""
    interactions: tuple[Interaction, ...]


def read_interactions(file: str | Path) -> tuple[Scenario, ...]:
    """Return the scenarios of a file; MisuseError says what is wrong with it."""
    path = Path(file)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        version = found[_VERSION_KEY]
        scenarios = tuple(_scenario_of(entry) for entry in found["scenarios"])
    except OSError as error:
        raise MisuseError(
            f"{path} can't be read: {error.strerror}. Record it first: record_interactions(...)."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MisuseError(f"{path} is no file of interactions: {error!r}. Record anew.") from None
    if version != VERSION:
        raise MisuseError(f"{path} is of version {version!r}, expected {VERSION}. Record anew.")
    if not any(scenario.interactions for scenario in scenarios):
        raise MisuseError(f"{path} holds no interactions: nothing would be checked.")
    return scenarios


def keep_scenario(path: Path, scenario: Scenario, secrets: Mapping[str, str]) -> None:
    """Put a scenario into a file in place of the one of its name; equal ones touch nothing."""
    known = [_scenario_as_data(one) for one in (read_interactions(path) if path.exists() else ())]
    data = mask(_scenario_as_data(scenario), secrets)
    if data in known:
        return
    merged = [one for one in known if one["description"] != scenario.description]
    merged = sorted([*merged, data], key=lambda one: str(one["description"]))
    text = json.dumps({_VERSION_KEY: VERSION, "scenarios": merged}, indent=2, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text + "\n", encoding="utf-8")
    draft.replace(path)


def mask(data: Any, secrets: Mapping[str, str]) -> Any:  # noqa: ANN401  plain data
    """Return data with each named secret as `[masked NAME]`, and whatever else looks like one."""
    named = sorted(secrets.items(), key=lambda entry: len(entry[1]), reverse=True)
    others = Masker(secrets_of_environment(os.environ))

    def hide(text: str) -> str:
        for name, value in named:
            text = text.replace(value, f"[masked {name}]") if value else text
        return others(text)

    return mask_leaves(data, hide)


def unmask(data: Any, secrets: Mapping[str, str]) -> Any:  # noqa: ANN401  plain data
    """Return data with the named secrets put back."""

    def show(text: str) -> str:
        for name, value in secrets.items():
            text = text.replace(f"[masked {name}]", value)
        return text

    return mask_leaves(data, show)


def _scenario_as_data(scenario: Scenario) -> dict[str, Any]:
    data: dict[str, Any] = {"description": scenario.description}
    if scenario.given:
        data["given"] = scenario.given
    data["interactions"] = [_interaction_as_data(one) for one in scenario.interactions]
    return data


def _interaction_as_data(one: Interaction) -> dict[str, Any]:
    data: dict[str, Any] = {one.kind: one.call}
    data |= {"async": True} if one.is_async else {}
    data |= {"args": list(one.args)} if one.args else {}
    data |= {"kwargs": dict(one.kwargs)} if one.kwargs else {}
    if one.raises is None:
        data["answer"] = one.answer
    else:
        data |= {"raises": one.raises, "message": one.message}
    if one.match:
        data["match"] = {path: matcher_as_data(rule) for path, rule in one.match.items()}
    return data


def _scenario_of(data: Mapping[str, Any]) -> Scenario:
    return Scenario(
        description=data["description"],
        given=data.get("given", ""),
        interactions=tuple(_interaction_of(one) for one in data["interactions"]),
    )


def _interaction_of(data: Mapping[str, Any]) -> Interaction:
    kind = next(kind for kind in ("call", "get", "set", None) if kind is None or kind in data)
    if kind is None:
        raise KeyError("call, get or set")
    args: Sequence[Any] = data.get("args", ())
    return Interaction(
        call=data[kind],
        kind=kind,
        args=tuple(args),
        kwargs=data.get("kwargs", {}),
        answer=data.get("answer"),
        raises=data.get("raises"),
        message=data.get("message", ""),
        is_async=data.get("async", False),
        match={path: Matcher(**rule) for path, rule in data.get("match", {}).items()},
    )


def matcher_as_data(matcher: Matcher) -> dict[str, Any]:
    """Return what a matcher says, without what it leaves open."""
    values = {one.name: getattr(matcher, one.name) for one in fields(matcher)}
    return {name: value for name, value in values.items() if value not in ("", None)}
