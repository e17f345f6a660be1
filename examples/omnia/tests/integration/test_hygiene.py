"""A rule over syntax trees: code that builds a prompt for a viewer never reads a raw fact."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "omnia"

RAW = frozenset(
    {
        "value",
        "_value",
        "_attributes",
        "system_attribute",
        "system_all",
        "describe_objectively",
        "describe_for_system",
        "allowed",
    }
)
"""Names that lead to a fact without asking who may know it."""


def speaks_to_a_viewer(tree: ast.AST) -> bool:
    """Return whether the code makes a `Prompt` for somebody, or a viewer's view of the world."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "describe_subjectively":
            return True
        if isinstance(node, ast.Call) and _name(node.func) == "Prompt":
            viewers = [keyword.value for keyword in node.keywords if keyword.arg == "viewer"]
            if not viewers or not _is_none(viewers[0]):
                return True
    return False


def raw_names(tree: ast.AST) -> set[str]:
    """Return the raw names that the code reads, by attribute, by name or by import."""
    found = {_name(node) for node in ast.walk(tree)}
    found |= {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return found & RAW


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def prompt_modules() -> dict[str, ast.Module]:
    trees = {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }
    return {name: tree for name, tree in trees.items() if speaks_to_a_viewer(tree)}


def test_no_prompt_for_a_viewer_reads_a_raw_fact() -> None:
    """Whatever a viewer is told went through `visible_for`, in every module that tells it."""
    found = {name: raw_names(tree) for name, tree in prompt_modules().items()}
    assert {name: names for name, names in found.items() if names} == {}


def test_the_rule_looks_at_every_module_that_speaks_to_a_viewer() -> None:
    """A rule that reads nothing is green for ever: these are the modules that it has to find."""
    assert set(prompt_modules()) == {
        "actor/prompt.py",
        "actor/reply.py",
        "architect/alias_prompt.py",
        "core/subjective.py",
        "intent/decoder.py",
        "memory/handoff.py",
    }


@pytest.mark.parametrize(
    "code",
    [
        "Prompt(system='', user=fact.value, viewer=v)",
        "Prompt(system='', user=str(facts._attributes), viewer=v)",
        "Prompt(system='', user=describe_objectively(w), viewer=v)",
        "Prompt(system='', user=[f for f in facts.system_all()], viewer=v)",
        "from omnia.core import describe_objectively as d\nPrompt(system='', user=d(w), viewer=v)",
    ],
)
def test_the_rule_catches_each_way_round(code: str) -> None:
    """Planted, each is found in a module that speaks to a viewer."""
    tree = ast.parse(code)
    assert speaks_to_a_viewer(tree)
    assert raw_names(tree)


def test_the_system_may_see_everything() -> None:
    """A prompt for nobody in the world is no concern of this rule."""
    assert not speaks_to_a_viewer(ast.parse("Prompt(system='', user=x.value, viewer=None)"))
