"""What the provider of each vendor's SDK is made with: keys, places, limits, specifications."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from sdk_vendors import VENDORS, SdkVendor, ask, fail, plain

from tierwise.errors import MisuseError
from tierwise.providers import Failure, FailureKind, Request, provider_from_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sdk_vendors import Make

    from tierwise.gateway import Gateway

WRONG = [(vendor, *one) for vendor in VENDORS for one in vendor.wrong]


def name_elsewhere(vendor: SdkVendor) -> str:
    """Return the name of a provider that asks the stand-in."""
    return f"{vendor.name}:{vendor.model} at {urlsplit(vendor.url).netloc}"


@pytest.mark.parametrize("value", ["", " "])
async def test_a_missing_key_is_told_before_anything_is_sent(
    gateway: Gateway, vendor: SdkVendor, make: Make, *, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """The failure names the variable, and what to do."""
    monkeypatch.setenv(vendor.key_env, value)

    assert plain(await fail(make())) == Failure(
        kind=FailureKind.AUTH,
        message=f"{name_elsewhere(vendor)} was not asked: {vendor.key_words} is not set. Set "
        "it to a key, or name the variable that has one by key_env.",
        model=vendor.model,
    )
    assert len(gateway.requests) == 0


async def test_a_key_is_read_at_each_call(
    gateway: Gateway, vendor: SdkVendor, make: Make, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was renewed meanwhile is used; a wrong one is told by its variable."""
    gateway.when().say("Here.")
    monkeypatch.setenv(vendor.key_env, "an-older-one-of-nobody")
    provider = make()
    first = await fail(provider)
    monkeypatch.setenv(vendor.key_env, vendor.key)
    second = await provider.generate(ask())

    assert first.kind is FailureKind.AUTH
    assert f"The key is taken from {vendor.key_env}, which is set." in first.message
    assert second.text == "Here."


async def test_another_variable_can_hold_the_key(
    gateway: Gateway, vendor: SdkVendor, make: Make, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`key_env` names it."""
    gateway.when().say("Here.")
    monkeypatch.setenv(vendor.key_env, "of-somebody-else-entirely")
    monkeypatch.setenv("HOUSE_KEY", vendor.key)

    assert (await make(key_env="HOUSE_KEY").generate(ask())).text == "Here."


@pytest.mark.parametrize("key", ["sk-one\nsk-two", "sk-one sk-two", "sk-one\x7f", "sk-onö"])
def test_a_key_that_no_header_carries_is_told(
    vendor: SdkVendor, make: Make, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """A line break in a key comes from the way it was stored; the key is not shown."""
    monkeypatch.setenv(vendor.key_env, key)

    with pytest.raises(MisuseError) as caught:
        make()

    assert f"{vendor.key_env} holds a blank" in str(caught.value)
    assert "sk-on" not in str(caught.value)


def test_the_vendor_s_own_key_goes_to_no_stranger(vendor: SdkVendor, make: Make) -> None:
    """A host that may be anyone's gets it only when someone says so."""
    with pytest.raises(MisuseError) as caught:
        make(base_url="https://models.example", real=True)

    assert f"{vendor.key_env} would go to models.example, which is not" in str(caught.value)
    assert "key_env=" in str(caught.value)
    assert make(base_url="https://models.example", real=True, key_env=vendor.key_env).real


@pytest.mark.parametrize("near", ["", ".models.example", "x"])
def test_a_host_that_only_looks_like_the_vendor_is_a_stranger(
    vendor: SdkVendor, make: Make, near: str
) -> None:
    """The whole name tells, and no part of it."""
    url = f"https://{vendor.own_host}{near}"
    if not near:
        assert make(base_url=url, real=True).real
        return
    with pytest.raises(MisuseError, match="would go to"):
        make(base_url=url, real=True)


def test_the_sdk_s_own_variable_may_name_a_stranger(
    vendor: SdkVendor, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is meant for all programs on the machine, as the key is."""
    monkeypatch.setenv(vendor.url_env, f"https://models.example{vendor.version}")

    provider = make(base_url=None, real=True)

    assert provider.base_url == f"https://models.example{vendor.version}"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": " "}, "needs the name of a model"),
        ({"timeout_s": 0}, "timeout_s of {owner} is 0"),
        ({"timeout_s": -1.5}, "timeout_s of {owner} is -1.5"),
        ({"timeout_s": float("nan")}, "timeout_s of {owner} is nan"),
        ({"key_env": "NO_SUCH_KEY"}, "key_env of {owner} names NO_SUCH_KEY"),
        ({"base_url": "api.vendor.example"}, "has no http:// or https:// in front"),
        ({"base_url": "https://api.vendor.example"}, "real=False says that a stand-in answers"),
        ({"base_url": "http://localhost?a=b"}, "base_url of {owner} has a query"),
    ],
)
def test_a_wrong_setting_is_told_when_it_is_made(
    vendor: SdkVendor, make: Make, settings: dict[str, Any], words: str
) -> None:
    """Each message names the setting and what is wrong with it."""
    owner = type(make()).__name__

    with pytest.raises(MisuseError, match=re.escape(words.format(owner=owner))):
        make(**settings)


@pytest.mark.parametrize(
    ("vendor", "settings", "words"), WRONG, ids=[f"{one[0].name}-{one[2]}" for one in WRONG]
)
def test_a_wrong_setting_of_the_vendor_s_own_is_told(
    make: Make, settings: Mapping[str, Any], words: str
) -> None:
    """What only this vendor knows is checked at once as well."""
    with pytest.raises(MisuseError, match=re.escape(words)):
        make(**settings)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request(messages=()), "no messages"),
        (ask(max_tokens=0), "max_tokens is 0"),
        (ask(temperature=-1), "temperature is -1"),
    ],
)
async def test_a_request_that_nobody_serves_is_not_sent(
    gateway: Gateway, make: Make, request_: Request[Any], words: str
) -> None:
    """It is refused as by every provider."""
    reply = await make().generate(request_)

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert words in reply.message
    assert len(gateway.requests) == 0


def test_the_vendor_itself_is_asked_unless_another_place_is_said(
    vendor: SdkVendor, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Making such a provider reaches nobody; the vendor's own place goes without saying."""
    own = make(base_url=None, real=True)

    assert (own.name, own.real) == (f"{vendor.name}:{vendor.model}", True)
    assert own.base_url == vendor.own_url
    assert own.identity.startswith(f"{vendor.name}:{vendor.model}")
    assert repr(own) == f"{type(own).__name__}({vendor.model!r})"
    monkeypatch.setenv(vendor.url_env, vendor.url)
    assert make(base_url=None).identity == make().identity
    assert make().identity.startswith(f"{vendor.url}#{vendor.model}")


def test_what_changes_the_replies_changes_the_identity(vendor: SdkVendor, make: Make) -> None:
    """Two plans are one only where the same is asked of the same."""
    settings: tuple[Mapping[str, Any], ...] = (
        {},
        {"model": vendor.other_model},
        {"base_url": "http://localhost"},
        *vendor.telling,
    )

    assert len({make(**one).identity for one in settings}) == len(settings)
    assert make(timeout_s=3).identity == make().identity


def test_a_specification_makes_the_same_provider(vendor: SdkVendor, make: Make) -> None:
    """The provider's settings are options after a comma."""
    spec = f"{vendor.name}:{vendor.model},base_url={vendor.url},timeout=5"

    provider = provider_from_spec(f"{spec},key_env={vendor.key_env}")

    assert type(provider) is type(make())
    assert (provider.name, provider.real) == (name_elsewhere(vendor), True)
    assert provider.identity == make().identity  # type: ignore[attr-defined]  # each of them has one


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("", "names no model"),
        (",timeout=3", "names no model"),
        ("m,tiemout=3", "has no option 'tiemout'"),
        ("m,timeout=soon", "timeout is 'soon'"),
        ("m,timeout=-1", "is -1.0"),
        ("m,key_env=NO_SUCH_KEY", "NO_SUCH_KEY"),
    ],
)
def test_a_specification_that_names_nothing(vendor: SdkVendor, rest: str, words: str) -> None:
    """What is wrong is quoted, with what would be right."""
    with pytest.raises(MisuseError, match=re.escape(words)):
        provider_from_spec(f"{vendor.name}:{rest}")
