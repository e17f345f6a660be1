"""The vendors themselves keep the contract of providers, where a key is there.

Without one each clause is `unobservable`, and what stands for the vendor stays unverified. The
model is the value of `TIERWISE_OPENAI_MODEL` and the like, or else a small one.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from tierwise.contracts import Implementation, ProviderContract, ProviderSubject
from tierwise.live import RequireSecret
from tierwise.providers import (
    AnthropicProvider,
    FailureKind,
    GeminiProvider,
    HttpProvider,
    OpenAIProvider,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.providers import Provider

SMALL = {"OPENAI": "gpt-4.1-mini", "ANTHROPIC": "claude-haiku-4-5", "GEMINI": "gemini-2.5-flash"}
_BEGIN_S = 0.3


def subject_of(make: Callable[..., Provider], vendor: str, key_env: str) -> ProviderSubject:
    """Return the ways in which a vendor's own model can be made to behave, at little cost."""
    ask = partial(make, os.environ.get(f"TIERWISE_{vendor}_MODEL") or SMALL[vendor])
    return ProviderSubject(
        answering=ask,
        failing={
            FailureKind.NOT_FOUND: partial(make, "tierwise-no-such-model"),
            FailureKind.TIMEOUT: partial(ask, timeout_s=0.001),
        },
        hanging=ask,
        begin_s=_BEGIN_S,
        takes_temperature=make is not AnthropicProvider,
        secrets=(os.environ[key_env].strip(),),
    )


def why_no_server() -> str | None:
    return None if os.environ.get("TIERWISE_HTTP_URL") else "TIERWISE_HTTP_URL is not set"


def ask_server() -> HttpProvider:
    return HttpProvider(os.environ["TIERWISE_HTTP_URL"], os.environ.get("TIERWISE_HTTP_MODEL", ""))


def find_gemini_key() -> RequireSecret:
    names = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    return RequireSecret(next((name for name in names if os.environ.get(name)), names[0]))


def of_vendor(name: str, make: Callable[..., Provider], secret: RequireSecret) -> Implementation:
    """Return a vendor as an implementation; its key is looked for when its turn comes."""
    return Implementation(
        name, partial(subject_of, make, name.upper(), secret.name), real=True, needs=secret
    )


class TestVendors(ProviderContract):
    """OpenAI, Anthropic and Gemini over the network, and a server of the user's own."""

    implementations = (
        of_vendor("openai", OpenAIProvider, RequireSecret("OPENAI_API_KEY")),
        of_vendor("anthropic", AnthropicProvider, RequireSecret("ANTHROPIC_API_KEY")),
        of_vendor("gemini", GeminiProvider, find_gemini_key()),
        Implementation(
            "http",
            lambda: ProviderSubject(answering=ask_server),
            real=True,
            needs=why_no_server,
        ),
    )
