"""Which vendor a request is meant for; each is loaded when it is first needed."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tierwise.domain.fake_keys import FAKE_KEY, FAKE_KEYS
from tierwise.errors import MissingExtraError, MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.doubles.gateway.asked import Endpoint
    from tierwise.doubles.gateway.vendor import Vendor
    from tierwise.doubles.gateway.wire import HttpRequest

HOSTS: Mapping[str, str] = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gemini",
}
"""Who owns which host, so that no vendor has to be loaded to tell."""
CLASSES: Mapping[str, str] = {
    "openai": "OpenAIVendor",
    "anthropic": "AnthropicVendor",
    "gemini": "GeminiVendor",
}
BASE_URLS: Mapping[str, tuple[str, str]] = {
    "openai": ("OPENAI_BASE_URL", "/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", ""),
    "gemini": ("GOOGLE_GEMINI_BASE_URL", ""),
}
"""The variable by which an SDK is told another address, and the path that belongs to it."""
KEYS: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
"""The variables in which each vendor's SDK looks for its key."""
ENVIRONMENT: Mapping[str, str | None] = {
    "OPENAI_API_KEY": FAKE_KEYS["OPENAI_API_KEY"],
    "OPENAI_BASE_URL": None,
    "OPENAI_ADMIN_KEY": None,
    "OPENAI_ORG_ID": None,
    "OPENAI_PROJECT_ID": None,
    "ANTHROPIC_API_KEY": FAKE_KEYS["ANTHROPIC_API_KEY"],
    "ANTHROPIC_AUTH_TOKEN": None,
    "ANTHROPIC_BASE_URL": None,
    "ANTHROPIC_PROFILE": None,
    "ANTHROPIC_CUSTOM_HEADERS": None,
    # The SDK looks for profiles below the home folder, unless it is told where there are none.
    "ANTHROPIC_CONFIG_DIR": str(Path(__file__).with_name("no_profiles")),
    # So does aiohttp for passwords.
    "NETRC": os.devnull,
    "GEMINI_API_KEY": FAKE_KEYS["GEMINI_API_KEY"],
    "GOOGLE_API_KEY": FAKE_KEYS["GOOGLE_API_KEY"],
    "GOOGLE_GEMINI_BASE_URL": None,
    "GOOGLE_GENAI_USE_VERTEXAI": None,
    "GOOGLE_GENAI_USE_ENTERPRISE": None,
    "GOOGLE_GENAI_API_VERSION": None,
    "GOOGLE_CLOUD_PROJECT": None,
    "GOOGLE_CLOUD_LOCATION": None,
}
"""What the SDKs are to find; None takes a variable away."""


class Vendors:
    """The vendors of one gateway; one whose SDK is missing says so when it is asked for."""

    def __init__(
        self,
        *,
        made: Iterable[Vendor] = (),
        hosts: Mapping[str, str] | None = None,
    ) -> None:
        self._made: dict[str, Vendor] = {vendor.name: vendor for vendor in made}
        self._known = {*CLASSES, *self._made}
        self._hosts = dict(HOSTS)
        self.add_hosts({host: v.name for v in self._made.values() for host in v.hosts})
        self.add_hosts(hosts or {})

    def add_hosts(self, hosts: Mapping[str, str]) -> None:
        """Have more hosts played, each as a vendor that is named."""
        for host, name in hosts.items():
            if name not in self._known:
                raise MisuseError(f"host {host!r} is {name!r}'s.{suggest(name, self._known)}")
        self._hosts |= hosts

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that are played."""
        return frozenset(self._hosts)

    def get(self, name: str) -> Vendor:
        """Return a vendor, loading it; raises `MissingExtraError` where its SDK is missing."""
        if name not in self._made:
            if name not in CLASSES:
                raise MisuseError(f"{name!r} is no vendor.{suggest(name, self._known)}")
            module = import_module(f"tierwise.doubles.gateway.{name}")
            self._made[name] = cast("Vendor", getattr(module, CLASSES[name])())
        return self._made[name]

    def warm(self) -> None:
        """Load each vendor whose SDK is installed."""
        for name in sorted(self._known):
            with suppress(MissingExtraError):
                self.get(name)

    def find(self, http: HttpRequest) -> tuple[Vendor, Endpoint | None] | None:
        """Return whom a request is meant for and what it asks for; None where nobody has that.

        The host decides; a host of nobody's, as of a server on loopback, leaves it to the headers
        that each SDK sends, and then to the path.
        """
        name = self._hosts.get(http.host)
        if name is not None:
            vendor = self.get(name)
            return vendor, vendor.find_endpoint(http)
        missing: MissingExtraError | None = None
        for candidate in self._order(http):
            try:
                vendor = self.get(candidate)
            except MissingExtraError as error:
                missing = missing or error
                continue
            endpoint = vendor.find_endpoint(http)
            if endpoint is not None:
                return vendor, endpoint
        if missing is not None:
            raise missing
        return None

    def _order(self, http: HttpRequest) -> list[str]:
        """Return the likeliest vendor first; the path alone cannot tell `/v1/models` apart."""
        first = guess_vendor(http)
        return [first, *sorted(self._known - {first})]


def guess_vendor(http: HttpRequest) -> str:
    """Return the likeliest vendor, without loading any: by host, by headers, by path."""
    headers = http.headers
    if http.host in HOSTS:
        return HOSTS[http.host]
    if "anthropic-version" in headers or "x-api-key" in headers:
        return "anthropic"
    if not {"x-goog-api-key", "x-goog-api-client"}.isdisjoint(headers) or "key" in http.query:
        return "gemini"
    return "anthropic" if http.path.startswith("/v1/messages") else "openai"


def find_keys(environ: Mapping[str, str]) -> dict[str, str]:
    """Return each vendor's real key from the environment, where there is one."""
    found = {}
    for vendor, names in KEYS.items():
        keys = (environ.get(name, "") for name in names)
        key = next((key for key in keys if key and FAKE_KEY not in key), None)
        if key is not None:
            found[vendor] = key
    return found
