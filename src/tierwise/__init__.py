"""tierwise: layered testing for Python software that has a language model inside.

Names are imported from the documented namespaces (`tierwise.evals`, `tierwise.leaks` ...);
importing this package alone costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.sandbox.environment.cleaning import clean_env as clean_env
    from tierwise.sandbox.environment.mocking import mock_process_env as mock_process_env
    from tierwise.sandbox.resetting import reset_each_test as reset_each_test

    __version__: str
    """The version of the installed tierwise."""

__all__ = ["__version__", "clean_env", "mock_process_env", "reset_each_test"]


def __getattr__(name: str) -> object:
    """Load a name when it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'tierwise' has no attribute {name!r}")
    if name == "__version__":
        from tierwise import _version  # noqa: PLC0415  lazy by promise

        return _version.__version__
    if name == "reset_each_test":
        from tierwise.sandbox import resetting  # noqa: PLC0415

        return resetting.reset_each_test
    if name == "clean_env":
        from tierwise.sandbox.environment import cleaning  # noqa: PLC0415

        return cleaning.clean_env
    from tierwise.sandbox.environment import mocking  # noqa: PLC0415

    return mocking.mock_process_env
