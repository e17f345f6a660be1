"""The state of a project's code, read from its files: the same files give the same hash."""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tierwise.records.code import hash_code, is_code, is_content, is_input, is_left_out

_NOTHING: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType({})

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


def read_fingerprint(
    root: Path,
    *,
    whole: Iterable[str] = (),
    texts: bool = False,
    reduce: Mapping[str, Callable[[bytes], bytes]] = _NOTHING,
) -> str:
    """Return a hash of the code below `root`, or "" when a file of it could not be read.

    Python and configuration files count everywhere, all files count below the paths in `whole`,
    which may be patterns. With `texts` so do the files that prompts and cases are written in.
    Of the files in `reduce`, by their path below the root, only what the function leaves counts.
    Version control is not asked: an edit changes the hash, a commit does not.
    """
    try:
        return hash_code(read_digests(root, whole=whole, texts=texts, reduce=reduce).items())
    except OSError:
        return ""


def read_digests(
    root: Path,
    *,
    whole: Iterable[str] = (),
    texts: bool = False,
    reduce: Mapping[str, Callable[[bytes], bytes]] = _NOTHING,
    skip: Callable[[str], bool] = lambda _path: False,
    limit: int | None = None,
) -> Mapping[str, bytes]:
    """Return a digest of each file that `read_fingerprint` counts, by its path below `root`.

    What `skip` says of a file's or folder's path is left out. Raises `OSError` for a file that
    cannot be read, and for more files than `limit`.
    """
    reducers = {str(root / name): function for name, function in reduce.items()}
    folders = frozenset(_expand(root, whole))
    found = _walk(
        str(root),
        folders,
        is_whole=str(root) in folders,
        counts=is_input if texts else is_code,
    )
    paths = list(itertools.islice((path for path in found if not skip(path)), limit))
    if limit is not None and len(paths) == limit:
        raise OSError(errno.EFBIG, f"more than {limit} files", str(root))
    return {os.path.relpath(path, root): _digest(path, reducers.get(path)) for path in paths}


def _expand(root: Path, patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        if set("*?[") & set(pattern):
            yield from (str(path) for path in root.glob(pattern))
        else:
            yield str(root / pattern)


def _walk(
    folder: str, whole: frozenset[str], *, is_whole: bool, counts: Callable[[str], bool]
) -> Iterator[str]:
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        is_known = is_whole or entry.path in whole
        if entry.is_dir(follow_symlinks=False):
            if not is_left_out(entry.name, _names_in(entry)):
                yield from _walk(entry.path, whole, is_whole=is_known, counts=counts)
        elif (is_content if is_known else counts)(entry.name) and entry.is_file():
            yield entry.path


def _names_in(entry: os.DirEntry[str]) -> frozenset[str]:
    marks = ("pyvenv.cfg", "__init__.py")
    return frozenset(name for name in marks if os.path.exists(f"{entry.path}{os.sep}{name}"))  # noqa: PTH110  a Path for each folder is what costs here


def _digest(path: str, reduce: Callable[[bytes], bytes] | None) -> bytes:
    if reduce is not None:
        return hashlib.sha256(reduce(Path(path).read_bytes())).digest()
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
