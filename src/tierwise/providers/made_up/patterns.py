"""Text that matches a simple regular expression, drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Draw = Callable[[Random], str]

_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
_CLASSES = {"d": _DIGITS, "w": _LETTERS + _DIGITS + "_", "s": " \t"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}


class UnsupportedPatternError(Exception):
    """The pattern uses more than this generator knows; the message says what."""


def compile_pattern(pattern: str, *, reach: int = 4) -> Draw:
    r"""Return a function that draws a matching text.

    Known are literals, `.`, classes, `\d \w \s` and their opposites, groups, alternatives,
    anchors and all quantifiers; an open quantifier repeats up to `reach` times more than it
    must. Look-around, back-references, flags and Unicode properties are refused.
    """
    parser = _Parser(pattern, reach)
    draw = parser.read_alternatives()
    if not parser.is_done:
        raise UnsupportedPatternError(f"{pattern!r}: unbalanced ')'")
    return draw


class _Parser:
    def __init__(self, pattern: str, reach: int) -> None:
        self._pattern = pattern
        self._reach = reach
        self._at = 0

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._pattern)

    def read_alternatives(self) -> Draw:
        branches = [self._read_sequence()]
        while self._skip("|"):
            branches.append(self._read_sequence())
        return lambda rng: rng.choice(branches)(rng)

    def _read_sequence(self) -> Draw:
        parts: list[Draw] = []
        while not self.is_done and self._peek() not in "|)":
            parts.append(self._read_repeated())
        return lambda rng: "".join(part(rng) for part in parts)

    def _read_repeated(self) -> Draw:
        atom = self._read_atom()
        low, high = self._read_quantifier()
        if (low, high) == (1, 1):
            return atom
        return lambda rng: "".join(atom(rng) for _ in range(rng.randint(low, high)))

    def _read_atom(self) -> Draw:
        char = self._take()
        if char in "^$":
            return lambda _: ""
        if char == "(":
            return self._read_group()
        if char == "[":
            return _draw_from(self._read_class())
        if char == ".":
            return _draw_from(_PRINTABLE)
        if char == "\\":
            return self._read_escape_atom()
        if char in "*+?":
            raise self._unsupported(f"nothing to repeat before {char!r}")
        return lambda _: char

    def _read_escape_atom(self) -> Draw:
        if self._skip("A") or self._skip("Z") or self._skip("z"):
            return lambda _: ""
        return _draw_from(self._read_escape())

    def _read_group(self) -> Draw:
        if self._skip("?") and not self._skip(":"):
            if not (self._skip("P<") or (self._peek(1) not in "=!" and self._skip("<"))):
                raise self._unsupported(f"'(?{self._peek()}'")
            while self._take() != ">":
                pass
        inner = self.read_alternatives()
        if not self._skip(")"):
            raise self._unsupported("a group without its ')'")
        return inner

    def _read_class(self) -> str:
        negated = self._skip("^")
        members: list[str] = []
        while not (self._peek() == "]" and members):
            members.append(self._read_class_member())
        self._take()
        chosen = "".join(dict.fromkeys("".join(members)))
        return "".join(c for c in _PRINTABLE if c not in chosen) if negated else chosen

    def _read_class_member(self) -> str:
        char = self._take()
        if char == "\\":
            found = self._read_escape()
            if len(found) > 1:
                return found
            char = found
        if char == "[":
            raise self._unsupported("a class inside a class")
        if self._peek() != "-" or self._peek(1) in ("]", ""):
            return char
        self._take()
        last = self._take()
        if last == "\\":
            last = self._read_escape()
        return "".join(map(chr, range(ord(char), ord(last) + 1)))

    def _read_escape(self) -> str:
        char = self._take()
        if char in _CLASSES:
            return _CLASSES[char]
        if char.lower() in _CLASSES:
            return "".join(c for c in _PRINTABLE if c not in _CLASSES[char.lower()])
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char.isalnum():
            raise self._unsupported(f"'\\{char}'")
        return char

    def _read_quantifier(self) -> tuple[int, int]:
        low, high = 1, 1
        if self._skip("*"):
            low, high = 0, self._reach
        elif self._skip("+"):
            low, high = 1, 1 + self._reach
        elif self._skip("?"):
            low = 0
        elif self._peek() == "{":
            low, high = self._read_counts()
        else:
            return low, high
        # A lazy quantifier matches the same texts.
        self._skip("?")
        return low, high

    def _read_counts(self) -> tuple[int, int]:
        self._take()
        text = ""
        while (char := self._take()) != "}":
            text += char
        first, comma, last = text.partition(",")
        try:
            low = int(first or 0)
            high = int(last) if last else low + (self._reach if comma else 0)
        except ValueError:
            raise self._unsupported(f"'{{{text}}}'") from None
        return low, high

    def _peek(self, ahead: int = 0) -> str:
        return self._pattern[self._at + ahead : self._at + ahead + 1]

    def _take(self) -> str:
        if self.is_done:
            raise self._unsupported("it ends too early")
        self._at += 1
        return self._pattern[self._at - 1]

    def _skip(self, text: str) -> bool:
        found = self._pattern.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def _unsupported(self, what: str) -> UnsupportedPatternError:
        return UnsupportedPatternError(f"pattern {self._pattern!r}: {what} is not supported")


def _draw_from(chars: str) -> Draw:
    if not chars:
        raise UnsupportedPatternError("a class that no printable character is in")
    return lambda rng: rng.choice(chars)
