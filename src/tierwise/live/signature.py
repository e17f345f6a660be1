"""One row of the table of verdicts: what an answer has to look like, and what it then means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.live.standing import Standing  # noqa: TC001  part of a public value

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.live.observed import Observed


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What an answer has to look like, and the standing that follows; each given part has to hold.

    A signature that says nothing would fit every answer and is refused.
    """

    name: str
    standing: Standing
    reason: str
    """What it means, for whoever reads the report."""
    status: int | tuple[int, ...] | None = None
    word: str | tuple[str, ...] = ()
    """The vendor's own code or class for the error, whatever its case."""
    text: str = ""
    """A regular expression that is looked for in the body, whatever its case."""
    sent_key: bool | None = None
    when: Callable[[Observed], bool] | None = None
    """Whatever else has to hold."""

    def __post_init__(self) -> None:
        """Refuse a row that could never be told apart from others, or is none."""
        if not (self.is_exact or self.status is not None or self.sent_key is not None):
            raise MisuseError(
                f"The signature {self.name!r} fits every answer. Give it a status, a word, a text "
                "or a `when`."
            )
        try:
            re.compile(self.text)
        except re.error as error:
            raise MisuseError(
                f"The signature {self.name!r} has the text {self.text!r}, which is no regular "
                f"expression: {error}."
            ) from None

    @property
    def is_exact(self) -> bool:
        """True where it reads more of an answer than its status and whether a key was sent."""
        return bool(self.word or self.text or self.when)

    def fits(self, observed: Observed) -> bool:
        """Tell whether an answer looks like this."""
        return (
            self._fits_status(observed)
            and self._fits_words(observed)
            and (self.sent_key is None or observed.sent_key is self.sent_key)
            and (not self.text or self._finds_text(observed))
            and (self.when is None or self.when(observed))
        )

    def _fits_status(self, observed: Observed) -> bool:
        if self.status is None:
            return True
        allowed = (self.status,) if isinstance(self.status, int) else self.status
        return observed.status in allowed

    def _fits_words(self, observed: Observed) -> bool:
        wanted = (self.word,) if isinstance(self.word, str) else self.word
        if not any(wanted):
            return True
        return bool({word.lower() for word in wanted} & set(observed.words))

    def _finds_text(self, observed: Observed) -> bool:
        said = f"{observed.message}\n{observed.text}"
        return re.search(self.text, said, re.IGNORECASE | re.DOTALL) is not None
