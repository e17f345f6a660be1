from __future__ import annotations

import pytest

from tierwise.errors import MisuseError, ProviderSpecError
from tierwise.providers.wire.address import hide_secrets, parse_address, split_http_spec

KEY = "sk-" + "a1b2c3d4e5f6g7h8"


@pytest.mark.parametrize(
    ("written", "endpoint"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1/chat/completions"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/v1/chat/completions"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1/chat/completions"),
        ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1/chat/completions"),
        (" HTTP://LocalHost/v1 ", "http://localhost/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("http://h/chat/completions", "http://h/chat/completions"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"),
        ("https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions"),
        ("https://h/api", "https://h/api/v1/chat/completions"),
        ("https://h/video", "https://h/video/v1/chat/completions"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1/chat/completions"),
        ("https://h/v1?api-version=2", "https://h/v1/chat/completions?api-version=2"),
    ],
)
def test_a_base_url_is_taken_as_users_write_it(written: str, endpoint: str) -> None:
    """With or without a slash, a version or the whole path: the endpoint is the one meant."""
    assert parse_address(written).endpoint == endpoint


def test_all_ways_to_write_one_server_are_one_address() -> None:
    """What identifies a provider does not depend on how its URL was written."""
    ways = ("http://h:1", "http://h:1/", "http://H:1/v1", "http://h:1/v1/chat/completions")
    assert {parse_address(way).base for way in ways} == {"http://h:1/v1"}


@pytest.mark.parametrize(
    ("url", "is_loopback"),
    [
        ("http://localhost:1", True),
        ("http://models.localhost", True),
        ("http://127.8.0.1", True),
        ("http://[::1]", True),
        ("http://10.0.0.1", False),
        ("http://localhost.example.com", False),
        ("http://127.0.0.1.example.com", False),
    ],
)
def test_what_is_on_this_machine_is_known(url: str, is_loopback: bool) -> None:  # noqa: FBT001
    """Loopback is told by the host alone, without a look-up."""
    assert parse_address(url).is_loopback is is_loopback


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", ("has no http:// or https://", "http://127.0.0.1:8000/v1")),
        ("localhost:8000/v1", ("'localhost:8000/v1'", "has no http:// or https://")),
        ("ftp://h/v1", ("has no http:// or https://",)),
        ("http://", ("has no host",)),
        ("http:///v1", ("has no host",)),
        ("http://h:x/v1", ("can't be read", "Port")),
        ("http://h:99999/v1", ("can't be read", "Port")),
        ("http://[::1/v1", ("can't be read",)),
        ("http://h/v 1", ("blank",)),
        ("http://h/v1\x00", ("control character",)),
        ("http://h/v1#llama", ("has a '#'", "model=")),
    ],
)
def test_what_is_no_url_is_refused(url: str, words: tuple[str, ...]) -> None:
    """Each refusal quotes what was found and shows the way to write it."""
    with pytest.raises(MisuseError) as caught:
        parse_address(url)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://me:hunter2@h/v1",
        "https://hunter2@h/v1",
        "https://h/v1?key=hunter2",
        "https://h/v1?a=b&api-key=hunter2",
        "https://h/v1?access_token=hunter2",
        f"https://h/{KEY}/v1",
    ],
)
def test_a_url_with_a_secret_is_refused_without_showing_it(url: str) -> None:
    """URLs are kept and shown: a key in one is refused, and the error hides it."""
    with pytest.raises(MisuseError, match="carries a secret") as caught:
        parse_address(url)
    assert "hunter2" not in str(caught.value)
    assert KEY not in str(caught.value)
    assert "key_env" in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("http:http://h:1/v1#llama", ("http://h:1/v1", "llama", "")),
        ("http:https://h/v1#m", ("https://h/v1", "m", "")),
        ("http://h/v1#org/model:free", ("http://h/v1", "org/model:free", "")),
        (" https://h#m ", ("https://h", "m", "")),
        ("http://h#m,key_env=A,timeout=3", ("http://h", "m", "key_env=A,timeout=3")),
        ("http://http:80/v1#m", ("http://http:80/v1", "m", "")),
    ],
)
def test_a_specification_is_split(spec: str, parts: tuple[str, str, str]) -> None:
    """`http:` in front of the URL is welcome and not needed; options follow the model."""
    assert split_http_spec(spec) == parts


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("http:", "no whole URL"),
        ("http:127.0.0.1:8000/v1#llama", "no whole URL"),
        ("http:llama", "no whole URL"),
        ("http://h/v1", "names no model"),
        ("http://h/v1#", "names no model"),
        ("http://h/v1# ,timeout=3", "names no model"),
    ],
)
def test_a_specification_without_url_or_model_shows_the_way_to_write_it(
    spec: str, problem: str
) -> None:
    """The error says what is missing and gives a whole example."""
    with pytest.raises(ProviderSpecError, match=problem) as caught:
        split_http_spec(spec)
    assert "http://127.0.0.1:8000/v1#llama" in str(caught.value)


def test_what_may_be_secret_is_hidden() -> None:
    """User, values of the query and keys are taken out; the rest stays readable."""
    shown = hide_secrets(f"http://me:pw@h/v1?key=pw&v=pw#{KEY}")
    assert shown == "http://...@h/v1?key=...&v=...#[masked key]"
