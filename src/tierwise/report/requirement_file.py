"""Requirements as a project writes them down: tables of a Markdown document, or YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ID_COLUMNS = frozenset({"id", "requirement id", "requirement", "key"})
_CELL = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"\[([^\[\]]+)\](?:\([^()]*\)|\[[^\[\]]*\])")
_RULE = re.compile(r":?-+:?")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_BLOCK = re.compile(r" {0,3}(?:#|>|[-*+] |\d+[.)] |<)|    ")
_HOW = 'a Markdown table with a column "ID", or YAML such as "REQ-7: what is asked"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One requirement, and the line of the file that it stands in."""

    id: str
    text: str = ""
    line: int = 0


def read_requirements(text: str, where: str) -> tuple[Requirement, ...]:
    """Return the requirements of a file, in order; ConfigError when it holds none or one twice."""
    suffix = where.rpartition(".")[2].lower()
    if suffix in ("md", "markdown"):
        found = list(_from_markdown(text, where))
    elif suffix in ("yaml", "yml"):
        found = list(_from_yaml(text, where))
    else:
        raise ConfigError(
            f"The requirements file {where} is neither .md nor .yaml; expected {_HOW}."
        )
    if not found:
        raise ConfigError(f"{where} holds no requirement; expected {_HOW}.")
    return _check_ids(found, where)


def _check_ids(found: Iterable[Requirement], where: str) -> tuple[Requirement, ...]:
    known: dict[str, Requirement] = {}
    for one in found:
        if not one.id:
            raise ConfigError(f"{where}, line {one.line}: a requirement has no id.")
        if one.id in known:
            raise ConfigError(
                f"{where}, line {one.line}: the requirement {one.id!r} stands in line "
                f"{known[one.id].line}, too. Give each its own id."
            )
        known[one.id] = one
    return tuple(known.values())


def _from_markdown(text: str, where: str) -> Iterator[Requirement]:
    columns: tuple[int, int | None] | None = None
    previous: list[str] | None = None
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        opened = _FENCE.match(line)
        if opened and fence in ("", opened[1]):
            fence = "" if fence else opened[1]
        is_row = "|" in line or (columns is not None and _continues_table(line))
        cells = _cells(line) if is_row and not fence and not opened else None
        if cells is None:
            columns = None
        elif columns is not None:
            yield _requirement_of_row(cells, columns, where, number)
        elif previous and all(map(_RULE.fullmatch, cells)) and len(previous) == len(cells):
            columns = _choose_columns(previous)
        previous = cells


def _continues_table(line: str) -> bool:
    """Tell whether a line without a bar is a row of the table above, as Markdown has it."""
    return bool(line.strip()) and not _BLOCK.match(line)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [_plain(cell) for cell in _CELL.split(inner)]


def _plain(cell: str) -> str:
    text = cell.replace("\\|", "|").strip()
    if link := _LINK.fullmatch(text):
        text = link[1]
    for mark in ("`", "**", "__", "*"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text = text[len(mark) : -len(mark)]
    return text


def _choose_columns(head: list[str]) -> tuple[int, int | None] | None:
    names = [name.lower() for name in head]
    # A table may have both an id and the requirement in words.
    ids = [names.index(name) for name in ("id", *sorted(_ID_COLUMNS)) if name in names]
    if not ids:
        return None
    others = [place for place in range(len(names)) if place != ids[0]]
    behind = [place for place in others if place > ids[0]]
    return ids[0], next(iter((*behind, *others)), None)


def _requirement_of_row(
    cells: list[str], columns: tuple[int, int | None], where: str, line: int
) -> Requirement:
    place, words = columns
    if place >= len(cells):
        raise ConfigError(f"{where}, line {line}: the row has no cell for the id.")
    has_words = words is not None and words < len(cells)
    return Requirement(id=cells[place], text=cells[words] if has_words else "", line=line)  # type: ignore[index]  # has_words says so


def _from_yaml(text: str, where: str) -> Iterator[Requirement]:
    try:
        import yaml  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingExtraError(
            f"Reading {where} needs pyyaml, which is not installed. "
            "Run: pip install 'tierwise[evals]'. A Markdown table needs none of it."
        ) from None
    try:
        # Nodes alone, never objects: an id such as 7, `no` or 1.10 stays the text that it is.
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        told = " ".join(str(error).split()) or "it nests too deeply"
        raise ConfigError(f"{where} is no plain YAML: {told}.") from None
    yield from _from_node(yaml, node, where)


def _from_node(yaml: Any, node: Any, where: str) -> Iterator[Requirement]:  # noqa: ANN401  nodes
    if isinstance(node, yaml.MappingNode):
        pairs = list(node.value)
        if len(pairs) == 1 and pairs[0][0].value == "requirements":
            yield from _from_node(yaml, pairs[0][1], where)
            return
        for key, value in pairs:
            yield Requirement(
                id=_text_of(yaml, key, where),
                text=_words_of(yaml, value, where),
                line=key.start_mark.line + 1,
            )
    elif isinstance(node, yaml.SequenceNode):
        for entry in node.value:
            yield _requirement_of_entry(yaml, entry, where)
    elif node is not None:
        raise _refuse(node, where, f"a value, expected {_HOW}")


def _requirement_of_entry(yaml: Any, entry: Any, where: str) -> Requirement:  # noqa: ANN401
    line = entry.start_mark.line + 1
    if isinstance(entry, yaml.ScalarNode):
        return Requirement(id=str(entry.value).strip(), line=line)
    if not isinstance(entry, yaml.MappingNode):
        raise _refuse(entry, where, "a list within the list, expected an id")
    for key, value in entry.value:
        if key.value == "id":
            return Requirement(
                id=_text_of(yaml, value, where), text=_words_of(yaml, entry, where), line=line
            )
    raise _refuse(entry, where, "a requirement without the key `id`")


def _words_of(yaml: Any, node: Any, where: str) -> str:  # noqa: ANN401
    if not isinstance(node, yaml.MappingNode):
        return _text_of(yaml, node, where)
    for wanted in ("text", "title", "description"):
        for key, value in node.value:
            if key.value == wanted:
                return _text_of(yaml, value, where)
    return ""


def _text_of(yaml: Any, node: Any, where: str) -> str:  # noqa: ANN401
    if not isinstance(node, yaml.ScalarNode):
        raise _refuse(node, where, "a list or a table where a text was expected")
    return " ".join(str(node.value).split())


def _refuse(node: Any, where: str, what: str) -> ConfigError:  # noqa: ANN401
    return ConfigError(f"{where}, line {node.start_mark.line + 1} holds {what}.")
