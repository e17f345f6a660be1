"""Shell text split into simple commands, each with the folder that it runs in."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from tierwise.audit.ci.project import join
from tierwise.audit.ci.values import Command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BREAKS = frozenset({"&&", "||", ";", "|", "&", ";;"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_KEYWORDS = frozenset({"then", "do", "else", "!", "{", "(", "if", "while", "time", "exec"})
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def commands_of(
    script: str, folder: str, where: str, variables: Mapping[str, str] | None = None
) -> Iterator[Command]:
    """Yield the commands of a script in order; `cd x` moves those after it."""
    known = dict(variables or {})
    for line in _lines_of(script):
        for words in _split(line):
            words = [expand(word, known) for word in words]  # noqa: PLW2901  the same, expanded
            bare = strip_keywords(words)
            if bare and all(_ASSIGNMENT.match(word) for word in bare):
                known |= dict(word.split("=", 1) for word in bare)
            elif bare[:1] in (["cd"], ["pushd"]) and len(bare) > 1:
                folder = join("" if bare[1].startswith("/") else folder, bare[1])
            elif bare:
                yield Command(words=tuple(bare), folder=folder, where=where)


def expand(word: str, variables: Mapping[str, str]) -> str:
    """Return a word with the variables that are known put in."""

    def put(found: re.Match[str]) -> str:
        return variables.get(found.group(1) or found.group(2), found.group(0))

    return _VARIABLE.sub(put, word)


def strip_keywords(words: list[str]) -> list[str]:
    """Return the words of a command without `export`, `if`, `then` and their like before it."""
    while words and (words[0] in _KEYWORDS or words[0] == "export"):
        words = words[1:]
    return words


def _lines_of(script: str) -> Iterator[str]:
    joined = script.replace("\r\n", "\n").replace("\\\n", " ")
    yield from (line.strip() for line in joined.splitlines() if line.strip())


def _split(line: str) -> Iterator[list[str]]:
    words: list[str] = []
    for token in _tokens(line):
        if token in _BREAKS:
            if words:
                yield words
            words = []
        else:
            words.append(token)
    if words:
        yield words


def _tokens(line: str) -> list[str]:
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found.group(0))
        return f"\x00{len(held) - 1}\x00"

    lexer = shlex.shlex(_EXPRESSION.sub(hold, line), posix=True, punctuation_chars="&|;")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    try:
        found = list(lexer)
    except ValueError:
        found = line.split()  # a quote that ends on another line
    return [re.sub("\x00(\\d+)\x00", lambda at: held[int(at.group(1))], word) for word in found]
