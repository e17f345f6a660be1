"""What is wrong with a body, in the vendor's words: `messages.0.content: Field required`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails, ValidationError

_ROLES = '"user", "assistant" or "system"'
_CUSTOM = "custom"
"""The type of a tool that does not say its type."""


def explain_problem(error: ValidationError, body: object) -> str:
    """Return the one problem that the vendor would report, with the place where it is."""
    problems = [
        (_place(problem["loc"], body), problem)
        for problem in error.errors(include_url=False, include_input=False)
    ]
    place, chosen = problems[0]
    role = _find_wrong_role(chosen, place, body)
    if role is not None:
        return f'messages: Unexpected role "{role}". Allowed roles are {_ROLES}.'
    for deeper, problem in problems[1:]:
        # One branch of a union fits no text, the other no list: what went further is meant.
        if len(deeper) > len(place) and deeper[: len(place)] == place:
            place, chosen = deeper, problem
            break
    words = _say(chosen)
    return f"{'.'.join(place)}: {words}" if place else words


def _find_wrong_role(problem: ErrorDetails, place: tuple[str, ...], body: Any) -> str | None:  # noqa: ANN401  JSON
    if problem["type"] == "union_tag_invalid" and problem["ctx"]["discriminator"] == "'role'":
        return str(problem["ctx"]["tag"])
    # One type for all roles, in the majors before the current one.
    if (
        problem["type"] == "literal_error"
        and place[:1] == ("messages",)
        and place[2:] == ("role",)
    ):
        return str(body["messages"][int(place[1])]["role"])
    return None


def _place(location: Sequence[int | str], body: object) -> tuple[str, ...]:
    """Return the keys of a place, and the types of blocks, without the names of our branches."""
    place: list[str] = []
    here: Any = body
    labelled: object = None
    for index, step in enumerate(location):
        if isinstance(here, dict) and labelled is not here and step == _type_of(here, place):
            place.append(str(step))
            labelled = here
        elif isinstance(here, dict) and step in here:
            place.append(str(step))
            here = here[step]
        elif isinstance(here, list) and isinstance(step, int):
            place.append(str(step))
            here = here[step] if step < len(here) else None
        elif index == len(location) - 1 and isinstance(here, dict) and not _is_branch(step, here):
            place.append(str(step))
    return tuple(place)


def _type_of(block: dict[str, Any], place: list[str]) -> object:
    if place[:1] == ["tools"] and len(place) == 2:  # noqa: PLR2004  the tool itself
        return block.get("type") or _CUSTOM
    return block.get("type")


def _is_branch(step: int | str, block: dict[str, Any]) -> bool:
    return step in {"str", block.get("role")} or str(step).startswith(("list[", "dict["))


def _say(problem: ErrorDetails) -> str:
    context = problem.get("ctx", {})
    if problem["type"] == "union_tag_invalid":
        tags = ", ".join(sorted(context["expected_tags"].split(", ")))
        return (
            f"Input tag '{context['tag']}' found using 'type' does not match any of the expected "
            f"tags: {tags}"
        )
    if problem["type"] == "list_type":
        return "Input should be a valid list"
    if problem["type"] == "dict_type":
        return "Input should be a valid dictionary"
    return problem["msg"]
