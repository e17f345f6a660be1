"""A response with gaps where the moment stands: rendered once, filled in for each request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, overload

from tierwise.doubles.gateway.doors.framing import frame_chunk, frame_end, frame_head
from tierwise.doubles.gateway.vendor import Moment
from tierwise.doubles.gateway.wire import Chunk, Ending, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Vendor

_MARK = Moment(number=0xC3A5_9F0E_7B21, created=1_789_345_678)
"""A moment whose number and time are found again in whatever is made of them."""
_ISO = "%Y-%m-%dT%H:%M:%SZ"
_HEX, _DECIMAL, _CREATED = f"{_MARK.number:x}", f"{_MARK.number:d}", f"{_MARK.created:d}"
_ONE = f"(?:{_HEX}|{_DECIMAL}|{_CREATED}|\\d{{4}}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)"
_GAP = re.compile(f"({_ONE})")
_RUN = re.compile(f"({_ONE}(?:[^\\n]{{0,80}}?{_ONE})*)")
"""Gaps that stand close together: in a stream each event repeats the same run."""
_FARTHEST_S = 3600


class Text:
    """A text and its gaps; what fills them is as long as what stood there."""

    __slots__ = ("_parts", "_runs", "_split")

    def __init__(self, text: str) -> None:
        self._parts = _RUN.split(text)
        self._runs = self._parts[1::2]
        # A run that is repeated is filled in once.
        self._split = {run: _GAP.split(run) for run in self._runs}

    @property
    def has_gaps(self) -> bool:
        """Tell whether anything in it depends on the moment."""
        return bool(self._runs)

    def fill(self, values: Values) -> str:
        """Return the text of a moment."""
        if not self._runs:
            return self._parts[0]
        filled = {}
        for run, pieces in self._split.items():
            made = pieces.copy()
            made[1::2] = [values[gap] for gap in made[1::2]]
            filled[run] = "".join(made)
        parts = self._parts.copy()
        parts[1::2] = [filled[run] for run in self._runs]
        return "".join(parts)


class Values(dict[str, str]):
    """What stands in each gap at one moment."""

    __slots__ = ("_created",)

    def __init__(self, moment: Moment) -> None:
        super().__init__(
            {
                _HEX: f"{moment.number:0{len(_HEX)}x}",
                _DECIMAL: f"{moment.number:0{len(_DECIMAL)}d}",
                _CREATED: f"{moment.created:0{len(_CREATED)}d}",
            }
        )
        self._created = moment.created

    def __missing__(self, gap: str) -> str:
        """Return a time that is as far from the moment as it was from the mark."""
        at = datetime.strptime(gap, _ISO).replace(tzinfo=UTC).timestamp()
        away_s = at - _MARK.created
        if abs(away_s) > _FARTHEST_S:
            return gap
        told = datetime.fromtimestamp(self._created + away_s, UTC).strftime(_ISO)
        self[gap] = told
        return told


class Template:
    """What a vendor writes for one request and one answer, at any moment.

    It is made of a rendering at a moment that is found again, and is right only where a rendering
    at another moment equals what it gives then: whoever makes one has to compare.
    """

    def __init__(self, response: HttpResponse) -> None:
        self._response = response
        self._headers = tuple((name, Text(value)) for name, value in response.headers)
        self._moving = tuple(i for i, (_, text) in enumerate(self._headers) if text.has_gaps)

    @classmethod
    def make(cls, vendor: Vendor, asked: Asked, says: tuple[Say, ...]) -> Template | None:
        """Return a template, or None for what is no text or takes its time."""
        response = vendor.say(asked, says, _MARK)
        if response.before_s or response.ending is not Ending.COMPLETE:
            return None
        try:
            response.body.decode()
        except UnicodeDecodeError:
            return None
        has_delay = any(chunk.after_s for chunk in response.chunks)
        return None if has_delay else cls(response)

    @cached_property
    def chunks(self) -> tuple[Text, ...]:
        """The chunks of the body."""
        return tuple(Text(chunk.data.decode()) for chunk in self._response.chunks)

    @cached_property
    def framed(self) -> Text:
        """The whole response as it goes over a connection: gaps keep their length."""
        response = self._response
        parts = [frame_head(response).decode("latin-1").encode()]
        parts += [frame_chunk(response, chunk.data) for chunk in response.chunks]
        return Text(b"".join((*parts, frame_end(response))).decode())

    def __len__(self) -> int:
        return len(self._response.chunks)

    def fill(self, moment: Moment) -> HttpResponse:
        """Return the response of a moment; its body is put together when it is looked at."""
        values = Values(moment)
        headers = list(self._response.headers)
        for index in self._moving:
            name, text = self._headers[index]
            headers[index] = (name, text.fill(values))
        told = tuple(headers)
        return HttpResponse(
            status=self._response.status, headers=told, chunks=Filled(self, values, told)
        )


class Filled(Sequence[Chunk]):
    """The chunks of one response, made of a template when they are first looked at."""

    __slots__ = ("_headers", "_made", "_template", "_values")

    def __init__(
        self, template: Template, values: Values, headers: tuple[tuple[str, str], ...]
    ) -> None:
        self._template, self._values, self._headers = template, values, headers
        self._made: tuple[Chunk, ...] | None = None

    def is_whole(self, response: HttpResponse) -> bool:
        """Tell whether a response is still as it was filled in: nothing late, added or broken."""
        return (
            response.headers is self._headers
            and response.ending is Ending.COMPLETE
            and not response.before_s
        )

    def write_whole(self) -> bytes:
        """Return head and body of the untouched response, framed, in one piece."""
        return self._template.framed.fill(self._values).encode()

    def _chunks(self) -> tuple[Chunk, ...]:
        if self._made is None:
            values = self._values
            self._made = tuple(Chunk(text.fill(values).encode()) for text in self._template.chunks)
        return self._made

    def __len__(self) -> int:
        return len(self._template)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Chunk, ...]: ...
    def __getitem__(self, index: int | slice) -> Chunk | tuple[Chunk, ...]:
        return self._chunks()[index]

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Filled | tuple):
            return self._chunks() == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._chunks())

    def __repr__(self) -> str:
        return repr(self._chunks())
