from __future__ import annotations

import errno
import ssl
import sys
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from tierwise.errors import MissingExtraError, MisuseError, ProviderSpecError
from tierwise.providers import FailureKind, HttpProvider, Provider, provider_from_spec
from tierwise.providers.http.client import choose_proxy, explain_error
from tierwise.providers.spec import identify_provider
from tierwise.providers.wire.address import parse_address

KEY = "tw-4711-very-private"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TIERWISE_HTTP_KEY", "OPENAI_API_KEY", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_a_specification_makes_a_provider() -> None:
    """Named on a command line, a server is a real provider with host and model in its name."""
    for spec in ("http:http://127.0.0.1:8000/v1#llama", "http://127.0.0.1:8000#llama"):
        provider = provider_from_spec(spec)
        assert isinstance(provider, HttpProvider)
        assert isinstance(provider, Provider)
        assert (provider.name, provider.real) == ("http:127.0.0.1:8000#llama", True)
        assert (provider.url, provider.model) == ("http://127.0.0.1:8000/v1", "llama")
        assert identify_provider(provider, spec) == "http://127.0.0.1:8000/v1#llama"


def test_https_in_front_is_a_server_too() -> None:
    """A URL as it is copied from a vendor's page names a provider."""
    provider = provider_from_spec("https://models.example/api/v1#org/m:free")
    assert provider.name == "http:models.example#org/m:free"


def test_options_of_a_specification_reach_the_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key's variable, a time-out and the limit's name can be said on the command line."""
    monkeypatch.setenv("MY_KEY", KEY)
    spec = "http://h#m,key_env=MY_KEY,timeout=2.5,max_tokens_as=max_completion_tokens"
    identity = identify_provider(provider_from_spec(spec), spec)
    assert identity == 'http://h/v1#m {"max_tokens_as": "max_completion_tokens"}'


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("http://h/v1", ("names no model", "http://127.0.0.1:8000/v1#llama")),
        ("http:llama", ("no whole URL",)),
        ("http:///v1#m", ("has no host",)),
        ("http://h#m,key=hunter2", ("no option 'key'", "Did you mean 'key_env'")),
        ("http://h#m,timeout=soon", ("timeout is 'soon'", "expected float")),
        ("http://h#m,timeout=0", ("timeout_s", "above 0")),
        ("http://h#m,timeout=nan", ("timeout_s", "above 0")),
        ("http://h#m,max_tokens_as=x", ("max_tokens_as", "Expected one of")),
        ("http://h#m,key_env=NOT_SET_HERE", ("NOT_SET_HERE", "no such variable")),
        ("http://me:hunter2@h#m", ("carries a secret",)),
        ("http://me:hunter2@h#m,timeout=x", ("expected float",)),
        ("htp://h#m", ("http://HOST/v1#MODEL",)),
    ],
)
def test_a_wrong_specification_is_refused(spec: str, words: tuple[str, ...]) -> None:
    """Each mistake is a specification error that says what was found, and shows no secret."""
    with pytest.raises(ProviderSpecError) as caught:
        provider_from_spec(spec)
    for word in words:
        assert word in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_options_are_part_of_the_identity() -> None:
    """What changes answers tells two providers apart; a time-out does not."""
    plain = HttpProvider("http://h", "m", timeout_s=5.0)
    other = HttpProvider("http://h/v1/", "m", options={"top_p": 0.5})
    query = HttpProvider("http://h/v1?version=2", "m")
    assert plain.identity == "http://h/v1#m"
    assert other.identity == 'http://h/v1#m {"top_p": 0.5}'
    assert query.identity == "http://h/v1?version=2#m"


def test_no_key_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither name, identity nor repr holds the key, or one in an option."""
    monkeypatch.setenv("TIERWISE_HTTP_KEY", KEY)
    secret = "sk-" + "a1b2c3d4" * 3
    provider = HttpProvider("http://h", "m", options={"user": secret})
    for shown in (provider.name, provider.identity, repr(provider)):
        assert KEY not in shown
        assert secret not in shown


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"timeout_s": 0}, "above 0"),
        ({"real": False}, "not on this machine"),
        ({"options": {"a": object()}}, "can't be sent as JSON"),
        ({"options": {"messages": []}}, "'messages'"),
        ({"key_env": "NOT_SET_HERE"}, "NOT_SET_HERE"),
    ],
)
def test_a_wrong_argument_is_refused_at_once(fields: dict[str, Any], words: str) -> None:
    """What can never work is told when the provider is made, not at its first call."""
    with pytest.raises(MisuseError, match=words):
        HttpProvider("http://models.example/v1", "m", **fields)


@pytest.mark.parametrize("key", ["two words", "new\nline", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable is named and its value is not."""
    monkeypatch.setenv("TIERWISE_HTTP_KEY", key)
    with pytest.raises(MisuseError, match="TIERWISE_HTTP_KEY") as caught:
        HttpProvider("http://h", "m")
    assert key not in str(caught.value)


def test_without_aiohttp_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package is not installed, the error names the extra, also from a specification."""
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "tierwise.providers.http.client", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[evals\]'"):
        provider_from_spec("http://h#m")


PROXIES = {"http": "http://proxy:1", "https": "proxy:2", "no": "near.example,h2:8000"}


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://h", "http://proxy:1"),
        ("https://h", "http://proxy:2"),
        ("http://127.0.0.1:8000", None),
        ("https://localhost", None),
        ("http://[::1]:8000", None),
        ("http://near.example", None),
        ("http://in.near.example", None),
        ("http://h2:8000", None),
    ],
)
def test_a_proxy_is_for_other_hosts_only(url: str, proxy: str | None) -> None:
    """Loopback never goes through one, nor what NO_PROXY names."""
    assert choose_proxy(parse_address(url), PROXIES) == proxy
    assert choose_proxy(parse_address(url), {}) is None


def test_an_unknown_kind_of_proxy_is_refused_without_its_password() -> None:
    """A SOCKS proxy that is not understood is not skipped silently."""
    proxies = {"http": "socks5://me:hunter2@proxy:1"}
    with pytest.raises(MisuseError, match="socks5") as caught:
        choose_proxy(parse_address("http://h"), proxies)
    assert "hunter2" not in str(caught.value)


HERE: Any = SimpleNamespace(host="models.example", port=443, ssl=True, is_ssl=True)
ASKED: Any = SimpleNamespace(real_url="https://h?key=hunter2")


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (
            aiohttp.ClientConnectorDNSError(HERE, OSError(-2, "unknown")),
            FailureKind.UNAVAILABLE,
            "the name 'models.example' could not be resolved",
        ),
        (
            aiohttp.ClientConnectorError(HERE, ConnectionRefusedError(errno.ECONNREFUSED, "to x")),
            FailureKind.UNAVAILABLE,
            "no connection (Connection refused)",
        ),
        (
            aiohttp.ClientConnectorError(HERE, OSError("Multiple exceptions")),
            FailureKind.UNAVAILABLE,
            "no connection (Multiple exceptions)",
        ),
        (
            aiohttp.ClientConnectorCertificateError(HERE, ssl.CertificateError(1, "self-signed")),
            FailureKind.UNAVAILABLE,
            "its TLS certificate was not accepted (self-signed)",
        ),
        (
            aiohttp.ClientConnectorSSLError(HERE, ssl.SSLError(1, "wrong version")),
            FailureKind.UNAVAILABLE,
            "TLS failed (wrong version)",
        ),
        (
            aiohttp.ClientHttpProxyError(ASKED, (), status=407, message="Who are you?"),
            FailureKind.UNAVAILABLE,
            "the proxy refused with 407 Who are you?",
        ),
        (
            aiohttp.ClientResponseError(ASKED, (), status=400, message="Bad header"),
            FailureKind.GARBLED,
            "what came back is no HTTP",
        ),
        (
            aiohttp.ClientConnectionError("Connector is closed."),
            FailureKind.UNAVAILABLE,
            "the connection was lost (Connector is closed.)",
        ),
        (
            aiohttp.ClientOSError(104, "reset by peer"),
            FailureKind.UNAVAILABLE,
            "the connection was lost (reset by peer)",
        ),
        (aiohttp.SocketTimeoutError(), FailureKind.TIMEOUT, "it took longer than 2.5 s"),
        (TimeoutError(), FailureKind.TIMEOUT, "it took longer than 2.5 s"),
    ],
)
def test_what_aiohttp_raises_is_said_in_words(error: Any, kind: FailureKind, words: str) -> None:
    """Each end of a connection has a kind and a sentence, with no more in it than is known."""
    assert explain_error(error, 2.5) == (kind, words)
