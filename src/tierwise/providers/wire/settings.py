"""What a provider is made with: checked at once, and told apart from other providers by it."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

from tierwise.domain.masking import mask_keys
from tierwise.errors import MissingExtraError, MisuseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


def check_model(model: str, *, owner: str, known_by: str) -> None:
    """Refuse an empty name."""
    if not model.strip():
        raise MisuseError(f"{owner} needs the name of a model, as {known_by} knows it.")


def check_timeout(timeout_s: float | None, *, owner: str) -> None:
    """Refuse a limit that no call could keep."""
    if timeout_s is not None and not timeout_s > 0:
        raise MisuseError(
            f"timeout_s of {owner} is {timeout_s}; expected seconds above 0, or None."
        )


def check_options(names: Collection[str], *, owner: str) -> None:
    """Refuse options by the names of what the provider fills in itself."""
    if names:
        raise MisuseError(
            f"options of {owner} names {', '.join(map(repr, names))}, which {owner} fills in "
            "itself, from the request."
        )


def write_identity(where: str, settings: Mapping[str, Any], *, owner: str) -> str:
    """Return what tells a provider from all others: where it asks, and how."""
    if not settings:
        return where
    try:
        return mask_keys(f"{where} {json.dumps(settings, sort_keys=True)}")
    except (TypeError, ValueError) as error:
        raise MisuseError(f"options of {owner} can't be sent as JSON: {error}.") from None


@contextlib.contextmanager
def needing(extra: str, *, package: str, modules: Collection[str], purpose: str) -> Iterator[None]:
    """Say which extra is missing, where one of its modules can't be imported in the block."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in modules:
            raise
        raise MissingExtraError(
            f"{purpose} needs the package {package}, which is not installed here. Install it "
            f"with: pip install 'tierwise[{extra}]'"
        ) from error
