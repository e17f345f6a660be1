"""`capability` or `capability:target`, as pyproject.toml and the `allow` mark write it."""

from __future__ import annotations

from pathlib import PurePosixPath

from tierwise.domain import Allowance, Capability
from tierwise.errors import ConfigError, suggest

_HOSTS = frozenset({Capability.NETWORK, Capability.LOOPBACK})
_PATHS = frozenset({Capability.WRITE, Capability.READ, Capability.TMP})
_LAST_PORT = 65535


def parse_allowance(text: str, where: str, *, reason: str | None = None) -> Allowance:
    """Return the allowance that `text` writes; `where` says whose it is, for the error."""
    name, colon, target = text.partition(":")
    valid = [str(capability) for capability in Capability]
    if name not in valid:
        raise ConfigError(f"{where}: there is no capability {name!r}.{suggest(name, valid)}")
    capability = Capability(name)
    if colon:
        _check_target(capability, target, where)
    return Allowance(capability=capability, target=target if colon else None, reason=reason)


def _check_target(capability: Capability, target: str, where: str) -> None:
    written = f"'{capability}:{target}'"
    if not target.strip():
        raise ConfigError(
            f"{where}: {written} names no target. Write '{capability}' to allow all of it."
        )
    if capability is Capability.SLEEP:
        raise ConfigError(f"{where}: {written}: sleep takes no target. Write 'sleep'.")
    if capability in _HOSTS:
        _check_host(target, f"{where}: {written}")
    if capability in _PATHS and ".." in PurePosixPath(target.replace("\\", "/")).parts:
        raise ConfigError(
            f"{where}: {written} leads out of its folder with '..'. "
            "Write a path below the project's root, or an absolute one."
        )


def _check_host(target: str, where: str) -> None:
    host, port = _split_host(target)
    if not host or "/" in host or (port and not _is_port(port)):
        raise ConfigError(
            f"{where}: expected a host or host:port, such as 'api.example.com:443' or "
            "'[2001:db8::1]:443', without scheme or path."
        )


def _split_host(target: str) -> tuple[str, str]:
    if target.startswith("["):
        host, _, rest = target[1:].partition("]")
        return host, rest.removeprefix(":")
    if target.count(":") > 1:  # a bare IPv6 address
        return target, ""
    host, colon, port = target.partition(":")
    return host, port if not colon else port or "none"


def _is_port(port: str) -> bool:
    return port.isascii() and port.isdigit() and 0 < int(port) <= _LAST_PORT
