from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, RootModel

from tierwise.providers.http.schema import form_response_format, name_schema


class Inner(BaseModel):
    size: int = Field(ge=1, description="In metres.")


class Plain(BaseModel):
    name: str
    note: str = "none"
    maybe: int | None = None
    inner: Inner = Field(description="What is inside.")


class Tree(BaseModel):
    value: int
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Pet(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


class Odd(BaseModel):
    link: AnyUrl
    links: list[AnyUrl]
    tags: set[str]
    word: str = Field(json_schema_extra={"pattern": "^(?=a).*$"}, examples=["a"])
    day: Annotated[str, Field(json_schema_extra={"format": "date"})]


def strict(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the schema that goes out, which has to be strict."""
    formed = form_response_format(schema)["json_schema"]
    assert formed["strict"] is True
    found: dict[str, Any] = formed["schema"]
    return found


def test_objects_are_closed_and_every_field_is_required() -> None:
    """Vendors refuse an open object or an optional field in a strict schema."""
    schema = strict(Plain)
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["name", "note", "maybe", "inner"]
    inner = schema["$defs"]["Inner"]
    assert (inner["additionalProperties"], inner["required"]) == (False, ["size"])


def test_a_default_is_left_out_and_a_constraint_stays() -> None:
    """`default` is refused in strict mode; bounds and descriptions guide the model."""
    schema = strict(Plain)
    assert "default" not in schema["properties"]["note"]
    size = schema["$defs"]["Inner"]["properties"]["size"]
    assert (size["minimum"], size["description"]) == (1, "In metres.")


def test_a_reference_stands_alone() -> None:
    """What is said beside a reference goes around it: a vendor refuses keywords next to one."""
    inner = strict(Plain)["properties"]["inner"]
    assert inner["anyOf"] == [{"$ref": "#/$defs/Inner"}]
    assert inner["description"] == "What is inside."
    assert "$ref" not in inner


def test_a_schema_that_holds_itself_has_an_object_at_its_root() -> None:
    """Pydantic writes a reference at the root of a recursive schema; vendors want an object."""
    schema = strict(Tree)
    assert (schema["type"], schema["required"]) == ("object", ["value", "children"])
    assert schema["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert schema["$defs"]["Tree"]["additionalProperties"] is False


def test_a_tagged_union_is_any_of() -> None:
    """`oneOf` with a discriminator is refused in strict mode; `anyOf` says the same."""
    pet = strict(Pet)["properties"]["pet"]
    assert pet["anyOf"] == [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
    assert not {"oneOf", "discriminator"} & {*pet}


def test_what_strict_mode_does_not_know_is_left_to_the_check() -> None:
    """Unknown formats, look-around, uniqueness and examples would have the request refused."""
    fields = strict(Odd)["properties"]
    assert fields["link"].keys() <= {"type", "title", "minLength"}
    assert fields["links"]["items"].keys() <= {"type", "minLength"}
    assert fields["tags"].keys() == {"type", "title", "items"}
    assert fields["word"].keys() == {"type", "title"}
    assert fields["day"]["format"] == "date"


class Open(BaseModel):
    counts: dict[str, int]


class Extra(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: str


class Pair(BaseModel):
    pair: tuple[int, str]


class Whatever(BaseModel):
    value: Any


class Whatevers(BaseModel):
    values: list[Any]


Names = RootModel[list[str]]


@pytest.mark.parametrize("schema", [Open, Extra, Pair, Whatever, Whatevers, Names])
def test_what_strict_mode_cannot_say_goes_out_as_it_is(schema: type[BaseModel]) -> None:
    """Open mappings, tuples, anything and lists at the root are asked for without strictness."""
    formed = form_response_format(schema)["json_schema"]
    assert formed["strict"] is False
    assert formed["schema"] == schema.model_json_schema()


def test_the_name_is_one_that_vendors_take() -> None:
    """A name of a generic class has brackets, and there is a longest one."""
    assert name_schema("Box[int]") == "Box_int_"
    assert len(name_schema("x" * 100)) == 64
    assert name_schema("") == "reply"
    assert form_response_format(Plain)["type"] == "json_schema"
    assert form_response_format(Plain)["json_schema"]["name"] == "Plain"
