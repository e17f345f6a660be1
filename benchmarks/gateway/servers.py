"""How each server is started, and how one knows that it listens."""

from __future__ import annotations

import json
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bare import WORDS

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

PEERS = ("stubllm", "llmock", "fakellm")
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A server to be started; `port` 0 means that it prints the one it took."""

    words: tuple[str, ...]
    port: int = 0
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)

    def wait_for_port(self, process: subprocess.Popen[bytes], most_s: float) -> int:
        """Return its port once it accepts a client."""
        port = self.port or _read_port(process)
        end = time.monotonic() + most_s
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
            except OSError:
                if process.poll() is not None:
                    break
                time.sleep(0.005)
            else:
                return port
        raise SystemExit(f"{self.words} does not listen on {port}")


def _read_port(process: subprocess.Popen[bytes]) -> int:
    assert process.stdout is not None  # noqa: S101  it is a pipe
    line = process.stdout.readline().decode()
    if not line.startswith("{"):
        return int(line)
    return int(json.loads(line)["url"].rpartition(":")[2])


def command_of_bare() -> Command:
    """Return the bare server's."""
    return Command(words=(sys.executable, str(_HERE / "bare.py")))


def command_of_ours(folder: Path) -> Command:
    """Return the gateway's, with one rule for all requests."""
    scenario = folder / "scenario.toml"
    scenario.write_text(f'[[rules]]\nsay = "{WORDS}"\n')
    words = ("-m", "tierwise", "gateway", "--scenario", str(scenario), "--port", "0", "--json")
    return Command(words=(sys.executable, *words))


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def write_peer_files(folder: Path, binaries: Path) -> dict[str, Command]:
    """Return the command of each peer that is installed, told to say the same words."""
    say = {"content": WORDS}
    (folder / "stub.json").write_text(
        # Left out, each chunk would wait for 50 ms.
        json.dumps(
            {
                "fixtures": [
                    {
                        "name": "all",
                        "match": {},
                        "response": {**say, "stream_chunk_delay_ms": 0},
                    }
                ]
            }
        )
    )
    (folder / "fakellm.yaml").write_text(
        json.dumps({"version": 1, "rules": [{"name": "all", "when": {}, "respond": say}]})
    )
    quiet = ("--log-level", "error")
    ways = {
        "stubllm": ("serve", "--fixture-file", str(folder / "stub.json"), *quiet),
        "llmock": ("serve", "--response-style", "static", *quiet),
        "fakellm": ("serve", "--config", str(folder / "fakellm.yaml")),
    }
    found = {}
    for name, words in ways.items():
        if (binaries / name).exists():
            port = _free_port()
            start = (str(binaries / name), *words, "--port", str(port))
            found[name] = Command(words=start, port=port, folder=folder)
    return found
