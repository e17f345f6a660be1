"""tierwise: layered testing for Python software that has a language model inside.

Names are imported from the documented namespaces (`tierwise.evals`, `tierwise.leaks` ...);
importing this package alone costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    """The version of the installed tierwise."""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """Load `__version__` when it is asked for."""
    if name == "__version__":
        from tierwise import _version  # noqa: PLC0415  lazy by promise

        return _version.__version__
    raise AttributeError(f"module 'tierwise' has no attribute {name!r}")
