"""What came back from a vendor, as one shape."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Self

from tierwise.domain.masking import mask_keys
from tierwise.providers.wire.error import VendorError, find_error

_LONGEST_SHOWN = 160
_SUCCESSES = range(200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One answer of a vendor, or what stood in its place."""

    status: int | None = None
    """The HTTP status; None where no answer came."""
    text: str = ""
    """The body as it came."""
    message: str = ""
    """The vendor's own sentence in an error, where the body has one."""
    words: tuple[str, ...] = ()
    """The vendor's code and class of an error, in lower case, the more exact one first."""
    sent_key: bool | None = None
    """Did the request carry a key, in whatever header? None where nobody knows."""
    failure: str = ""
    """Why no answer came: `TimeoutError`, `ConnectError: refused`."""

    @classmethod
    def read(cls, status: int, text: str = "", *, sent_key: bool | None = None) -> Self:
        """Return what a status and a body say."""
        error = _find_error(text)
        return cls(
            status=status,
            text=text,
            message=error.message if error else "",
            words=error.words if error else (),
            sent_key=sent_key,
        )

    @property
    def is_success(self) -> bool:
        """True for a status of 200 to 299 without an error in its body."""
        return self.status in _SUCCESSES and not self.words and not self.message

    def __str__(self) -> str:
        """Return one line: `410 modeldeprecated: The model is gone`; keys in it are masked."""
        if self.status is None:
            return _shorten(self.failure or "no answer")
        head = " ".join([str(self.status), *self.words[:1]])
        said = "" if self.is_success else self.message or self.text
        return _shorten(f"{head}: {said}" if said.strip() else head)


def _find_error(text: str) -> VendorError | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return find_error(found)


def _shorten(text: str) -> str:
    line = " ".join(mask_keys(text).split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 3]}..."
