"""Reads the code blocks of a document and says what each is; runs nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

TITLE = re.compile(r'title="([^"]+)"')
RUN = ("python", "toml", "console")
"""Languages that are run; `sh` is checked by name, `text` shows what is no code."""
KNOWN = (*RUN, "sh", "text", "json", "yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block: a file when it has a title, else something to run where it stands."""

    language: str
    title: str | None
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One `$ command` of a console block with the lines that must appear, in order."""

    command: str
    expected: tuple[str, ...]
    line: int


def blocks_of(document: str) -> Iterator[Block]:
    """Yield the fenced blocks of a Markdown text in order."""
    for token in MarkdownIt().parse(document):
        if token.type != "fence":
            continue
        language, _, rest = token.info.strip().partition(" ")
        title = TITLE.search(rest)
        yield Block(
            language=language,
            title=title.group(1) if title else None,
            text=token.content,
            line=(token.map or [0])[0] + 1,
        )


def steps_of(block: Block) -> tuple[Step, ...]:
    """Split a console block into its commands and what each is expected to print."""
    steps: list[Step] = []
    for offset, line in enumerate(block.text.splitlines(), start=1):
        if line.startswith("$ "):
            steps.append(Step(command=line[2:], expected=(), line=block.line + offset))
        elif steps and line.strip() not in ("", "..."):
            last = steps[-1]
            steps[-1] = Step(command=last.command, expected=(*last.expected, line), line=last.line)
    return tuple(steps)


def missing_line(expected: tuple[str, ...], printed: str) -> str | None:
    """Return the first expected line that does not appear in order; `...` stands for any text."""
    rest = printed.splitlines()
    for line in expected:
        pattern = re.compile(r".*?".join(re.escape(part) for part in line.strip().split("...")))
        for index, candidate in enumerate(rest):
            if pattern.fullmatch(candidate.strip()) or pattern.search(candidate):
                rest = rest[index + 1 :]
                break
        else:
            return line
    return None
