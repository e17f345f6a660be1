"""Where a server is: a URL as users write it, and the one address that it stands for."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from tierwise.domain.masking import mask_keys
from tierwise.errors import MisuseError, ProviderSpecError

_COMPLETIONS = "/chat/completions"
_VERSION = re.compile(r"v\d+\w*")
_SECRET_NAME = re.compile(r"(?i)(?:^|[_-])(?:key|apikey|token|secret|password|sig|signature)$")
_USER = re.compile(r"(?<=//)[^/?#@]*@")
_VALUE = re.compile(r"(?<=[?&])([^=&#]+)=[^&#]*")
EXAMPLE = "http://127.0.0.1:8000/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where chat completions are asked for; equal for all ways to write the same server."""

    base: str
    """Up to and without `/chat/completions`."""
    host: str
    authority: str
    """Host and, where the URL names one, port."""
    query: str = ""

    @property
    def endpoint(self) -> str:
        """The whole URL to post to."""
        return f"{self.base}{_COMPLETIONS}{'?' if self.query else ''}{self.query}"

    @property
    def is_loopback(self) -> bool:
        """True when what answers there is on this machine."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_address(url: str) -> Address:
    """Return the address that a URL means, or raise `MisuseError` naming what is wrong with it.

    A path that ends in `/chat/completions` is taken as it is. A path with a version in it, such as
    `/v1` or `/v1beta/openai`, gets `/chat/completions` added, any other `/v1/chat/completions`.
    """
    text = url.strip()
    shown = f"The URL {hide_secrets(text)!r}"
    if any(char.isspace() or not char.isprintable() for char in text):
        raise MisuseError(f"{shown} holds a blank or a control character.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise MisuseError(f"{shown} can't be read: {error}. Write it as {EXAMPLE}.") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        missing = "host" if parts.scheme in {"http", "https"} else "http:// or https:// in front"
        raise MisuseError(f"{shown} has no {missing}. Write it as {EXAMPLE}.")
    if parts.fragment:
        raise MisuseError(f"{shown} has a '#'. The model is an argument of its own: model=...")
    _refuse_secrets(text, parts.username, parts.query, shown)
    host = parts.hostname
    bracketed = f"[{host}]" if ":" in host else host
    authority = bracketed if port is None else f"{bracketed}:{port}"
    path = _base_path(parts.path)
    return Address(
        base=f"{parts.scheme}://{authority}{path}",
        host=host,
        authority=authority,
        query=parts.query,
    )


def split_http_spec(spec: str) -> tuple[str, str, str]:
    """Return URL, model and options of `http:URL#MODEL` or `URL#MODEL`, options after a comma.

    Raises `ProviderSpecError` for what has no scheme or no model.
    """
    text = spec.strip()
    url, _, rest = text.partition("#")
    url = url.strip()
    if url.startswith(("http:http://", "http:https://")):
        url = url.removeprefix("http:")
    model, _, options = rest.partition(",")
    problem = "" if url.startswith(("http://", "https://")) else "has no whole URL after 'http:'"
    if not problem and not model.strip():
        problem = "names no model"
    if problem:
        raise ProviderSpecError(
            f"{hide_secrets(text)!r} {problem}. Write the URL, '#' and the model's name "
            f"there: {EXAMPLE}#llama."
        )
    return url, model.strip(), options


def _base_path(path: str) -> str:
    path = path.rstrip("/")
    if path.endswith(_COMPLETIONS):
        return path.removesuffix(_COMPLETIONS)
    has_version = any(_VERSION.fullmatch(part) for part in path.split("/"))
    return path if has_version else f"{path}/v1"


def _refuse_secrets(text: str, user: str | None, query: str, shown: str) -> None:
    named = [name for name, _ in parse_qsl(query) if _SECRET_NAME.search(name)]
    if user is None and not named and mask_keys(text) == text:
        return
    where = "before the '@'" if user is not None else f"in {named[0]!r}" if named else "in it"
    raise MisuseError(
        f"{shown} carries a secret {where}, and URLs are kept in records and shown in errors. "
        "Put the key into an environment variable and name that: key_env=..."
    )


def hide_secrets(text: str) -> str:
    """Return a URL, or a specification with one in it, without what may be secret there."""
    return mask_keys(_VALUE.sub(r"\1=...", _USER.sub("...@", text)))
