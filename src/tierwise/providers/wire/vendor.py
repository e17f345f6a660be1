"""A vendor with a place and a key of its own, and the rules for asking somebody else instead."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError
from tierwise.providers.wire.address import Address, parse_address
from tierwise.providers.wire.failure import Asker
from tierwise.providers.wire.key import choose_keys

if TYPE_CHECKING:
    from tierwise.providers.protocol import Request
    from tierwise.providers.wire.key import Key, Keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """What a provider knows of its vendor."""

    name: str
    owner: str
    """The provider's class, for errors."""
    url: str
    url_env: str
    """The variable by which the vendor's SDK, too, is sent to another place."""
    key_envs: tuple[str, ...]

    def find_address(self, base_url: str | None, *, real: bool) -> Address:
        """Return the place to ask: the one that is given, the variable's, or the vendor's."""
        address = parse_address(base_url or os.environ.get(self.url_env) or self.url)
        refuse_far_stand_in(address, real=real)
        if address.query:
            raise MisuseError(
                f"base_url of {self.owner} has a query; expected a URL such as {self.url}."
            )
        return address

    def name_provider(self, word: str, model: str, address: Address) -> str:
        """Return the name that records, tables and series go by.

        The vendor's own is `WORD:MODEL`; whoever answers elsewhere is another one, and named with
        host and port.
        """
        name = f"{word}:{model}"
        return name if self.is_own(address) else f"{name} at {address.authority}"

    def is_own(self, address: Address) -> bool:
        """Is this the vendor's own host?"""
        return address.host == parse_address(self.url).host

    def find_keys(self, key_env: str | None, *, base_url: str | None) -> Keys:
        """Return where the key is; the vendor's own key goes to no stranger unless that is said.

        A place that the variable names is meant for all programs here, as its key is.
        """
        if base_url is not None and key_env is None:
            self._refuse_stranger(parse_address(base_url))
        otherwise = f"to have {' or '.join(self.key_envs)} read"
        return choose_keys(key_env, self.key_envs, owner=self.owner, otherwise=otherwise)

    def describe_asker(
        self, request: Request[Any], key: Key, *, endpoint: str, model: str
    ) -> Asker:
        """Return what an error may say about who asked."""
        return Asker(
            endpoint=endpoint,
            key_env=key.variable,
            key=key.value,
            request=request,
            where_to_look=f"Does {self.name} have the model {model!r} for this key",
        )

    def _refuse_stranger(self, address: Address) -> None:
        if address.is_loopback or self.is_own(address):
            return
        names = " or ".join(self.key_envs)
        raise MisuseError(
            f"The key in {names} would go to {address.authority}, which is not {self.name}. Name "
            f"the variable with the key for that server: key_env=... (it may be "
            f"{self.key_envs[-1]})."
        )


def refuse_far_stand_in(address: Address, *, real: bool) -> None:
    """Refuse to take another machine for a stand-in: whoever is there may be a model."""
    if not real and not address.is_loopback:
        raise MisuseError(
            f"real=False says that a stand-in answers, and {address.authority} is not on this "
            "machine. Leave it out: whoever calls another host may reach a model."
        )
