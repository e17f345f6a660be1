"""The public surface: every name has a page entry, a promise, and a user in tests/typing."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[3]
TYPING = ROOT / "tests" / "typing"
INTERNAL = {"tierwise.pytest_plugin"}
"""Packages whose `__all__` is for pytest, not for users."""


def load_script(name: str) -> Any:
    """Return a script of this repository as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = load_script("make_reference")
SOURCES = reference.read_sources(ROOT)
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}
ENTRIES = [
    (namespace, entry)
    for namespace in reference.NAMESPACES
    for entry in reference.entries_of(namespace, TREES)
]


def find_used(source: str) -> set[str]:
    """Return the dotted names of tierwise that a module uses, not only imports."""
    tree = ast.parse(source)
    origin = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            origin |= {alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            used.add(origin.get(node.id, ""))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.add(f"{origin.get(node.value.id, '')}.{node.attr}")
    return used


def find_poor(docstrings: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names whose docstring is no full sentence: three words at least, and an end."""
    return [
        name
        for name, docstring in docstrings
        if not (sentence := reference.first_sentence(docstring)).endswith((".", "?", "!"))
        or len(sentence.split()) < 3
    ]


def describe(source: str, name: str) -> Any:
    """Return the entry of a name in a module that holds nothing else."""
    return reference.describe(name, *reference.find(name, "m", {"m": ast.parse(source)}))


def test_the_page_is_what_the_script_writes() -> None:
    """docs/reference.md says what the docstrings say now; `make reference` writes it anew."""
    assert (ROOT / "docs/reference.md").read_text("utf-8") == reference.make_page(SOURCES)


def test_every_room_with_public_names_is_on_the_page() -> None:
    """No package that lists public names is forgotten, and none is listed that has none."""
    rooms = {
        name
        for name in SOURCES
        if name.count(".") < 3
        and "\n__all__ = [" in SOURCES[name]
        and not name.startswith(tuple(INTERNAL))
    }
    assert set(reference.NAMESPACES) == rooms


@pytest.mark.parametrize("namespace", reference.NAMESPACES)
def test_the_page_knows_the_names_that_python_sees(namespace: str) -> None:
    """What is read from the source is what an import gives, sorted without regard to case."""
    module = importlib.import_module(namespace)
    names = reference.public_names(TREES[namespace])
    assert names == module.__all__
    assert [name for name in names if not hasattr(module, name)] == []
    assert len(set(names)) == len(names)


def test_every_public_name_promises_something() -> None:
    """Each name of the public surface has a docstring that opens with a full sentence."""
    assert find_poor((f"{n}.{entry.name}", entry.docstring) for n, entry in ENTRIES) == []


def test_every_public_method_promises_something() -> None:
    """So has each method and property of a public class."""
    members = (
        (f"{namespace}.{entry.name}.{member.name}", member.docstring)
        for namespace, entry in ENTRIES
        for member in entry.members
    )
    assert find_poor(members) == []


def test_every_public_name_is_used_as_a_user_would() -> None:
    """tests/typing uses each name, so that its types are checked from outside."""
    used = {
        name
        for path in TYPING.glob("*.py")
        for name in find_used(path.read_text(encoding="utf-8"))
    }
    assert [f"{n}.{entry.name}" for n, entry in ENTRIES if f"{n}.{entry.name}" not in used] == []


def test_an_import_alone_is_no_use() -> None:
    """A name that is imported and never used counts as unused; each way of using it counts."""
    imports = "from tierwise import stats\nfrom tierwise.leaks import Secret as S, find_leaks\n"
    assert "tierwise.leaks.find_leaks" not in find_used(imports)
    assert {"tierwise.leaks.Secret", "tierwise.stats.wilson"} <= find_used(
        imports + "def f(s: S) -> None: stats.wilson(1, 2)\n"
    )
    assert "tierwise.__version__" in find_used("import tierwise\ntierwise.__version__\n")


def test_a_poor_docstring_is_found() -> None:
    """Nothing, a fragment and a sentence without its end are no promise."""
    told = {"none": "", "fragment": "Stuff.", "endless": "Return all that", "good": "Say it well."}
    assert find_poor(told.items()) == ["none", "fragment", "endless"]


@pytest.mark.parametrize(
    ("source", "kind", "signature"),
    [
        ("async def f(a, /, b: int=1, *c: str, d=_X, **e) -> T: ...", "function",
         "async f(a, /, b: int = 1, *c: str, d = ..., **e) -> T"),
        ("@dataclass(kw_only=True)\nclass f(B):\n  a: int\n  b: D = field(default_factory=D)",
         "dataclass", "f(*, a: int, b: D = D())"),
        ("@dataclass\nclass f:\n  a: int\n  _: KW_ONLY\n  b: int = 2", "dataclass",
         "f(a: int, *, b: int = 2)"),
        ("class f(StrEnum):\n  A = 'a'\n  B = 'b'", "enum", "A = 'a', B = 'b'"),
        ("class f(Protocol): ...", "protocol", "class f(Protocol)"),
        ("class f(MisuseError): ...", "error", "class f(MisuseError)"),
        ("class f(NamedTuple):\n  a: int", "named tuple", "f(a: int)"),
        ("class f:\n  def __init__(self, a: int) -> None: ...", "class", "f(a: int)"),
        ("@overload\ndef f(a: int): ...\ndef f(a: Any): ...", "function", "f(a: Any) -> None"),
        ("@dataclass\nclass f:\n  a: int\n  b: str = field(init=False)", "dataclass", "f(a: int)"),
        ("f: str", "value", "f: str"),
        ("f = 'x' * " + "9" * 200, "value", "f = ..."),
    ],
)  # fmt: skip
def test_a_signature_shows_how_to_call(source: str, kind: str, signature: str) -> None:
    """Each kind of name shows what a caller writes, private defaults and `self` left out."""
    entry = describe(source, "f")
    assert (entry.kind, entry.signature) == (kind, signature)


def test_members_show_how_they_are_reached() -> None:
    """Methods hang on an instance, class methods on the class, properties have no brackets."""
    source = """
class C:
    @property
    def size(self) -> int: "How many there are."
    @classmethod
    def open(cls, path: Path) -> Self: ...
    @contextmanager
    def acting(self) -> Iterator[None]: ...
    def _hidden(self) -> None: ...
"""
    assert [member.signature for member in describe(source, "C").members] == [
        ".size: int",
        "C.open(path: Path) -> Self",
        ".acting() -> AbstractContextManager[None]",
    ]


def test_a_name_is_followed_to_where_it_is_defined() -> None:
    """A re-export under another name shows the definition with its docstring."""
    trees = {
        "m": ast.parse("from m.inner import old as new"),
        "m.inner": ast.parse("old = 1\n'''What it is for.'''"),
    }
    node, docstring = reference.find("new", "m", trees)
    assert (ast.unparse(node), docstring) == ("old = 1", "What it is for.")
    with pytest.raises(LookupError, match="m exports 'lost'"):
        reference.find("lost", "m", trees)
