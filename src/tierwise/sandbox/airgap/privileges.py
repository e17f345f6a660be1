"""What a process asks of the system to leave its network, and gives back afterwards."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_CAPABILITIES_V3 = 0x20080522


def unshare() -> bool:
    """Enter a new network namespace; tell whether it took a new user namespace too.

    Whoever may make a network namespace needs no more, and stays who they are.
    """
    try:
        _call("unshare", _NEW_NET)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise
        _call("unshare", _NEW_USER | _NEW_NET)
        return True
    return False


def map_user(user: int, group: int) -> None:
    """Be in the new user namespace who we were outside."""
    # Whoever has no rights outside may map their group only once they can't change groups.
    _write("setgroups", "deny")
    _write("uid_map", f"{user} {user} 1")
    _write("gid_map", f"{group} {group} 1")


def give_up_privileges() -> None:
    """Drop what a new user namespace gave: a test that reads what it may not must still fail."""
    if os.geteuid() == 0:
        return
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_V3, 0)
    none = (ctypes.c_uint32 * 6)()
    _call("capset", header, none)


def _call(name: str, *arguments: object) -> None:
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    if function(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _write(name: str, text: str) -> None:
    Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
