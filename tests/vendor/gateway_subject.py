"""A vendor in the gateway that does what the model's name says, for the contract of providers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tierwise.contracts import ProviderSubject
from tierwise.gateway import Account, Gateway, Stop
from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.gateway import Asked
    from tierwise.providers import Provider

KEY_ENV = "CONTRACT_KEY"
_STATUS = {
    FailureKind.UNAVAILABLE: 503,
    FailureKind.BUSY: 429,
    FailureKind.RETIRED: 410,
    FailureKind.NO_ENTITLEMENT: 403,
    FailureKind.NOT_FOUND: 404,
    FailureKind.AUTH: 401,
    FailureKind.BAD_REQUEST: 400,
}


def play(hosts: Mapping[str, str], key: str) -> Gateway:
    """Return a gateway that plays vendors by their hosts; errors repeat the key that they got."""
    account = Account(keys=frozenset({key}), any_model=True)
    gateway = Gateway(account=account, hosts=hosts)
    gateway.configure(strict=False, real_time=True)
    for kind, status in _STATUS.items():
        gateway.when(model=kind.value).fail(status, message=f"{key} sent this to {status}.")
    gateway.when(model="refused").say(refusal="No.")
    gateway.when(model="cut_off").say("half a", stop=Stop.LENGTH)
    gateway.when(model="garbled").say("whole").malformed_body()
    for name in ("hang", "timeout"):
        gateway.when(model=name).say("late").slow(before_s=60)
    gateway.when(model="say *").answer(_read_name)
    gateway.when(schema=True).auto()
    gateway.when().say("Good day.")
    return gateway


def subject_of(
    ask: Callable[..., Provider], key: str, gateway: Gateway, *, takes_temperature: bool = True
) -> ProviderSubject:
    """Return the ways to make a provider behave; `ask` makes one by the name of a model."""

    def say(text: str) -> Provider:
        return ask(f"say {text.encode().hex()}")

    failing: dict[FailureKind, Any] = {
        FailureKind.MALFORMED: partial(say, "no json"),
        FailureKind.SCHEMA_MISMATCH: partial(say, '{"text": 5}'),
        FailureKind.CUT_OFF: partial(ask, "cut_off"),
        FailureKind.REFUSED: partial(ask, "refused"),
        FailureKind.GARBLED: partial(ask, "garbled"),
        FailureKind.TIMEOUT: partial(ask, "timeout", timeout_s=0.3),
        **{kind: partial(ask, kind.value) for kind in _STATUS},
    }
    return ProviderSubject(
        answering=ask,
        saying=say,
        failing=failing,
        hanging=partial(ask, "hang"),
        begin_s=0.5,
        heard=lambda _: gateway.requests[-1].body.decode(),
        takes_temperature=takes_temperature,
        secrets=(key,),
    )


def _read_name(asked: Asked) -> str:
    return bytes.fromhex(asked.model.removeprefix("say ")).decode()
