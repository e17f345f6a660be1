"""A violation in words: what, where, why it is one, and the ways out."""

from __future__ import annotations

import json
import os.path
from typing import TYPE_CHECKING

from tierwise.domain import Capability

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.domain import Allowance, Violation

_SLUGS: Mapping[Capability, str] = {
    Capability.NETWORK: "tw-net",
    Capability.LOOPBACK: "tw-net",
    Capability.READ: "tw-file",
    Capability.WRITE: "tw-file",
    Capability.TMP: "tw-file",
    Capability.SUBPROCESS: "tw-process",
    Capability.SLEEP: "tw-sleep",
    Capability.MODEL: "tw-model",
}
_DELIBERATE_ONLY = frozenset({Capability.NETWORK, Capability.MODEL})
_DEEDS: Mapping[str, str] = {
    "open": "opened {}",
    "os.chmod": "changed the mode of {}",
    "os.chown": "changed the owner of {}",
    "os.link": "linked {}",
    "os.listdir": "listed {}",
    "os.mkdir": "made the folder {}",
    "os.mkfifo": "made the pipe {}",
    "os.mknod": "made the node {}",
    "os.remove": "removed {}",
    "os.rename": "renamed {}",
    "os.rmdir": "removed the folder {}",
    "os.scandir": "listed {}",
    "os.symlink": "made the link {}",
    "os.truncate": "truncated {}",
    "os.utime": "changed the times of {}",
    "socket.bind": "bound a socket to {}",
    "socket.connect": "opened a socket to {}",
    "socket.getaddrinfo": "looked up {}",
    "socket.gethostbyaddr": "looked up the name of {}",
    "socket.gethostbyname": "looked up {}",
    "socket.getnameinfo": "looked up the name of {}",
    "socket.sendmsg": "sent to {}",
    "socket.sendto": "sent to {}",
    "sqlite3.attach": "attached the database {}",
    "sqlite3.connect": "opened the database {}",
    "wire.connect": "tried to connect to {}",
    "wire.look_up": "looked up {}",
    "wire.send": "sent to {}",
    "wire.unnamed": "tried to reach {}",
}
_DEEDS_BY_CAPABILITY: Mapping[Capability, str] = {
    Capability.NETWORK: "reached {}",
    Capability.LOOPBACK: "reached {}",
    Capability.READ: "read {}",
    Capability.WRITE: "changed {}",
    Capability.TMP: "used {}",
    Capability.SUBPROCESS: "started {}",
    Capability.SLEEP: "slept {}",
    Capability.MODEL: "called the model {}",
}
_INSTEAD: Mapping[Capability, str] = {
    Capability.NETWORK: "give the code a double of what it calls",
    Capability.LOOPBACK: "hand the code its peer in memory",
    Capability.READ: "pass the text in, or keep the file inside the project",
    Capability.WRITE: "write below tmp_path in a tier that allows tmp, or return the text",
    Capability.TMP: "work on values or io.StringIO instead of files",
    Capability.SUBPROCESS: "call the code in this process",
    Capability.SLEEP: "ask for the fixture clock: its waits take no time, and are no sleep",
    Capability.MODEL: "give it mock_provider or scripted_provider",
}


def slug_of(capability: Capability) -> str:
    """Return the docs page of violations of this capability."""
    return _SLUGS[capability]


def explain(
    violation: Violation,
    *,
    deliberate_tiers: Sequence[str] = (),
    allow: Sequence[Allowance] = (),
) -> str:
    """Return the whole message for a reader; of the stack it shows the project's nearest frame.

    `allow` is what the tier allows now, so that the line to paste is the exact one, and
    `deliberate_tiers` are those that a test may be moved to for network and model.
    """
    slug = slug_of(violation.capability)
    lines = [
        f"{slug.upper()}  {_claim(violation)}",
        *(f"    at {frame}" for frame in _nearest(violation.stack)),
        "  ways out:",
        *(f"    - {way}" for way in _ways_out(violation, deliberate_tiers, allow)),
        f"  docs: errors/{slug} (tierwise explain {slug})",
    ]
    return "\n".join(lines)


def _claim(violation: Violation) -> str:
    by_capability = _DEEDS_BY_CAPABILITY[violation.capability]
    deed = _DEEDS.get(violation.event, by_capability).format(violation.target)
    whose = "no tier claims it, so it" if violation.tier is None else f'tier "{violation.tier}"'
    return f"{violation.subject} {deed}; {whose} does not allow {violation.capability}."


def _nearest(stack: Sequence[str]) -> Sequence[str]:
    own = [frame for frame in stack if not os.path.isabs(frame)]  # noqa: PTH117  text in
    return (own or stack)[-1:]


def _ways_out(
    violation: Violation, deliberate_tiers: Sequence[str], allow: Sequence[Allowance]
) -> list[str]:
    ways = [_INSTEAD[violation.capability]]
    if violation.tier is None:
        ways.append("give it a tier: add its folder to the paths of one in pyproject.toml")
    elif violation.capability in _DELIBERATE_ONLY:
        ways.append(_move_to(violation.capability, deliberate_tiers))
    else:
        ways.append(_allow_in_tier(violation, allow))
        ways.append(f"move it to a tier that allows {violation.capability}")
    if violation.capability not in _DELIBERATE_ONLY or violation.tier in deliberate_tiers:
        mark = f'@pytest.mark.allow("{violation.capability}", reason="...")'
        ways.append(f"for this test alone: {mark}")
    return ways


def _allow_in_tier(violation: Violation, allow: Sequence[Allowance]) -> str:
    wanted = list(dict.fromkeys([*(str(each) for each in allow), str(violation.capability)]))
    return (
        f"for the whole tier: allow = {json.dumps(wanted)} "
        f"under [tool.tierwise.tiers.{violation.tier}] in pyproject.toml"
    )


def _move_to(capability: Capability, deliberate_tiers: Sequence[str]) -> str:
    named = " or ".join(f'"{name}"' for name in deliberate_tiers)
    which = f"the tier {named}" if named else "a tier with deliberate = true"
    return f"move it to {which}, where {capability} may be allowed"
