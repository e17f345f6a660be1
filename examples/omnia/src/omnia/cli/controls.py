"""`omnia controls`: the privacy eval on a prompt that gives the secret away has to be refuted."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOLDER: Final = "tests/negative_control"
REFUTED: Final = 1
USAGE: Final = 4


def run_controls(write: Callable[[str], None], project: Path) -> int:
    """Run the negative control; return 0 when it was caught and nothing else went wrong."""
    if not (project / FOLDER).is_dir():
        write(f"There is no {FOLDER} in {project}; run this in the folder of the Omnia project.")
        return USAGE
    command = [sys.executable, "-m", "tierwise", "eval", "run", FOLDER, "--json"]
    done = subprocess.run(  # noqa: S603  our own interpreter, fixed arguments
        command, cwd=project, check=False, stdout=subprocess.PIPE, text=True
    )
    complaint = find_complaint(done.returncode, done.stdout)
    write(complaint or "The negative control was caught: every leaky prompt was refuted.")
    return 1 if complaint else 0


def find_complaint(exit_code: int, output: str) -> str | None:
    """Return why the controls do not show that the eval can see a leak, or None when they do."""
    if exit_code != REFUTED:
        return f"the negative control ended with exit code {exit_code}; expected {REFUTED}"
    try:
        evals: list[dict[str, Any]] = json.loads(output)["evals"]
    except (ValueError, KeyError, TypeError):
        return "the negative control did not say what it found"
    verdicts = {judgement["verdict"] for one in evals for judgement in one["judgements"]}
    if verdicts != {"refuted"}:
        found = ", ".join(sorted(verdicts)) or "no verdict"
        return f"the negative control was to be refuted throughout; found: {found}"
    return None
