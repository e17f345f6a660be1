"""YAML read for CI files: an optional package, and what is no YAML is said."""

from __future__ import annotations

from typing import Any

from tierwise.errors import MissingExtraError


def load_yaml(text: str) -> Any:  # noqa: ANN401  whatever the file holds
    """Return what a YAML file holds; LookupError when it is no YAML.

    Tags such as GitLab's `!reference` stand for nothing that could be known.
    """
    try:
        import yaml  # noqa: PLC0415  an extra
    except ImportError as error:
        raise MissingExtraError(
            "The files of CI are YAML, and pyyaml is not installed. "
            "Run: pip install 'tierwise[evals]'"
        ) from error
    try:
        return yaml.load(text, Loader=_loader_of(yaml))  # noqa: S506  made from the safe one
    except yaml.YAMLError as error:
        problem = str(getattr(error, "problem", "") or error).partition("\n")[0]
        raise LookupError(f"it is no YAML: {problem}") from error


def _loader_of(yaml: Any) -> Any:  # noqa: ANN401  an optional package
    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # known at run time alone
        """Reads a tag that nobody declared as None."""

    Loader.add_multi_constructor("!", lambda loader, suffix, node: None)  # noqa: ARG005
    return Loader
