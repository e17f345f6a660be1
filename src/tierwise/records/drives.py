"""Is a file on a drive of another machine? SQLite's locks cannot be trusted there."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from tierwise.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

_MOUNTS = "/proc/self/mountinfo"
_NETWORK = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs"),
        *("beegfs", "glusterfs", "pvfs2", "orangefs", "davfs", "vboxsf", "prl_fs", "drvfs"),
    }
)
_FUSE = re.compile(
    r"fuse\.(?:sshfs|s3fs|goofys|gcsfuse|rclone|glusterfs|davfs2?|cephfs\w*|ceph\S*|juicefs|"
    r"blobfuse2?|vmhgfs-fuse|curlftpfs|mount-s3)"
)
_OCTAL = re.compile(r"\\([0-7]{3})")


def refuse_network_drive(path: Path) -> None:
    """Raise StoreError when the store at `path` would be, or is, on a network drive."""
    kind = read_network_kind(path)
    if kind:
        raise StoreError(
            f"The run store {path} is on a network drive ({kind}): SQLite's write-ahead log needs "
            "memory that all its processes share, and two machines that write at once damage the "
            "file. Work in a folder of this machine's own and merge the records by `tierwise "
            "records export` and `import`; or, where one machine alone ever uses the file, set "
            "network_drive = true in [tool.tierwise.records]."
        )


def read_network_kind(path: Path) -> str:
    """Return the type of the network drive that a path is on; "" for any other drive.

    Where the system does not tell, which is anywhere but on Linux, nothing is refused.
    """
    if sys.platform != "linux":
        return ""
    folder = path.absolute()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        real = os.path.realpath(folder)
        if os.major(os.stat(real).st_dev):  # noqa: PTH116  a disk of this machine's own
            return ""
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return find_network_kind(real, file.read())
    except OSError:
        return ""


def find_network_kind(path: str, mounts: str) -> str:
    """Return the type of the network drive that holds a real path, by the text of `mountinfo`."""
    best, kind = "", ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields, described = before.split(" "), after.split(" ")
        if len(fields) < 5 or not described[0]:  # noqa: PLR2004  the mount point is the fifth
            continue
        point = _OCTAL.sub(lambda found: chr(int(found[1], 8)), fields[4])
        # A later line of the same point lies on top of the earlier one.
        if _is_below(path, point) and len(point) >= len(best):
            best, kind = point, described[0]
    return kind if kind in _NETWORK or _FUSE.fullmatch(kind) else ""


def _is_below(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")
