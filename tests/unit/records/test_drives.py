"""Which drives are those of other machines, by what the system says of its mounts."""

from __future__ import annotations

import pytest

from tierwise.records.drives import find_network_kind

MOUNTS = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:26 / /home rw shared:2 - nfs4 server:/home rw,vers=4.2
31 30 0:27 / /home/me/fast rw - tmpfs tmpfs rw
32 22 0:28 / /mnt/my\040share rw - cifs //server/share rw
33 22 0:29 / /mnt/cloud rw master:3 propagate_from:4 - fuse.sshfs me@there:/ rw
34 22 0:30 / /mnt/local rw - fuse.gocryptfs /x rw
35 22 0:31 / /mnt/twice rw - nfs server:/x rw
36 22 8:2 / /mnt/twice rw - ext4 /dev/sdb rw
a line that is torn
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/project", ""),
        ("/home/me/project", "nfs4"),
        ("/home", "nfs4"),
        ("/homeless", ""),
        ("/home/me/fast/project", ""),
        ("/mnt/my share/project", "cifs"),
        ("/mnt/cloud/project", "fuse.sshfs"),
        ("/mnt/local/project", ""),
        ("/mnt/twice/project", ""),
    ],
)
def test_the_closest_and_last_mount_decides(path: str, kind: str) -> None:
    """A folder belongs to the mount that is nearest above it, and of two there to the later."""
    assert find_network_kind(path, MOUNTS) == kind


def test_without_mounts_nothing_is_said() -> None:
    """A system that does not tell is not refused."""
    assert find_network_kind("/home/me", "") == ""
