"""Schemas as a vendor takes them: formed once, and told where there is no form."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable  # noqa: TC003  pydantic reads it
from typing import Any

import pydantic

from tierwise.providers import Failure, FailureKind
from tierwise.providers.wire.schema_forms import SchemaForms


class Note(pydantic.BaseModel):
    """What is asked for."""

    title: str


class Hook(pydantic.BaseModel):
    """What no JSON schema can say."""

    call: Callable[[], None]


def test_a_schema_is_formed_once() -> None:
    """Forming costs more than sending, so that it is kept."""
    asked: list[type[pydantic.BaseModel]] = []

    def form(schema: type[pydantic.BaseModel]) -> dict[str, Any]:
        asked.append(schema)
        return {"n": len(asked)}

    forms = SchemaForms(form)

    assert [forms.find(Note), forms.find(Note), forms.find(None)] == [{"n": 1}, {"n": 1}, None]


def test_a_schema_that_nobody_holds_is_forgotten() -> None:
    """A program may make a schema for each call."""
    forms = SchemaForms(lambda _: {})
    made = pydantic.create_model("Made", title=(str, ...))
    watched = weakref.ref(made)
    forms.find(made)

    del made
    gc.collect()

    assert watched() is None


def test_what_no_json_schema_can_say_is_a_bad_request() -> None:
    """The failure names the schema, in one sentence and without links."""
    found = SchemaForms(lambda schema: schema.model_json_schema()).find(Hook)

    assert isinstance(found, Failure)
    assert found.kind is FailureKind.BAD_REQUEST
    assert found.message.startswith("Hook can't be sent as a JSON schema: ")
    assert "https://" not in found.message


def test_what_a_vendor_can_t_say_is_a_bad_request() -> None:
    """The vendor's reason is quoted."""

    def refuse(schema: type[pydantic.BaseModel]) -> dict[str, Any]:
        raise ValueError("it is open")

    found = SchemaForms(refuse).find(Note)

    assert isinstance(found, Failure)
    assert found.message == "Note can't be sent as a JSON schema: it is open."
