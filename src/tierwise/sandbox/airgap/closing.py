"""Leave the network: a namespace of this process's own, with loopback and a way to nowhere."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
from dataclasses import dataclass

from tierwise.errors import AirgapError
from tierwise.sandbox.airgap import names
from tierwise.sandbox.airgap.client import Airgap, join
from tierwise.sandbox.airgap.continuing import continue_in_copy
from tierwise.sandbox.airgap.netlink import Netlink
from tierwise.sandbox.airgap.privileges import give_up_privileges, map_user, unshare
from tierwise.sandbox.airgap.refusing import read_settings, refuse, refuse_step
from tierwise.sandbox.airgap.routes import leads_out, read_routes
from tierwise.sandbox.airgap.watcher import Watched, start_watcher
from tierwise.sandbox.slot import SLOT

LINK = "tierwise0"
"""The interface that leads nowhere but to the watcher."""
# Addresses that stand for nobody: RFC 7600, and the prefix of RFC 6666 that is discarded.
_ADDRESSES = {socket.AF_INET: "192.0.0.8", socket.AF_INET6: "100::8"}
_SET_LINK = 0x400454CA  # TUNSETIFF
_PLAIN_PACKETS = 0x0001 | 0x1000  # IFF_TUN | IFF_NO_PI


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The descriptor at which what leaves this namespace is read, or why there is none."""

    descriptor: int | None
    why_not: str = ""


def close() -> Airgap:
    """Cut this process and all that it starts off from the network, and watch what tries to leave.

    To be called while the process has one thread. Raises AirgapError, and then nothing may run.
    A process that was started inside an air gap, such as a worker, stays in it.
    """
    if sys.platform != "linux":
        raise refuse(f"network namespaces are a thing of Linux, and this is {sys.platform}")
    if SLOT.sandboxes:
        raise refuse(
            "this session runs inside another one, whose network would be gone with its own. "
            "Start it in a process of its own"
        )
    if LINK in (routes := read_routes()) and not leads_out(routes, LINK):
        return Airgap(note="inside another air gap, whose session names what leaves")
    try:
        is_guest = _leave()
    except AirgapError:
        if leads_out(routes, LINK):
            raise
        return Airgap(note="there was no network before; what C libraries try is not named")
    way = _build()
    token = start_watcher(Watched(way=way.descriptor, name_servers=names.listen()))
    airgap = join(token, note=way.why_not)
    if is_guest:
        give_up_privileges()
    return airgap


def _leave() -> bool:
    """Enter a namespace of our own; tell whether it took rights that are to be given up."""
    threads = [thread.name for thread in threading.enumerate()]
    if len(threads) > 1:
        raise refuse(
            f"this process has {len(threads)} threads already ({', '.join(threads)}), and those "
            "of before would keep the network. A plugin that pytest loads starts them: leave it "
            "out (-p no:NAME)"
        )
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208
        continue_in_copy()
    user, group = os.geteuid(), os.getegid()
    try:
        is_guest = unshare()
    except OSError as error:
        raise refuse_step("make a network namespace", error, read_settings()) from error
    try:
        if is_guest:
            map_user(user, group)
        with Netlink() as kernel:
            kernel.bring_up("lo")
    except OSError as error:
        raise refuse_step("set the network namespace up", error, read_settings()) from error
    return is_guest


def _build() -> Way:
    """Lead all that has no other way to a descriptor; without one, it ends in the kernel."""
    try:
        descriptor = _open_link()
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "")
        return Way(
            descriptor=None,
            why_not=f"/dev/net/tun cannot be used ({name}), so that attempts of C libraries are "
            "counted and not named",
        )
    with Netlink() as kernel:
        index = kernel.bring_up(LINK)
        for family, address in _ADDRESSES.items():
            try:
                kernel.add_address(index, address)
                kernel.route_all(index, family)
            except OSError:
                if family == socket.AF_INET:
                    raise  # IPv6 may be switched off
    return Way(descriptor=descriptor)


def _open_link() -> int:
    import fcntl  # noqa: PLC0415  not there on Windows
    import struct  # noqa: PLC0415

    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.ioctl(descriptor, _SET_LINK, struct.pack("16sH22x", LINK.encode(), _PLAIN_PACKETS))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
