"""Which vendor a request is meant for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.doubles.gateway import Endpoint, HttpRequest
from tierwise.doubles.gateway.vendors import CLASSES, ENVIRONMENT, HOSTS, Vendors
from tierwise.errors import MissingExtraError, MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

PATHS: Mapping[str, tuple[str, ...]] = {
    "openai": ("/v1/chat/completions", "/v1/models"),
    "anthropic": ("/v1/messages", "/v1/models"),
    "gemini": ("/v1beta/models/g:generateContent", "/v1/models/g:generateContent", "/v1/models"),
}


@dataclass
class Stub:
    """A vendor of whom only the paths are known."""

    name: str
    hosts: tuple[str, ...] = ()

    def find_endpoint(self, http: HttpRequest) -> Endpoint | None:
        """Return something where the vendor has anything."""
        return Endpoint.CHAT if http.path in PATHS[self.name] else None


def vendors() -> Vendors:
    """Return all three."""
    stubs: list[Any] = [Stub(name) for name in PATHS]
    return Vendors(made=stubs)


def find(path: str, host: str = "127.0.0.1", **more: Any) -> tuple[str, bool] | None:
    """Return whom a request is meant for, and whether there is anything."""
    found = vendors().find(HttpRequest(method="POST", path=path, host=host, **more))
    return None if found is None else (found[0].name, found[1] is not None)


@pytest.mark.parametrize(("host", "name"), HOSTS.items())
def test_a_host_decides(host: str, name: str) -> None:
    """Whatever is asked there is that vendor's to answer, or nobody's."""
    assert find("/v1/models", host) == (name, True)
    assert find("/v2/nothing", host) == (name, False)


@pytest.mark.parametrize(
    ("path", "more", "name"),
    [
        ("/v1/chat/completions", {}, "openai"),
        ("/v1/messages", {}, "anthropic"),
        ("/v1beta/models/g:generateContent", {}, "gemini"),
        ("/v1/models/g:generateContent", {}, "gemini"),
        ("/v1/models", {}, "openai"),
        ("/v1/models", {"headers": {"anthropic-version": "2026-10-21"}}, "anthropic"),
        ("/v1/models", {"headers": {"x-api-key": "k"}}, "anthropic"),
        ("/v1/models", {"headers": {"x-goog-api-key": "k"}}, "gemini"),
        ("/v1/models", {"headers": {"x-goog-api-client": "c"}}, "gemini"),
        ("/v1/models", {"query": {"key": "k"}}, "gemini"),
    ],
)
def test_elsewhere_headers_and_path_decide(path: str, more: dict[str, Any], name: str) -> None:
    """A server on loopback plays all of them at one address."""
    assert find(path, **more) == (name, True)


def test_a_path_of_nobody_s_is_nobody_s() -> None:
    """No vendor is guessed."""
    assert find("/v2/nothing") is None


def test_a_missing_sdk_disables_its_vendor_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are found; what only the missing one has names its install."""

    def load(name: str) -> Any:
        raise MissingExtraError(f"install {name}")

    monkeypatch.setattr("tierwise.doubles.gateway.vendors.import_module", load)
    stub: Any = Stub("anthropic")
    alone = Vendors(made=[stub])
    found = alone.find(HttpRequest(method="POST", path="/v1/messages", host="127.0.0.1"))
    assert found is not None
    assert found[0].name == "anthropic"
    likelier_is_missing = HttpRequest(method="GET", path="/v1/models", host="127.0.0.1")
    assert alone.find(likelier_is_missing) == (stub, Endpoint.CHAT)
    with pytest.raises(MissingExtraError, match=r"install tierwise\.doubles\.gateway\.openai"):
        alone.find(HttpRequest(method="POST", path="/v1/chat/completions", host="127.0.0.1"))


def test_an_unknown_vendor_names_the_closest() -> None:
    """So does an unknown one of a host."""
    with pytest.raises(MisuseError, match="Did you mean 'gemini'"):
        vendors().get("gemni")
    with pytest.raises(MisuseError, match="Did you mean 'openai'"):
        Vendors(hosts={"a.example.com": "openai2"})


@pytest.mark.parametrize("name", CLASSES)
def test_the_fake_keys_are_those_that_each_vendor_s_sdk_reads(name: str) -> None:
    """The table that loads no vendor says what each vendor says of itself."""
    vendor = Vendors().get(name)
    assert set(vendor.hosts) == {host for host, owner in HOSTS.items() if owner == name}
    assert all("fake" in str(ENVIRONMENT[variable]) for variable in vendor.environment)
    assert ENVIRONMENT[vendor.base_url_variable] is None
