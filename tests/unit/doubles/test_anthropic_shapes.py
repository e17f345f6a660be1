"""Types closed for the wire, in schemas written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_core import SchemaValidator, ValidationError, core_schema

from tierwise.doubles.gateway.anthropic.problems import explain_problem
from tierwise.doubles.gateway.anthropic.shapes import close


def block(kind: str | tuple[str, ...], *, required: bool = True, **fields: Any) -> Any:
    kinds = [kind] if isinstance(kind, str) else list(kind)
    return core_schema.typed_dict_schema(
        {
            "type": core_schema.typed_dict_field(
                core_schema.literal_schema(kinds), required=required
            ),
            **{
                name: core_schema.typed_dict_field(schema, required=True)
                for name, schema in fields.items()
            },
        }
    )


TEXT = block("text", text=core_schema.str_schema())
IMAGE = block(("image", "picture"), url=core_schema.str_schema())
CUSTOM = block("custom", required=False, name=core_schema.str_schema())
BODY = core_schema.typed_dict_schema(
    {
        "content": core_schema.typed_dict_field(
            core_schema.union_schema(
                [
                    core_schema.str_schema(),
                    core_schema.generator_schema(core_schema.union_schema([TEXT, IMAGE])),
                ]
            ),
            required=True,
        ),
        "tools": core_schema.typed_dict_field(
            core_schema.list_schema(core_schema.union_schema([CUSTOM, IMAGE])), required=False
        ),
        "extra": core_schema.typed_dict_field(
            core_schema.typed_dict_schema({}, extra_behavior="allow"), required=False
        ),
        "file": core_schema.typed_dict_field(
            core_schema.union_schema(
                [core_schema.str_schema(), core_schema.is_instance_schema(object)]
            ),
            required=False,
        ),
        "workspace": core_schema.typed_dict_field(core_schema.str_schema(), required=False),
    }
)


def read(body: dict[str, Any]) -> Any:
    closed: Any = close(dict(BODY), without=("workspace",), more={"stream": "bool"})
    try:
        return SchemaValidator(closed).validate_python(body, strict=True)
    except ValidationError as error:
        return explain_problem(error, body)


@pytest.mark.parametrize(
    "body",
    [
        {"content": "a"},
        {"content": [{"type": "text", "text": "a"}, {"type": "picture", "url": "b"}]},
        {"content": "a", "tools": [{"name": "n"}, {"type": "custom", "name": "n"}]},
        {"content": "a", "extra": {"anything": {"at": "all"}}},
        {"content": "a", "file": "f", "stream": True},
    ],
)
def test_what_the_types_say_is_read(body: dict[str, Any]) -> None:
    """Texts, blocks by their type, tools without one, what is open, and fields that are added."""
    assert read(body) == body


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, "content: Field required"),
        ({"content": "a", "colour": 1}, "colour: Extra inputs are not permitted"),
        ({"content": "a", "workspace": "w"}, "workspace: Extra inputs are not permitted"),
        ({"content": 5}, "content: Input should be a valid string"),
        ({"content": "a", "stream": 1}, "stream: Input should be a valid boolean"),
        ({"content": "a", "file": 5}, "file: Input should be a valid string"),
        ({"content": [{"type": "text"}]}, "content.0.text.text: Field required"),
        (
            {"content": [{"type": "text", "text": "a", "size": 1}]},
            "content.0.text.size: Extra inputs are not permitted",
        ),
        (
            {"content": [{"type": "sound"}]},
            (
                "content.0: Input tag 'sound' found using 'type' does not match any of the "
                "expected tags: 'image', 'picture', 'text'"
            ),
        ),
        ({"content": "a", "tools": [{}]}, "tools.0.custom.name: Field required"),
    ],
)
def test_what_they_do_not_say_is_refused_with_its_place(
    body: dict[str, Any], problem: str
) -> None:
    """One problem, at its place, without the names of branches."""
    assert read(body) == problem


def test_iterables_are_read_at_once() -> None:
    """A lazy iterable would hide what is wrong in it until someone looks."""
    found = read({"content": [{"type": "text", "text": "a"}]})

    assert isinstance(found["content"], list)
