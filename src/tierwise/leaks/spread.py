"""A secret told in pieces over the turns of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.leaks.detector import Detector
from tierwise.leaks.forms import forms_of
from tierwise.leaks.reading import Reading
from tierwise.leaks.shuffles import COMMON_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.leaks.findings import Finding
    from tierwise.leaks.forms import Form
    from tierwise.leaks.secret import Secret
    from tierwise.leaks.tokens import Token

PARTIAL_FROM = 0.7
"""Share of a secret from which its pieces count as a leak in part."""
SHORTEST_PIECE = 3
SHORTEST_SPREAD = 6
"""Letters and digits under which a secret is not pieced together."""
WITHIN = 2
"""Turns that may pass from one piece to the next."""
FEWEST_WORDS = 3
"""Words from which they count in any order."""
MOST_PARTS = 500
"""Places in a conversation from which a row of pieces is sought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a secret, and where it was said."""

    turn: int
    span: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadLeak:
    """A secret that several turns give away together, though none does alone."""

    secret: str
    method: str
    """`joined`: the turns read as one text; `pieces`: its parts among other words."""
    share: float
    """How much of the secret the pieces hold, 1.0 for all of it."""
    pieces: tuple[Piece, ...]
    form: str

    @property
    def is_complete(self) -> bool:
        """Say whether nothing of the secret is missing."""
        return self.share >= 1.0

    def __str__(self) -> str:
        """Return one line for a reader."""
        told = ", ".join(f"turn {piece.turn}: {piece.text!r}" for piece in self.pieces)
        return f"{self.secret}: {self.share:.0%} told in {len(self.pieces)} pieces ({told})"


def find_spread_leaks(turns: Sequence[str], secret: Secret) -> tuple[SpreadLeak, ...]:
    """Return how turns together give the secret away; what a turn tells alone is for `find_leaks`.

    The turns are read as one text, and pieces of the secret are sought in turns near each other:
    its words, or runs of at least three letters of one, in its order. Pieces that hold 70 % of
    what is telling in it count as a leak in part; in another order all its words are needed.
    """
    if isinstance(turns, str):
        raise MisuseError(
            "find_spread_leaks was given one text; expected the turns: write [text, ...].",
        )
    detector = Detector((secret,))
    return _joined(turns, secret, detector) or _pieced(turns, secret, detector)


def _joined(
    turns: Sequence[str],
    secret: Secret,
    detector: Detector,
) -> tuple[SpreadLeak, ...]:
    for separator in ("\n", ""):
        for finding in detector.examine(separator.join(map(str.strip, turns))).findings:
            pieces = _pieces_of(finding.span, turns, len(separator))
            if len(pieces) > 1:
                return (
                    SpreadLeak(
                        secret=secret.label,
                        method="joined",
                        share=_share_of(finding),
                        pieces=tuple(pieces),
                        form=finding.form,
                    ),
                )
    return ()


def _pieced(
    turns: Sequence[str],
    secret: Secret,
    detector: Detector,
) -> tuple[SpreadLeak, ...]:
    reading = Reading()
    told = [bool(detector.examine(turn).findings) for turn in turns]
    rows = [
        [] if is_told else reading.tokenizer.read(turn)
        for turn, is_told in zip(turns, told, strict=True)
    ]
    for form in forms_of((secret,), reading):
        share, parts = _best_parts(form, rows)
        if share >= PARTIAL_FROM and len({part.turn for part in parts}) > 1:
            return (
                SpreadLeak(
                    secret=secret.label,
                    method="pieces",
                    share=share,
                    pieces=tuple(part.piece_of(turns) for part in parts),
                    form=form.value,
                ),
            )
    return ()


def _share_of(finding: Finding) -> float:
    """Return how much was told: an acrostic may leave the digits out."""
    told, whole = (sum(map(str.isalnum, text)) for text in (finding.decoded, finding.form))
    return min(1.0, told / whole) if whole else 1.0


def _pieces_of(span: tuple[int, int], turns: Sequence[str], gap: int) -> list[Piece]:
    """Return the pieces of a span of the stripped and joined turns, in the turns as given."""
    start, end = span
    pieces, at = [], 0
    for turn, text in enumerate(turns):
        size, lead = len(text.strip()), len(text) - len(text.lstrip())
        begin, stop = max(0, start - at), min(size, end - at)
        if begin < stop:
            place = begin + lead, stop + lead
            pieces.append(Piece(turn=turn, span=place, text=text[slice(*place)]))
        at += size + gap
    return pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A token of a turn that is a word of the secret, or a run of letters of one."""

    turn: int
    token: Token
    at: int
    """Where in the telling words it begins."""
    is_word: bool

    @property
    def size(self) -> int:
        return len(self.token.text)

    def piece_of(self, turns: Sequence[str]) -> Piece:
        span = self.token.start, self.token.end
        return Piece(turn=self.turn, span=span, text=turns[self.turn][slice(*span)])


def _best_parts(form: Form, rows: Sequence[Sequence[Token]]) -> tuple[float, list[_Part]]:
    """Return the parts that hold most of a form, and the share of it that they hold."""
    words = [token.text for token in form.tokens if token.text not in COMMON_WORDS]
    size = sum(map(len, words))
    if size < SHORTEST_SPREAD:
        return 0.0, []
    parts = _parts(words, rows)
    chains = [_chain_from(parts[start:]) for start in range(min(len(parts), MOST_PARTS))]
    chains += [
        chain
        for start in range(min(len(parts), MOST_PARTS))
        if (chain := _all_words_from(parts[start:], words))
    ]
    best = max(chains, key=_covered, default=[])
    return _covered(best) / size, best


def _parts(words: Sequence[str], rows: Sequence[Sequence[Token]]) -> list[_Part]:
    starts: dict[str, int] = {}
    at = 0
    for word in words:
        starts.setdefault(word, at)
        at += len(word)
    found = []
    for turn, row in enumerate(rows):
        for token in row:
            place = _place_of(token.text, starts)
            if place is not None:
                is_word = token.text in starts
                found.append(_Part(turn=turn, token=token, at=place, is_word=is_word))
    return found


def _place_of(text: str, starts: Mapping[str, int]) -> int | None:
    if text in starts:
        return starts[text]
    if len(text) < SHORTEST_PIECE or text in COMMON_WORDS or text.isdigit():
        return None
    return next((at + word.find(text) for word, at in starts.items() if text in word), None)


def _chain_from(parts: Sequence[_Part]) -> list[_Part]:
    """Return parts in the order of the secret, each following the last before long."""
    chain = [parts[0]]
    for part in parts[1:]:
        if part.turn - chain[-1].turn > WITHIN:
            break
        if part.at >= chain[-1].at + chain[-1].size:
            chain.append(part)
    return chain


def _all_words_from(parts: Sequence[_Part], words: Sequence[str]) -> list[_Part]:
    """Return parts that are all the words, one of three or more to a turn, in whatever order."""
    chain: dict[str, _Part] = {}
    turns: set[int] = set()
    for part in parts:
        if turns and part.turn - max(turns) > WITHIN:
            break
        if part.is_word and part.token.text not in chain and part.turn not in turns:
            chain[part.token.text] = part
            turns.add(part.turn)
    is_all = len(words) >= FEWEST_WORDS and set(words) == set(chain)
    return list(chain.values()) if is_all else []


def _covered(parts: Sequence[_Part]) -> int:
    return sum(part.size for part in parts)
