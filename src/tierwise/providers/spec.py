"""A provider from the text that a command line or pyproject.toml names it by."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from tierwise.errors import MissingExtraError, MisuseError, ProviderSpecError, suggest
from tierwise.providers.protocol import Provider
from tierwise.providers.wire.address import hide_secrets, split_http_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_FORMS = (
    "anthropic:MODEL",
    "gemini:MODEL",
    "http://HOST/v1#MODEL",
    "local",
    "local:NAME-OR-PATH",
    "openai:MODEL",
    "schema",
    "simulated:rate=0.05",
    "package.module:name",
)
_OPTIONS: Mapping[str, Mapping[str, Callable[[str], object]]] = {
    "anthropic": {
        "key_env": str,
        "base_url": str,
        "timeout": float,
        "max_tokens": int,
        "api_version": str,
    },
    "gemini": {"key_env": str, "base_url": str, "timeout": float},
    "http": {"key_env": str, "timeout": float, "max_tokens_as": str},
    "openai": {"key_env": str, "base_url": str, "timeout": float, "max_tokens_as": str},
    "schema": {"seed": int},
    "simulated": {"rate": float, "secret": str, "seed": int, "latency": float},
}
# Loaded when they are asked for: a run has one of them, and all of them take as long as pytest.
_CLASSES: Mapping[str, str] = {
    "anthropic": "anthropic.provider:AnthropicProvider",
    "gemini": "gemini.provider:GeminiProvider",
    "http": "http.provider:HttpProvider",
    "local": "local.provider:LocalProvider",
    "openai": "openai.provider:OpenAIProvider",
    "schema": "made_up.schema:SchemaProvider",
    "simulated": "made_up.simulated:SimulatedProvider",
}
_VENDORS = frozenset({"anthropic", "gemini", "openai"})


def provider_from_spec(spec: str) -> Provider:
    """Return the provider that a specification names.

    `local` and `local:NAME-OR-PATH` run a model on this machine, `schema` (`schema:seed=3`) makes
    valid answers up, `simulated:rate=0.05` (also `secret=`, `seed=`, `latency=` in seconds) leaks
    in that share of its replies, `http://HOST/v1#MODEL` (also `key_env=`, `timeout=`,
    `max_tokens_as=`) asks an OpenAI-compatible server, `anthropic:MODEL` (also `key_env=`,
    `base_url=`, `timeout=`, `max_tokens=`, `api_version=`) asks Anthropic through its SDK,
    `openai:MODEL` (also `key_env=`, `base_url=`, `timeout=`, `max_tokens_as=`) OpenAI,
    `gemini:MODEL` (also `key_env=`, `base_url=`, `timeout=`) Gemini, and `package.module:name` is
    an object of yours or a function or class that makes one without arguments. All else raises
    `ProviderSpecError`.
    """
    head, _, rest = spec.strip().partition(":")
    if head in {"http", "https"}:
        return _make_http(spec)
    if head in _VENDORS:
        return _make_vendor(spec, head, _load(head))
    if head == "local":
        return _load(head)(rest or "smollm2")
    if head == "schema":
        options = _read_options(spec, head, rest)
        return _load(head)(**options, keep_calls=False)
    if head == "simulated":
        return _make_simulated(spec, _read_options(spec, head, rest))
    if head and rest:
        return _import_provider(spec, head, rest)
    raise ProviderSpecError(f"{spec!r} names no provider.{suggest(head, _FORMS)}")


def identify_provider(provider: Provider, spec: str | None) -> str:
    """Return what tells a provider from all others in a plan, on whatever machine.

    That is its own word, a text in an attribute `identity`, or else the specification that named
    it, options and all, or else its name.
    """
    own: object = getattr(provider, "identity", None)
    if isinstance(own, str) and own:
        return own
    return spec.strip() if spec else provider.name


def is_kind(provider: object, head: str) -> bool:
    """Is it of the class that a specification with this head makes?

    One whose module was never loaded is not, and need not be loaded for that.
    """
    module, _, name = _CLASSES[head].partition(":")
    found = sys.modules.get(f"tierwise.providers.{module}")
    return found is not None and isinstance(provider, getattr(found, name))


def _load(head: str) -> Callable[..., Provider]:
    module, _, name = _CLASSES[head].partition(":")
    found: Callable[..., Provider] = getattr(
        importlib.import_module(f"tierwise.providers.{module}"), name
    )
    return found


def _read_options(spec: str, head: str, text: str) -> dict[str, object]:
    known = _OPTIONS[head]
    options: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            raise ProviderSpecError(
                f"{spec!r}: {head!r} has no option {name!r}.{suggest(name, known)}"
            )
        try:
            options[name] = known[name](value)
        except ValueError:
            raise ProviderSpecError(
                f"{spec!r}: {name} is {value!r}; expected {known[name].__name__}."
            ) from None
    return options


def _make_http(spec: str) -> Provider:
    url, model, options = split_http_spec(spec)
    renamed = {"timeout": "timeout_s"}
    # Not the options: someone may have written a key there.
    shown = hide_secrets(f"{url}#{model}")
    read = _read_options(shown, "http", options)
    arguments = {renamed.get(name, name): value for name, value in read.items()}
    try:
        return _load("http")(url, model, **arguments)
    except MissingExtraError:
        raise
    except MisuseError as error:
        raise ProviderSpecError(f"{shown!r}: {error.args[0]}") from error


def _make_vendor(spec: str, head: str, make: Callable[..., Provider]) -> Provider:
    """Return the provider of a vendor's SDK: `HEAD:MODEL`, options after a comma."""
    model, _, options = spec.strip().partition(":")[2].partition(",")
    # Not the options: someone may have written a key there.
    shown = hide_secrets(f"{head}:{model.strip()}")
    if not model.strip():
        raise ProviderSpecError(f"{shown!r} names no model. Write its name there: {head}:MODEL.")
    renamed = {"timeout": "timeout_s"}
    read = _read_options(shown, head, options)
    arguments = {renamed.get(name, name): value for name, value in read.items()}
    try:
        return make(model.strip(), **arguments)
    except MissingExtraError:
        raise
    except MisuseError as error:
        raise ProviderSpecError(f"{shown!r}: {error.args[0]}") from error


def _make_simulated(spec: str, options: Mapping[str, object]) -> Provider:
    renamed = {"rate": "leak_rate", "latency": "latency_s"}
    arguments = {renamed.get(name, name): value for name, value in options.items()}
    try:
        return _load("simulated")(**arguments, keep_calls=False)
    except MisuseError as error:
        raise ProviderSpecError(f"{spec!r}: {error.args[0]}") from error


def _import_provider(spec: str, module_name: str, attribute: str) -> Provider:
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise ProviderSpecError(f"{spec!r}: importing it failed: {error}.") from error
        raise ProviderSpecError(
            f"{spec!r}: there is no module {error.name!r} on sys.path."
            f"{suggest(module_name, _FORMS)} A module of yours is named as seen from the root of "
            "the project; for another folder, add that to pytest's pythonpath."
        ) from error
    except Exception as error:
        raise ProviderSpecError(
            f"{spec!r}: importing {module_name!r} raised {type(error).__name__}: {error}."
        ) from error
    if not hasattr(module, attribute):
        raise ProviderSpecError(
            f"{spec!r}: module {module_name!r} has no {attribute!r}."
            f"{suggest(attribute, [name for name in vars(module) if not name.startswith('_')])}"
        )
    return _as_provider(spec, getattr(module, attribute))


def _as_provider(spec: str, found: object) -> Provider:
    # A class has the attributes of a provider too, but is a way to make one.
    if isinstance(found, Provider) and not isinstance(found, type):
        return found
    if not callable(found):
        raise ProviderSpecError(_describe(spec, found))
    try:
        made = found()
    except TypeError as error:
        raise ProviderSpecError(
            f"{spec!r}: calling it without arguments raised TypeError: {error}."
        ) from error
    if not isinstance(made, Provider):
        raise ProviderSpecError(_describe(spec, made))
    return made


def _describe(spec: str, found: object) -> str:
    missing = [name for name in ("name", "real", "generate") if not hasattr(found, name)]
    return (
        f"{spec!r} is of type {type(found).__name__}, and no provider: it has no "
        f"{', '.join(missing)}. Expected an object with name, real and generate, or a function "
        "that makes one without arguments."
    )
