"""What a vendor has to know, so that the gateway can play it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.asked import Asked, Endpoint
    from tierwise.doubles.gateway.saying import Ground, Refusal, Say
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whose key is accepted and which models exist."""

    keys: frozenset[str] | None = None
    """None: any key that is not empty."""
    models: frozenset[str] = frozenset()
    """Models beside those that the vendor is known to have; a trailing `*` stands for any end."""
    any_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What differs between two responses that say the same; given, so that runs repeat."""

    number: int
    """Counts the requests of one gateway from 1; ids are made of it."""
    created: int
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRule:
    """A rule about requests that the vendor enforces."""

    name: str
    ground: Ground
    says: str
    status: int = 400


class Vendor(Protocol):
    """One vendor's protocol on the wire; decides and renders.

    It holds no state but the conversations that clients ask it to hold (`Asked.is_held`).

    An implementation imports its SDK when it is made, and nothing else imports it. Making it
    without the SDK raises `MissingExtraError`.
    """

    @property
    def name(self) -> str:
        """`openai`, `anthropic` or `gemini`."""
        ...

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of the vendor's own servers."""
        ...

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables that hand the SDK an obviously fake key."""
        ...

    @property
    def base_url_variable(self) -> str:
        """The variable by which the SDK is told another address."""
        ...

    @property
    def base_path(self) -> str:
        """What follows the gateway's address in that variable: `/v1` for OpenAI, else empty."""
        ...

    @property
    def rules(self) -> tuple[RequestRule, ...]:
        """All rules about requests that `read` enforces."""
        ...

    def find_endpoint(self, http: HttpRequest) -> Endpoint | None:
        """Return what the path asks for, or None where this vendor has nothing there.

        With another method than the endpoint's the answer is still the endpoint, and `read`
        refuses with 405 or 404, as the vendor does.
        """
        ...

    def read(self, endpoint: Endpoint, http: HttpRequest, account: Account) -> Asked | Refusal:
        """Return the request in neutral words, or what the vendor would refuse it with."""
        ...

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Return the response in which the model says this; one `Say` for each choice.

        A stream has one chunk for each server-sent event, the last one included (`[DONE]`,
        `message_stop`). For embeddings, counts and models `says` may be empty.
        """
        ...

    def refuse(self, refusal: Refusal, moment: Moment) -> HttpResponse:
        """Return the vendor's error: body, headers and code follow from the status alone."""
        ...

    def error_event(self, asked: Asked, refusal: Refusal) -> bytes:
        """Return the event by which the vendor reports an error inside a stream of status 200."""
        ...
