"""The commit of a working tree, read without starting a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def read_commit(root: Path) -> str:
    """Return the full hash of the commit checked out at or above `root`, or "" if unknown."""
    try:
        git = _find_git_folder(root)
        return "" if git is None else _resolve_head(git)
    except OSError:
        return ""


def _find_git_folder(root: Path) -> Path | None:
    for folder in (root, *root.parents):
        entry = folder / ".git"
        if entry.is_dir():
            return entry
        if entry.is_file():
            # A worktree or a submodule: one line `gitdir: PATH`.
            target = entry.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            return (folder / target).resolve()
    return None


def _resolve_head(git: Path) -> str:
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head
    ref = head.removeprefix("ref:").strip()
    common = git
    if (git / "commondir").is_file():
        common = (git / (git / "commondir").read_text(encoding="utf-8").strip()).resolve()
    for folder in (git, common):
        if (folder / ref).is_file():
            return (folder / ref).read_text(encoding="utf-8").strip()
    return _find_packed(common, ref)


def _find_packed(git: Path, ref: str) -> str:
    packed = git / "packed-refs"
    if packed.is_file():
        for line in packed.read_text(encoding="utf-8").splitlines():
            commit, _, name = line.partition(" ")
            if name == ref:
                return commit
    return ""
