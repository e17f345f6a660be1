"""Cases written as YAML: plain data only, each key once, words stay words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tierwise.errors import EvalUsageError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NULL = re.compile(r"~|null|Null|NULL|")


def read_yaml_rows(text: str, file: str) -> Iterator[tuple[int, Any]]:
    """Yield the entries of a YAML list, each with its line.

    Plain words are read by YAML 1.2: `no` is a word and no False, `12:30` no number, a date a
    text. A tag that makes an object, a key that comes twice and a second document are refused.
    """
    try:
        import yaml  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingExtraError(
            f"Reading {file} needs pyyaml, which is not installed. "
            "Run: pip install 'tierwise[evals]'. JSON, JSONL and CSV need none of it."
        ) from None
    try:
        loader = _make_loader(yaml, text)
        node = loader.get_single_node()
        yield from _read_entries(yaml, loader, node, file)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise EvalUsageError(f"{file}, line {line} is no plain YAML: {_explain(error)}.") from None
    except yaml.YAMLError as error:
        raise EvalUsageError(f"{file} is no YAML: {' '.join(str(error).split())}.") from None
    except RecursionError:
        raise EvalUsageError(f"{file} nests too deeply, or without an end.") from None
    except ValueError as error:  # a number of more digits than Python reads
        raise EvalUsageError(f"{file}: {error}.") from None


def _read_entries(
    yaml: Any,  # noqa: ANN401  the module, loaded late
    loader: yaml.SafeLoader,
    node: Any,  # noqa: ANN401  a node of it, or nothing in an empty file
    file: str,
) -> Iterator[tuple[int, Any]]:
    if node is None:
        return
    if not isinstance(node, yaml.SequenceNode):
        kind = "one mapping" if isinstance(node, yaml.MappingNode) else "one value"
        raise EvalUsageError(
            f"{file}, line {node.start_mark.line + 1} holds {kind} where a list of cases was "
            "expected. Each case begins with a hyphen; cases under a key stand in no list."
        )
    _refuse_twins(yaml, node)
    for entry in node.value:
        yield entry.start_mark.line + 1, loader.construct_document(entry)


def _make_loader(yaml: Any, text: str) -> yaml.SafeLoader:  # noqa: ANN401  the module
    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # the module is loaded late
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  its class attribute

    for tag, pattern, first in (
        ("bool", _BOOL, "tTfF"),
        ("int", _INT, "-+0123456789"),
        ("float", _FLOAT, "-+.0123456789"),
        ("null", _NULL, ["~", "n", "N", ""]),
        ("merge", re.compile("<<"), "<"),
    ):
        whole = re.compile(rf"(?:{pattern.pattern})$")
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", whole, list(first))
    Loader.add_constructor("tag:yaml.org,2002:int", lambda _, node: _read_int(node.value))
    Loader.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))
    return Loader(text)


def _read_int(text: str) -> int:
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


def _refuse_twins(yaml: Any, node: Any) -> None:  # noqa: ANN401  the module and a node
    """Refuse a key that is written twice; what a merge brings may be overridden."""
    if isinstance(node, yaml.ScalarNode):
        return
    children = node.value
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} comes twice in one mapping", key.start_mark
                )
            seen.add(str(key.value))
        children = [value for _, value in node.value]
    for child in children:
        _refuse_twins(yaml, child)


def _explain(error: yaml.MarkedYAMLError) -> str:
    problem = " ".join((error.problem or "").split())
    if "could not determine a constructor for the tag" in problem:
        tag = problem.rpartition(" ")[2]
        return f"the tag {tag} would make an object, and cases are plain data"
    return problem or "it cannot be read"
