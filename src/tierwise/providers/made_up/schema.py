"""A double that makes valid answers up from the schema, for dry runs and property tests."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from tierwise.providers.checking import refuse
from tierwise.providers.log import CallLog
from tierwise.providers.made_up.answering import form_reply
from tierwise.providers.made_up.replies import make_up_text
from tierwise.providers.made_up.scalar_values import draw_sentence

if TYPE_CHECKING:
    from tierwise.domain import Exchange
    from tierwise.providers.log import Call
    from tierwise.providers.protocol import Answer, Failure, Request, T


class SchemaProvider:
    """Gives some valid answer to every request, the same one for the same seed and request.

    The answer depends on `seed` and on the request's messages, schema, temperature and seed,
    and on nothing else: not on earlier calls, the clock or the hash seed. A schema that no
    answer can be found for gives a `Failure` (`bad_request`) that names the field.
    `keep_calls=False` keeps no calls, for runs of many trials.
    """

    real = False

    def __init__(self, seed: int = 0, *, name: str = "schema", keep_calls: bool = True) -> None:
        self.name = name
        self._seed = seed
        self._log = CallLog(keeps=keep_calls)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls, failures too, in the order in which they began."""
        return self._log.calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All calls as labelled exchanges."""
        return self._log.exchanges(self.name)

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Make an answer up."""
        return await self._log.keep(request, self._answer)

    def finish(self) -> tuple[str, ...]:
        """Return no complaints: nothing was promised, so nothing is left over."""
        return ()

    async def _answer(self, request: Request[T]) -> Answer[T] | Failure:
        refused = refuse(request)
        if refused is not None:
            return refused
        made = make_up_reply(request, f"{self._seed}")
        return replace(form_reply(made, request, model=self.name), source="made_up")


def make_up_reply(request: Request[Any], seed: str) -> str | Failure:
    """Return the text of a valid reply to the request, drawn from the seed and the request."""
    full_seed = f"{seed}/{fingerprint(request)}"
    if request.schema is None:
        return draw_sentence(Random(full_seed))  # noqa: S311  repeatable on purpose
    return make_up_text(request.schema, full_seed)


def fingerprint(request: Request[Any]) -> str:
    """Return a digest of what a model would see of the request, and of its seed."""
    schema = "" if request.schema is None else request.schema.__qualname__
    turns = [(message.role, message.content) for message in request.messages]
    seen = repr((turns, schema, request.temperature, request.seed))
    return hashlib.sha256(seen.encode(errors="surrogatepass")).hexdigest()
