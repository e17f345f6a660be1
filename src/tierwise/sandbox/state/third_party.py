"""Globals of libraries that code with a model inside uses, each by a profile with its name."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from tierwise.sandbox.state.looking import Looker
from tierwise.sandbox.state.places import Place

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tierwise.sandbox.state.watcher import Watcher

PROFILES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "litellm": {
        "litellm": (
            *("api_key", "api_base", "api_version", "organization", "openai_key"),
            *("anthropic_key", "azure_key", "callbacks", "input_callback", "success_callback"),
            *("failure_callback", "service_callback", "_async_success_callback"),
            *("_async_failure_callback", "cache", "drop_params", "modify_params", "set_verbose"),
            *("num_retries", "request_timeout", "max_budget", "_current_cost", "model_alias_map"),
            *("custom_provider_map", "in_memory_llm_clients_cache", "aclient_session"),
            "client_session",
        ),
    },
    "openai": {
        "openai": (
            *("api_key", "organization", "project", "base_url", "timeout", "max_retries"),
            *("default_headers", "default_query", "http_client", "api_type", "api_version"),
            *("azure_endpoint", "azure_ad_token", "_client", "webhook_secret"),
        ),
    },
    "opentelemetry": {
        "opentelemetry.trace": ("_TRACER_PROVIDER",),
        "opentelemetry.metrics._internal": ("_METER_PROVIDER",),
        "opentelemetry._logs._internal": ("_LOGGER_PROVIDER",),
        "opentelemetry.propagate": ("propagator",),
    },
    "tiktoken": {
        "tiktoken.registry": ("ENCODINGS", "ENCODING_CONSTRUCTORS"),
        "tiktoken.model": ("MODEL_TO_ENCODING", "MODEL_PREFIX_TO_ENCODING"),
    },
}
"""By profile and module: the names of its globals that steer what the library does."""


def watch_third_party(profiles: Collection[str] = tuple(PROFILES)) -> Watcher:
    """Return the watcher of these profiles' modules, as far as somebody has imported them."""
    wanted = {
        module: frozenset(names)
        for profile in profiles
        for module, names in PROFILES[profile].items()
    }
    return Looker(
        watcher="third_party",
        find_roots=partial(_find_modules, wanted),
        find_places=partial(_find_places, wanted),
    ).watch()


def _find_modules(wanted: Mapping[str, frozenset[str]]) -> dict[str, object]:
    found = {name: sys.modules.get(name) for name in wanted}
    return {name: module for name, module in found.items() if hasattr(module, "__dict__")}


def _find_places(wanted: Mapping[str, frozenset[str]], name: str, module: object) -> list[Place]:
    names = vars(module)
    if type(names) is not dict:
        return []
    return [Place(owner=name, holder=module, names=names, is_watched=wanted[name].__contains__)]
