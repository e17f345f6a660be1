"""What was read and rendered before is not read and rendered again: the same gives the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tierwise.domain.masking import mask_keys
from tierwise.doubles.gateway.saying import Refusal
from tierwise.doubles.gateway.templates import Template

if TYPE_CHECKING:
    from tierwise.doubles.gateway.asked import Asked, Endpoint
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Account, Moment, Vendor
    from tierwise.doubles.gateway.vendors import Vendors
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse

K = TypeVar("K")
V = TypeVar("V")
_MOST_KEPT = 256
_LARGEST_BODY = 65_536
_MOST_RENDERINGS = 8


class Reading:
    """Whom a request is meant for, what it asks or how it is refused, and its renderings."""

    __slots__ = ("_renderings", "asked", "endpoint", "vendor")

    def __init__(
        self, vendor: Vendor, endpoint: Endpoint | None, asked: Asked | Refusal | None
    ) -> None:
        self.vendor, self.endpoint, self.asked = vendor, endpoint, asked
        # By the identity of what is said, which is kept beside, so that it stays what it is.
        self._renderings: dict[int, tuple[object, Template | None, bool]] = {}

    @property
    def may_be_kept(self) -> bool:
        """Tell whether the same request would be read so again."""
        asked = self.asked
        return isinstance(asked, Refusal) or asked is None or not asked.is_held

    def say(self, says: tuple[Say, ...], moment: Moment, *, whose: object) -> HttpResponse:
        """Return what the vendor writes for `says`; the second time a template of it is made.

        `whose` is the rule's own answer, of which `says` is made for this request.
        """
        assert self.asked is not None  # noqa: S101  only what was read is answered
        assert not isinstance(self.asked, Refusal)  # noqa: S101
        if self.asked.is_held:
            return self.vendor.say(self.asked, says, moment)
        kept = self._renderings.get(id(whose))
        if kept is None:
            if len(self._renderings) < _MOST_RENDERINGS:
                self._renderings[id(whose)] = (whose, None, False)
            return self.vendor.say(self.asked, says, moment)
        _, template, is_tried = kept
        if template is not None:
            return template.fill(moment)
        response = self.vendor.say(self.asked, says, moment)
        if not is_tried:
            template = Template.make(self.vendor, self.asked, says)
            is_right = template is not None and template.fill(moment) == response
            self._renderings[id(whose)] = (whose, template if is_right else None, True)
        return response


class Readings:
    """Reads requests; one that came before, with the same headers and body, is read at once.

    Vendors hold no state but the threads of clients that ask for one, so that any other request
    is the same to them the next time. Bounded: the oldest reading goes first, and large bodies are
    not kept.
    """

    def __init__(self, vendors: Vendors) -> None:
        self._vendors = vendors
        self._account: Account | None = None
        self._kept: dict[tuple[object, ...], Reading] = {}
        # A connection that is asked the same again hands over the same object.
        self._latest: dict[int, tuple[HttpRequest, Reading]] = {}

    def forget(self) -> None:
        """Read all anew: the account or the hosts are others."""
        self._kept = {}
        self._latest = {}

    def read(self, http: HttpRequest, account: Account) -> Reading | None:
        """Return how a request is read, None where no vendor has anything there."""
        if account is not self._account:
            self.forget()
            self._account = account
        latest = self._latest.get(id(http))
        if latest is not None and latest[0] is http:
            return latest[1]
        reading = self._find(http, account)
        if reading is not None and reading.may_be_kept and len(http.body) <= _LARGEST_BODY:
            _keep(self._latest, id(http), (http, reading))
        return reading

    def _find(self, http: HttpRequest, account: Account) -> Reading | None:
        if len(http.body) > _LARGEST_BODY:
            return self._read(http, account)
        headers, query = http.headers, http.query
        key = (
            http.method,
            http.host,
            http.path,
            http.body,
            tuple(headers),
            tuple(headers.values()),
            tuple(query.items()) if query else (),
        )
        reading = self._kept.get(key)
        if reading is None:
            reading = self._read(http, account)
            if reading is not None and reading.may_be_kept:
                _keep(self._kept, key, reading)
        return reading

    def _read(self, http: HttpRequest, account: Account) -> Reading | None:
        found = self._vendors.find(http)
        if found is None:
            return None
        vendor, endpoint = found
        asked = None if endpoint is None else vendor.read(endpoint, http, account)
        if isinstance(asked, Refusal) and asked.message is not None:
            # A vendor quotes what it refuses, which may be a key in the place of a model.
            asked = replace(asked, message=mask_keys(asked.message))
        return Reading(vendor, endpoint, asked)


def _keep(kept: dict[K, V], key: K, value: V) -> None:
    """Keep one more; the oldest goes where there are too many."""
    if len(kept) >= _MOST_KEPT:
        kept.pop(next(iter(kept)))
    kept[key] = value
