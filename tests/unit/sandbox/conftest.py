"""A made-up machine, so that no test here asks the real one."""

from __future__ import annotations

import pytest

from tierwise.sandbox.world import Place, World, sort_roots


@pytest.fixture
def world() -> World:
    """Return a machine with a project inside the temporary folder, as under pytester."""
    return World(
        roots=sort_roots(
            [
                ("/tmp", Place.TMP),  # noqa: S108  text, never opened
                ("/tmp/pt/project", Place.PROJECT),  # noqa: S108
                ("/tmp/pt/project/base", Place.TMP),  # noqa: S108
                ("/tmp/pt/project/.tierwise", Place.EXEMPT),  # noqa: S108
                ("/py", Place.LIBRARY),
            ]
        ),
        project_root="/tmp/pt/project/",  # noqa: S108
        stdlib=("/py/lib/python3/",),
        harness=(
            ("/py/lib/python3/site-packages/_pytest/", "_pytest"),
            ("/py/lib/python3/site-packages/pluggy/", "pluggy"),
            ("/py/lib/python3/site-packages/coverage/", "coverage"),
            ("/py/lib/python3/site-packages/hypothesis/", "hypothesis"),
        ),
        interpreters=frozenset({"/py/bin/python3.11"}),
        cwd=lambda: "/tmp/pt/project",  # noqa: S108
        real_path=lambda path: path.replace("/tmp/link", "/home/me"),  # noqa: S108
        path_of_descriptor={7: "/home/me", 8: "/tmp/x"}.get,  # noqa: S108
    )
