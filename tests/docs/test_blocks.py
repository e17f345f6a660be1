"""Every code block of the README and the docs is run, or at least checked by name."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from blocks import KNOWN, Block, blocks_of, missing_line, steps_of

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PYTHON = Path(sys.executable)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of this environment in a scratch project, away from our own settings."""
    keep = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_", "TIERWISE"))
    }
    keep |= {"PATH": f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    # A reader's project has none of the neighbours that our own suite tests against.
    keep["PYTEST_ADDOPTS"] = "-p no:randomly -p no:asyncio"
    return subprocess.run(
        command, cwd=folder, env=keep, capture_output=True, text=True, timeout=180, check=False
    )


def write_files(blocks: list[Block], folder: Path) -> None:
    """Write each titled block to the file that it names."""
    for block in blocks:
        if block.title is not None:
            target = folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")


def check_console(block: Block, folder: Path, where: str) -> None:
    """Run each command of a console block and look for the lines that the document promises."""
    where_now = folder
    for step in steps_of(block):
        words = shlex.split(step.command)
        if words[0] == "cd":
            where_now = where_now / words[1]
            continue
        result = run(words, where_now)
        printed = result.stdout + result.stderr
        absent = missing_line(step.expected, printed)
        assert absent is None, (
            f"{where}:{step.line}: `{step.command}` (exit {result.returncode}) did not print\n"
            f"  {absent}\nbut\n{printed}"
        )


def check_names(block: Block, where: str) -> None:
    """Check what a shell block names: make targets and extras exist."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for target in re.findall(r"^make ([a-z-]+)", block.text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{where}: no target {target}"
    for group in re.findall(r"tierwise\[([a-z,]+)\]", block.text):
        unknown = set(group.split(",")) - set(extras)
        assert not unknown, f"{where}: no extra {unknown}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_block_of_a_document_does_what_it_says(document: Path, tmp_path: Path) -> None:
    """Titled blocks make a scratch project; python, toml and console blocks run in it in order."""
    blocks = list(blocks_of(document.read_text(encoding="utf-8")))
    write_files(blocks, tmp_path)
    script: list[str] = []
    for block in blocks:
        where = f"{document.relative_to(ROOT)}:{block.line}"
        assert block.language in KNOWN, f"{where}: a block in {block.language!r}; known: {KNOWN}"
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "python" and block.title is None:
            compile(block.text, where, "exec")
            script.append("\n" * (block.line - sum(s.count("\n") for s in script)) + block.text)
        elif block.language == "console":
            check_console(block, tmp_path, where)
        elif block.language == "sh":
            check_names(block, where)
    if script:
        (tmp_path / "blocks_of_document.py").write_text("".join(script), encoding="utf-8")
        result = run([str(PYTHON), "-W", "error", "blocks_of_document.py"], tmp_path)
        assert result.returncode == 0, f"{document.relative_to(ROOT)}\n{result.stderr}"


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ("```python\nassert 1 == 2\n```\n", "AssertionError"),
        ("```console\n$ python -c 'print(1)'\n2\n```\n", "did not print"),
        ("```sh\nmake nonsense\n```\n", "no target nonsense"),
        ("```sh\npip install 'tierwise[nonsense]'\n```\n", "no extra"),
        ("```toml\na = = 1\n```\n", "TOMLDecodeError"),
        ("```\nplain\n```\n", "known:"),
    ],
)
def test_a_block_that_is_not_true_is_found(
    pytester: pytest.Pytester, document: str, complaint: str
) -> None:
    """The check of the blocks can fail: a planted untruth of each kind turns it red."""
    here = Path(__file__)
    pytester.makefile(".md", README=document, CONTRIBUTING="nothing")
    (pytester.path / "docs").mkdir()
    (pytester.path / "Makefile").write_text("demo:\n", encoding="utf-8")
    (pytester.path / "pyproject.toml").write_text(
        "[project.optional-dependencies]\nevals=[]\n", encoding="utf-8"
    )
    folder = pytester.mkpydir("tests") / "docs"
    folder.mkdir()
    for name in ("blocks.py", "test_blocks.py"):
        (folder / name).write_text((here.parent / name).read_text("utf-8"), encoding="utf-8")
    result = pytester.runpytest_subprocess(
        "-p", "no:tierwise", "-p", "no:randomly", "-k", "README", "--import-mode=importlib"
    )
    result.assert_outcomes(failed=1, passed=0)
    result.stdout.fnmatch_lines([f"*{complaint}*"])
