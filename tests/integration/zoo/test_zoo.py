import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ZOO = Path(__file__).parents[2] / "zoo"
ANIMALS = tuple(sorted(path.parent for path in ZOO.glob("*/zoo.toml")))
PLAIN = ("-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:pytest_socket", "--color=no")


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.name)
def test_each_animal_is_found_named_and_healed(animal: Path, tmp_path: Path) -> None:
    """What `zoo.toml` says of each command is so: its exit code, what it tells, what it hides."""
    sheet = tomllib.loads((animal / "zoo.toml").read_text(encoding="utf-8"))
    for number, run in enumerate(sheet["run"]):
        root = shutil.copytree(animal, tmp_path / str(number), ignore=_CACHES)
        _change(root / "pyproject.toml", run)
        ended = _carry_out(root, run["does"])
        told = ended.stdout + ended.stderr
        if "namespaces" in run.get("needs", "") and "cannot be closed" in told:
            pytest.skip(f"unobservable: {told.splitlines()[0]}")
        at = f"{animal.name}: {run['does']} ({sheet['what']})\n{told}"
        assert ended.returncode == run["exit"], at
        for pattern in run["tells"]:
            assert re.search(pattern, told), f"{pattern!r} is not told of {at}"
        for pattern in run.get("hides", ()):
            assert not re.search(pattern, told), f"{pattern!r} is told of {at}"


def test_the_zoo_has_forty_animals_at_least() -> None:
    """A folder without a sheet is no animal, and none is lost."""
    assert len(ANIMALS) >= 40
    assert [path.name for path in ZOO.iterdir() if not (path / "zoo.toml").exists()] == []


_CACHES = shutil.ignore_patterns("__pycache__", ".tierwise", "audit.html")


def _change(file: Path, run: dict[str, Any]) -> None:
    text = file.read_text(encoding="utf-8")
    if "replace" in run:
        text = re.sub(r"^allow = .*$", run["replace"], text, flags=re.MULTILINE)
    file.write_text(text + "\n" + run.get("append", ""), encoding="utf-8")


def _carry_out(root: Path, does: str) -> "subprocess.CompletedProcess[str]":
    module, *arguments = shlex.split(does)
    plain = PLAIN if module == "pytest" else ()
    return subprocess.run(
        [sys.executable, "-m", module, *arguments, *plain],
        cwd=root,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
