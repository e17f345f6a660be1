"""What a path of the Gemini API asks for, and of which model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.asked import Endpoint

if TYPE_CHECKING:
    from tierwise.doubles.gateway.wire import HttpRequest

HOST = "generativelanguage.googleapis.com"

_PATH = re.compile(
    r"/(?P<version>v1|v1beta|v1alpha)/(?P<kind>models|tunedModels)"
    r"(?:/(?P<model>[^/:]+)(?::(?P<method>[A-Za-z]+))?)?"
)
_ENDPOINTS = {
    "generateContent": Endpoint.GENERATE,
    "streamGenerateContent": Endpoint.GENERATE,
    "embedContent": Endpoint.EMBED,
    "batchEmbedContents": Endpoint.EMBED,
    "countTokens": Endpoint.COUNT_TOKENS,
    "": Endpoint.MODELS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One path, taken apart."""

    version: str
    kind: str
    """`models` or `tunedModels`."""
    model: str
    """Without what comes before it; empty for the list."""
    method: str
    """`generateContent` and its like; empty for the models themselves."""

    @property
    def endpoint(self) -> Endpoint:
        """Return what kind of thing is asked for."""
        return _ENDPOINTS[self.method]

    @property
    def name(self) -> str:
        """Return the model's whole name, `models/gemini-2.5-flash`."""
        return f"{self.kind}/{self.model}"


def parse_path(path: str) -> Target | None:
    """Return what a path asks for, or None where Gemini has nothing there."""
    found = _PATH.fullmatch(path)
    if found is None or (found["method"] or "") not in _ENDPOINTS:
        return None
    return Target(
        version=found["version"],
        kind=found["kind"],
        model=found["model"] or "",
        method=found["method"] or "",
    )


def is_ours(target: Target, http: HttpRequest) -> bool:
    """Tell whether a request means Gemini: other vendors have `/v1/models` as well."""
    if target.method or target.version != "v1" or http.host == HOST:
        return True
    return "x-goog-api-key" in http.headers or "key" in http.query
