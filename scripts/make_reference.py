"""Write docs/reference.md: every public name, how it is called and what it promises.

    python scripts/make_reference.py

Sources are read and never imported, so the page is the same whatever Python writes it, and
whichever extras are installed.
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference.md"

NAMESPACES = (
    "tierwise",
    "tierwise.evals",
    "tierwise.evals.scorers",
    "tierwise.evals.judges",
    "tierwise.providers",
    "tierwise.gateway",
    "tierwise.clock",
    "tierwise.contracts",
    "tierwise.contracts.pact",
    "tierwise.live",
    "tierwise.leaks",
    "tierwise.stats",
    "tierwise.records",
    "tierwise.sandbox",
    "tierwise.config",
    "tierwise.domain",
    "tierwise.errors",
)
"""What users import from, in the order in which they meet it."""

HEAD = """\
# Reference

Every public name, how it is called and the first sentence of what it promises; its docstring has
the rest. Import from these namespaces alone: whatever else lies inside them may move. Written by
`make reference` from the docstrings, so edit those and not this page.
"""
LONGEST_VALUE = 160
ENUMS = {"Enum", "IntEnum", "StrEnum"}
SENTENCE = re.compile(r".+?[.?!](?=\s+[A-Z`\"]|$)", re.DOTALL)

Callable = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Definition = Callable | ast.Assign | ast.AnnAssign


class Entry(NamedTuple):
    """One name of a namespace, or one member of a class."""

    name: str
    kind: str
    signature: str
    docstring: str
    members: tuple[Entry, ...] = ()


def make_page(sources: Mapping[str, str]) -> str:
    """Return the page for the text of each module by its dotted name."""
    trees = {name: ast.parse(text) for name, text in sources.items()}
    sections = [HEAD]
    for namespace in NAMESPACES:
        about = first_sentence(ast.get_docstring(trees[namespace]) or "")
        lines = [line for entry in entries_of(namespace, trees) for line in render(entry)]
        sections.append("\n".join((f"## {namespace}", "", about, "", *lines, "")))
    return "\n".join(sections)


def entries_of(namespace: str, trees: Mapping[str, ast.Module]) -> list[Entry]:
    """Return an entry for each name that a namespace lists in `__all__`."""
    return [
        describe(name, *find(name, namespace, trees)) for name in public_names(trees[namespace])
    ]


def public_names(tree: ast.Module) -> list[str]:
    """Return what a module's `__all__` lists; a module without one is an error."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and _names(node) == ["__all__"]:
            return list(ast.literal_eval(node.value))
    raise ValueError(f"{ast.get_docstring(tree)!r}: this module has no __all__.")


def find(name: str, module: str, trees: Mapping[str, ast.Module]) -> tuple[Definition, str]:
    """Return where a name is defined, imports followed, with its docstring."""
    body = list(_statements(trees[module]))
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom):
            origin = next((a.name for a in node.names if (a.asname or a.name) == name), None)
            if origin is not None:
                return find(origin, node.module or "", trees)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            if name in _names(node):
                return node, _text(after)
        elif isinstance(node, Callable) and node.name == name and not _is_overload(node):
            return node, ast.get_docstring(node) or ""
    raise LookupError(f"{module} exports {name!r}, which is not defined there.")


def _is_overload(node: Callable) -> bool:
    return "overload" in _decorators(node)


def describe(name: str, node: Definition, docstring: str) -> Entry:
    """Return the entry of one definition."""
    if isinstance(node, ast.ClassDef):
        kind, signature = _class_signature(node)
        return Entry(name, kind, signature, docstring, tuple(_members(node)))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return Entry(name, "function", _call(node, name), docstring)
    kind = "type" if name[0].isupper() and not name.isupper() else "value"
    return Entry(name, kind, _assignment(name, node), docstring)


def render(entry: Entry, indent: str = "") -> Iterator[str]:
    """Yield the lines of an entry: name, kind and promise, the signature, then its members."""
    yield f"{indent}- **{entry.name}** ({entry.kind}): {first_sentence(entry.docstring)}\\"
    yield f"{indent}  `{entry.signature}`"
    for member in entry.members:
        told = first_sentence(member.docstring)
        yield f"{indent}  - `{member.signature}`" + (f": {told}" if told else "")


def first_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring on one line."""
    text = " ".join(docstring.partition("\n\n")[0].split())
    found = SENTENCE.match(text)
    return found.group() if found else text


def _class_signature(node: ast.ClassDef) -> tuple[str, str]:
    bases = [ast.unparse(base) for base in node.bases]
    if ENUMS & set(bases):
        values = (ast.unparse(s) for s in node.body if isinstance(s, ast.Assign))
        return "enum", ", ".join(values)
    if any(base == "Protocol" for base in bases):
        return "protocol", f"class {node.name}(Protocol)"
    init = next((m for m in _functions(node) if m.name == "__init__"), None)
    if init is None and any(base.endswith(("Error", "Exception")) for base in bases):
        return "error", f"class {node.name}({', '.join(bases)})"
    if init is not None:
        kind = "error" if any("Exception" in b or "Error" in b for b in bases) else "class"
        return kind, f"{node.name}({_arguments(init.args, is_bound=True)})"
    if "NamedTuple" in bases:
        return "named tuple", f"{node.name}({', '.join(_fields(node))})"
    keywords = [k for d in node.decorator_list if isinstance(d, ast.Call) for k in d.keywords]
    fields = list(_fields(node))
    if fields and any(k.arg == "kw_only" for k in keywords):
        fields.insert(0, "*")
    kind = "dataclass" if "dataclass" in _decorators(node) else "class"
    return kind, f"{node.name}({', '.join(fields)})"


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for field in node.body:
        if not isinstance(field, ast.AnnAssign):
            continue
        name, annotation = ast.unparse(field.target), ast.unparse(field.annotation)
        if annotation == "KW_ONLY":
            yield "*"
        elif _is_given(name, annotation, field.value):
            default = _default(field.value)
            yield f"{name}: {annotation}" + (f" = {default}" if default else "")


def _is_given(name: str, annotation: str, value: ast.expr | None) -> bool:
    """Tell whether whoever makes an instance gives this field a value."""
    is_made = isinstance(value, ast.Call) and any(
        keyword.arg == "init" and ast.unparse(keyword.value) == "False"
        for keyword in value.keywords
    )
    return not (name.startswith("_") or annotation.startswith("ClassVar") or is_made)


def _default(value: ast.expr | None) -> str:
    if not (isinstance(value, ast.Call) and ast.unparse(value.func) == "field"):
        return ast.unparse(value) if value is not None else ""
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in value.keywords}
    if "default_factory" in given:
        return f"{given['default_factory']}()"
    return given.get("default", "")


def _members(node: ast.ClassDef) -> Iterator[Entry]:
    for member in _functions(node):
        if member.name.startswith("_"):
            continue
        text, decorators = ast.get_docstring(member) or "", _decorators(member)
        if "property" in decorators:
            signature = f".{member.name}: {ast.unparse(member.returns or ast.Constant(None))}"
            yield Entry(member.name, "property", signature, text)
        else:
            is_bound = "staticmethod" not in decorators
            owner = node.name if {"classmethod", "staticmethod"} & decorators else ""
            signature = _call(member, f"{owner}.{member.name}", is_bound=is_bound)
            yield Entry(member.name, "method", signature, text)


def _call(
    node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, *, is_bound: bool = False
) -> str:
    kind = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    returns = ast.unparse(node.returns) if node.returns else "None"
    if "contextmanager" in _decorators(node):
        returns = returns.replace("Iterator", "AbstractContextManager")
    return f"{kind}{name}({_arguments(node.args, is_bound=is_bound)}) -> {returns}"


def _arguments(given: ast.arguments, *, is_bound: bool) -> str:
    """Return the parameters of a call; a private default is nobody's business."""
    before = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(before) - len(given.defaults)), *given.defaults]
    texts = [_parameter(a, d) for a, d in zip(before, defaults, strict=True)]
    if given.posonlyargs:
        texts.insert(len(given.posonlyargs), "/")
    texts = texts[is_bound:]
    if given.vararg:
        texts.append(f"*{_parameter(given.vararg, None)}")
    elif given.kwonlyargs:
        texts.append("*")
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    texts += [_parameter(argument, default) for argument, default in pairs]
    if given.kwarg:
        texts.append(f"**{_parameter(given.kwarg, None)}")
    return ", ".join(texts)


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    text = ast.unparse(argument)
    if default is None:
        return text
    value = ast.unparse(default)
    return f"{text} = {'...' if value.startswith('_') else value}"


def _assignment(name: str, node: ast.Assign | ast.AnnAssign) -> str:
    if isinstance(node, ast.AnnAssign):
        return f"{name}: {ast.unparse(node.annotation)}"
    value = ast.unparse(node.value)
    return f"{name} = {value if len(value) <= LONGEST_VALUE else '...'}"


def _functions(node: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (m for m in node.body if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef))


def _decorators(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    called = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    return {ast.unparse(decorator) for decorator in called}


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield what a type checker sees at the top of a module."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.If) else (node,)


def _names(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _text(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def read_sources(root: Path) -> dict[str, str]:
    """Return the text of each module of tierwise by its dotted name."""
    found = {}
    for path in sorted((root / "src" / "tierwise").rglob("*.py")):
        parts = path.relative_to(root / "src").with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = path.read_text(encoding="utf-8")
    return found


def main() -> None:
    """Write the page; say whether it changed."""
    page = make_page(read_sources(ROOT))
    is_same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page
    if not is_same:
        PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} {'is up to date' if is_same else 'written'}\n")


if __name__ == "__main__":
    main()
