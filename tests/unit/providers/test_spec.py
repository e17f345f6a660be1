from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from tierwise.domain import Message
from tierwise.errors import MissingExtraError, ProviderSpecError
from tierwise.providers import (
    MockProvider,
    Request,
    SchemaProvider,
    SimulatedProvider,
    provider_from_spec,
)
from tierwise.providers.spec import identify_provider


class Mine(MockProvider):
    """A class that has all that a provider has, without being one."""

    name = "mine"

    def __init__(self) -> None:
        super().__init__([], name="mine")


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a module of a user's, importable as `my_models`."""
    module = ModuleType("my_models")
    monkeypatch.setitem(sys.modules, "my_models", module)
    return module


def ask(seed: int) -> Request[Any]:
    return Request(messages=(Message(role="user", content="the prompt"),), seed=seed)


async def test_schema_with_a_seed() -> None:
    """`schema` and `schema:seed=3` make answers up, from the seed that was given."""
    plain, seeded = provider_from_spec("schema"), provider_from_spec("schema:seed=3")
    assert isinstance(plain, SchemaProvider)
    assert (await plain.generate(ask(1))).text != (await seeded.generate(ask(1))).text


async def test_simulated_with_options() -> None:
    """Rate, secret and seed of a simulation are options."""
    provider = provider_from_spec("simulated:rate=1,secret=poison,seed=2")
    assert isinstance(provider, SimulatedProvider)
    assert (await provider.generate(ask(1))).text == "poison"
    assert (await provider_from_spec("simulated:rate=1").generate(ask(1))).text == "the prompt"
    assert "prompt" not in (await provider_from_spec("simulated").generate(ask(1))).text


def test_an_object_a_function_and_a_class_of_yours(mine: ModuleType) -> None:
    """`module:name` takes a provider, or makes one by a call without arguments."""
    mine.ready = MockProvider([], name="ready")  # type: ignore[attr-defined]
    mine.make = lambda: MockProvider([], name="made")  # type: ignore[attr-defined]
    mine.Class = Mine  # type: ignore[attr-defined]
    names = [provider_from_spec(f"my_models:{name}").name for name in ("ready", "make", "Class")]
    assert names == ["ready", "made", "mine"]
    assert not isinstance(provider_from_spec("my_models:Class"), type)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", ("names no provider", "simulated")),
        ("lcoal", ("names no provider", "Did you mean 'local'")),
        ("lcoal:smollm2", ("no module 'lcoal'", "'local'")),
        ("schema:sede=3", ("no option 'sede'", "Did you mean 'seed'")),
        ("schema:seed=x", ("seed is 'x'", "expected int")),
        ("simulated:rate", ("no option 'rate'",)),
        ("simulated:rate=2", ("'simulated:rate=2'", "expected 0 to 1")),
        ("simulated:rate=much", ("expected float",)),
        ("no_such_package.models:x", ("no module 'no_such_package'", "root", "pythonpath")),
        ("my_models:mkae", ("has no 'mkae'", "Did you mean 'make'")),
        ("my_models:number", ("of type int", "no name, generate")),
        ("my_models:needs", ("without arguments", "TypeError")),
        ("my_models:wrong", ("of type str",)),
        ("local:smolm2", ("no model 'smolm2'", "Did you mean 'smollm2'")),
        ("local:/no/such/model.gguf", ("no weights at '/no/such/model.gguf'",)),
        ("local:missing.gguf", ("no weights at 'missing.gguf'",)),
    ],
)
def test_a_wrong_specification_says_what_was_found_and_what_is_near(
    spec: str, words: tuple[str, ...], mine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mistake is refused with the specification's own words and the closest valid ones."""
    monkeypatch.setattr("tierwise.providers.local.provider.has_engine", lambda: True)
    mine.make = lambda: MockProvider([])  # type: ignore[attr-defined]
    mine.number = 5  # type: ignore[attr-defined]
    mine.needs = lambda url: url  # type: ignore[attr-defined]
    mine.wrong = lambda: "text"  # type: ignore[attr-defined]
    with pytest.raises(ProviderSpecError) as caught:
        provider_from_spec(spec)
    for word in words:
        assert word in str(caught.value)


def test_a_provider_is_identified_by_its_own_word_or_its_specification() -> None:
    """Options tell two simulations apart; where the weights lie does not tell two models apart."""
    spec = "simulated:rate=1"
    assert identify_provider(provider_from_spec(spec), f" {spec} ") == spec
    assert identify_provider(MockProvider([], name="mine"), None) == "mine"
    mine = MockProvider([])
    mine.identity = "a.gguf, 7 bytes"  # type: ignore[attr-defined]
    assert identify_provider(mine, "local:/home/me/a.gguf") == "a.gguf, 7 bytes"


def test_missing_weights_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the weights are not installed, the error names the command that brings them."""
    monkeypatch.setattr("tierwise.providers.local.provider.has_engine", lambda: True)
    monkeypatch.setattr("tierwise.providers.local.weights.locate", lambda _: None)
    with pytest.raises(MissingExtraError, match="tierwise model install smollm2"):
        provider_from_spec("local")


def test_a_missing_engine_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine is not installed, the error names the extra."""
    monkeypatch.setattr("tierwise.providers.local.provider.has_engine", lambda: False)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[local\]'"):
        provider_from_spec("local")
