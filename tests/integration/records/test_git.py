"""The commit of a working tree, read from its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.records import read_commit

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def a_repository(root: Path, head: str) -> Path:
    git = root / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text(head + "\n")
    return git


def test_a_branch_is_followed_from_a_folder_below(tmp_path: Path) -> None:
    """The usual case: HEAD names a branch, the branch a commit."""
    git = a_repository(tmp_path, "ref: refs/heads/main")
    (git / "refs" / "heads" / "main").write_text(COMMIT + "\n")
    (tmp_path / "src").mkdir()
    assert read_commit(tmp_path / "src") == COMMIT


def test_a_detached_head_is_the_commit(tmp_path: Path) -> None:
    """CI checks commits out by hash."""
    a_repository(tmp_path, COMMIT)
    assert read_commit(tmp_path) == COMMIT


def test_a_packed_branch_is_found(tmp_path: Path) -> None:
    """A fresh clone keeps its branches in one file."""
    git = a_repository(tmp_path, "ref: refs/heads/main")
    (git / "packed-refs").write_text(f"# pack-refs\n{COMMIT} refs/heads/main\n")
    assert read_commit(tmp_path) == COMMIT


def test_a_worktree_leads_to_the_repository(tmp_path: Path) -> None:
    """A worktree's .git is a file that names its folder in the repository."""
    git = a_repository(tmp_path / "main", "ref: refs/heads/main")
    (git / "refs" / "heads" / "side").write_text(COMMIT)
    own = git / "worktrees" / "side"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/side\n")
    (own / "commondir").write_text("../..\n")
    (tmp_path / "side").mkdir()
    (tmp_path / "side" / ".git").write_text(f"gitdir: {own}\n")
    assert read_commit(tmp_path / "side") == COMMIT


def test_no_repository_and_no_commit_yet_are_unknown(tmp_path: Path) -> None:
    """Unknown is an empty text, never an exception."""
    a_repository(tmp_path / "empty", "ref: refs/heads/main")
    assert read_commit(tmp_path / "empty") == ""
    assert read_commit(tmp_path / "nowhere") == ""
