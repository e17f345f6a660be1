"""Run one engine in a process of its own against a server of its own; measure both from outside.

An engine is asked nothing: its start-up ends with the first request that the server sees, its run
with the last answer, and CPU and memory are what the system counted for the process and those
that it waited for.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines import ENVIRONMENT, HERE

if TYPE_CHECKING:
    from adapters.work import Work
    from engines import Engine

_BYTES = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process took; seconds unless said."""

    process_s: float
    cpu_s: float
    peak_mb: float
    start_s: float
    run_s: float
    server_cpu_s: float
    requests: int
    max_in_flight: int
    fault: str = ""


class Server:
    """The model, in a process of its own; what it counted comes when it is told to stop."""

    def __init__(self, latency_s: float) -> None:
        command = [sys.executable, str(HERE / "server.py"), "--latency", str(latency_s)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None  # noqa: S101  it is a pipe
        port: int = json.loads(self._process.stdout.readline())["port"]
        self.url = f"http://127.0.0.1:{port}/v1"

    def stop(self) -> dict[str, Any]:
        """Return what it counted."""
        counted: dict[str, Any] = json.loads(self._process.communicate()[0])
        return counted


def measure(engine: Engine, work: Work, *, latency_s: float, limit_s: float) -> Measured:
    """Run one engine on that work; `work.url` is filled in."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    server = Server(latency_s)
    with tempfile.TemporaryDirectory() as name:
        folder, work = Path(name), replace(work, url=server.url)
        if engine.prepare:
            engine.prepare(folder, work)
        begin = time.monotonic()
        usage, fault = run(engine.command(work), folder, limit_s)
        process_s = time.monotonic() - begin
    counted = server.stop()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Measured(
        process_s=process_s,
        cpu_s=cpu(usage),
        peak_mb=usage.ru_maxrss * _BYTES / 2**20,
        start_s=max(0.0, counted["first_s"] - begin),
        run_s=max(0.0, counted["last_s"] - counted["first_s"]),
        server_cpu_s=cpu(after) - cpu(before) - cpu(usage),
        requests=counted["requests"],
        max_in_flight=counted["max_in_flight"],
        fault=fault or miscount(counted, work),
    )


def miscount(counted: dict[str, Any], work: Work) -> str:
    """Return what is wrong with the number of requests, empty if nothing is."""
    if counted["odd"]:
        return f"{counted['odd']} requests were no chat completion"
    if counted["requests"] != work.prompts:
        return f"the server counted {counted['requests']} requests for {work.prompts} prompts"
    if counted["max_in_flight"] > work.concurrency:
        return f"{counted['max_in_flight']} requests in flight, {work.concurrency} were allowed"
    return ""


def run(command: list[str], folder: Path, limit_s: float) -> tuple[resource.struct_rusage, str]:
    """Run a command in a folder; return what it used and what went wrong."""
    environment = os.environ | ENVIRONMENT | {"HOME": str(folder), "TMPDIR": str(folder)}
    environment["PROMPTFOO_CONFIG_DIR"] = str(folder / ".promptfoo")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # it would compile all anew each time
    with (folder / "said.txt").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        timer = threading.Timer(limit_s, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return usage, fault_of(process.returncode, said.read(), limit_s)


def fault_of(code: int, said: str, limit_s: float) -> str:
    """Return what went wrong in a process, empty if nothing did."""
    if code == 0:
        return ""
    if code == -signal.SIGKILL:
        return f"stopped after {limit_s:.0f} s"
    lines = said.strip().splitlines() or [""]
    return f"exit code {code}: {lines[-1][:200]}"


def cpu(usage: resource.struct_rusage) -> float:
    """Return the CPU seconds, the kernel's included."""
    return usage.ru_utime + usage.ru_stime
