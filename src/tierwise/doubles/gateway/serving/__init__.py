"""The gateway on a port of loopback, for programs of any kind."""

from tierwise.doubles.gateway.serving.server import Server as Server, running as running

__all__ = ["Server", "running"]
