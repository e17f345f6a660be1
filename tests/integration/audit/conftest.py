"""An audit of a small project, as somebody starts it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from audited import Audit, Audited, listing, start


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    """Write a project and audit it, in processes of its own."""

    def run(files: Mapping[str, str], *arguments: str, **environment: str) -> Audited:
        root = tmp_path / "shop"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        before = listing(root)
        result = start(root, "audit", "--json", *arguments, **environment)
        assert listing(root) == before, "the audit left something in the project"
        return Audited(
            code=result.returncode, data=json.loads(result.stdout), errors=result.stderr
        )

    return run
