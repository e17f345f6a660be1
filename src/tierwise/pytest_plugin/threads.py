"""An uncaught violation in a thread is known already; nobody needs its traceback as well."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tierwise.sandbox import PolicyViolation

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


class QuietThreads:
    """Keep pytest's warning about uncaught thread errors for errors that are news."""

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Stand in front of the hook that pytest has put in by now."""
        theirs = threading.excepthook
        ours = without_violations(theirs)
        threading.excepthook = ours

        def restore() -> None:
            if threading.excepthook is ours:
                threading.excepthook = theirs

        session.config.add_cleanup(restore)


def without_violations(
    report: Callable[[threading.ExceptHookArgs], object],
) -> Callable[[threading.ExceptHookArgs], object]:
    """Return a thread hook that reports all but violations, which fail their test anyway."""

    def hook(args: threading.ExceptHookArgs) -> None:
        if not issubclass(args.exc_type, PolicyViolation):
            report(args)

    return hook
