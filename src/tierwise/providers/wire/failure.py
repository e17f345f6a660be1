"""A response that is no answer, as a failure that says what came and hides what is secret."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from tierwise.domain.masking import mask_keys
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.body import decode
from tierwise.providers.wire.error import VendorError, find_error, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.protocol import Request

_READ = 2000
_SHOWN = 240
_RUN = 4
"""So many words in a row that stand in the prompt are taken for a piece of it."""
_LONG_WORD = 12
_KEY_START = 6
_MS = 1000.0
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back over HTTP, whatever it is."""

    status: int
    reason: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """What an error may say about who asked, and what it must not show."""

    endpoint: str
    key_env: str
    key: str
    request: Request[Any]
    where_to_look: str = "Does the URL lead to an OpenAI-compatible server that has this model"
    """What to ask when a model or a path is not found."""

    def clean(self, text: str) -> str:
        """Return the beginning of a server's words on one line, without prompt and key."""
        words = text[:_READ].split()
        if self.key:
            # Vendors show the beginning of a wrong key: whatever word has it goes as a whole.
            start = self.key[:_KEY_START]
            words = ["[masked key]" if start in word else word for word in words]
        line = _hide_prompt(mask_keys(" ".join(words)), self.request)
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."


def read_failure(response: Response, asker: Asker, *, now: float) -> Failure:
    """Return the failure that a response with an error in it is."""
    found = decode(response.body)
    text = "" if found is not None else response.body.decode(errors="replace")
    return fail_by(find_error(found) or VendorError(message=text), response, asker, now=now)


def fail_by(
    error: VendorError,
    response: Response,
    asker: Asker,
    *,
    now: float,
    kind: FailureKind | None = None,
) -> Failure:
    """Return the failure that an error of the server's is; `kind` is what a vendor says by more.

    Without it the status and the words tell.
    """
    kind = kind or kind_of(response.status, error)
    return Failure(
        kind=kind,
        message=_explain(response, error, asker, kind),
        retry_after_s=read_retry_after(response.headers, now=now) if kind.is_retried else None,
    )


def garbled(response: Response, asker: Asker, problem: str) -> Failure:
    """Return the failure of a body that is no answer and no error either."""
    excerpt = asker.clean(response.body.decode(errors="replace"))
    return Failure(
        kind=FailureKind.GARBLED,
        message=f"{asker.endpoint} answered {response.status}, and {problem}: {excerpt!r}.",
    )


def _explain(response: Response, error: VendorError, asker: Asker, kind: FailureKind) -> str:
    said = ": ".join(filter(None, (*error.words[:1], asker.clean(error.message))))
    parts = [f"{asker.endpoint} answered {response.status} {response.reason}".rstrip()]
    if said:
        parts[0] += f": {said.rstrip('.')}"
    if response.status in _REDIRECTS:
        there = response.headers.get("location", "nowhere")
        parts.append(f"Redirects are not followed; it leads to {asker.clean(there)!r}")
    elif kind in {FailureKind.AUTH, FailureKind.NO_ENTITLEMENT}:
        state = "set" if asker.key else "not set"
        parts.append(f"The key is taken from {asker.key_env}, which is {state}")
    elif kind is FailureKind.NOT_FOUND:
        parts.append(asker.where_to_look)
        return ". ".join(parts) + "?"
    return ". ".join(parts) + "."


def _hide_prompt(line: str, request: Request[Any]) -> str:
    prompt = " ".join(" ".join(message.content.split()) for message in request.messages)
    words = line.split(" ")
    hidden = [False] * len(words)
    for index, word in enumerate(words):
        run = words[index : index + _RUN]
        if len(run) == _RUN and " ".join(run) in prompt:
            hidden[index : index + _RUN] = [True] * _RUN
        elif len(bare := word.strip("\"'`.,:;!?()[]{}")) >= _LONG_WORD and bare in prompt:
            hidden[index] = True
    shown: list[str] = []
    for word, is_hidden in zip(words, hidden, strict=True):
        if not is_hidden:
            shown.append(word)
        elif shown[-1:] != ["[prompt]"]:
            shown.append("[prompt]")
    return " ".join(shown)


def read_retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """Return how many seconds the server asked to be left alone, or None where it did not.

    `retry-after-ms` is the more exact one; `retry-after` is a number of seconds or a date, which
    is read against the server's own clock where it tells it.
    """
    exact = _read_number(headers.get("retry-after-ms"))
    if exact is not None:
        return max(0.0, exact / _MS)
    text = headers.get("retry-after")
    seconds = _read_number(text)
    if seconds is not None:
        return max(0.0, seconds)
    until = _read_date(text)
    if until is None:
        return None
    server_now = _read_date(headers.get("date"))
    return max(0.0, until - (now if server_now is None else server_now))


def _read_number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _read_date(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
