"""Why a system does not let a process leave its network, in words."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from tierwise.errors import AirgapError

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS = (
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/user/max_net_namespaces",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
)
_WITHOUT = "Nothing was run. Without --airgap, what C libraries open is neither stopped nor seen."
_INSTEAD = (
    "A container without a network (docker run --network none) is cut off already, and --airgap "
    "is content with it."
)


def refuse(why: str) -> AirgapError:
    """Return the error to raise; it never means that the session went on with its network."""
    return AirgapError(f"--airgap: {why.rstrip('.')}. {_WITHOUT}")


def refuse_step(step: str, error: OSError, settings: Mapping[str, str]) -> AirgapError:
    """Return the error for a step that the system refused, with the setting that says why."""
    name = errno.errorcode.get(error.errno or 0, str(error.errno))
    said = os.strerror(error.errno) if error.errno else str(error)
    why = find_cause(error.errno or 0, settings)
    return refuse(f"the system refused to {step}: {name} ({said}). {why} {_INSTEAD}")


def find_cause(code: int, settings: Mapping[str, str]) -> str:
    """Return what of the system's settings forbids it, as far as these tell."""
    for path, value in settings.items():
        if path.endswith("apparmor_restrict_unprivileged_userns"):
            if value == "1":
                return f"{_name_of(path)} = 1 keeps it to root and to programs with a profile."
        elif value == "0" and path in SETTINGS:
            return f"{_name_of(path)} = 0 forbids it; root can set it to 1 or more."
    if code == errno.ENOSPC:
        limits = " and ".join(_name_of(path) for path in SETTINGS[:2])
        return f"There are as many namespaces as {limits} permit."
    if settings.get("seccomp") == "2":
        return "A seccomp filter, such as a container's, forbids the call unshare."
    return "A container's rules or a security module forbid it."


def read_settings() -> dict[str, str]:
    """Return what this system says of namespaces; what it does not know is left out."""
    found = {path: text.strip() for path in SETTINGS if (text := _read(path))}
    for line in _read("/proc/self/status").splitlines():
        if line.startswith("Seccomp:"):
            found["seccomp"] = line.partition(":")[2].strip()
    return found


def _name_of(path: str) -> str:
    return path.removeprefix("/proc/sys/").replace("/", ".")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""
