"""The gateway's server beside a bare one with a constant answer, and beside its Python peers.

    python benchmarks/gateway/run.py [--rounds 3] [--seconds 2] [--with-peers] [--peers-venv DIR]

Each server and the load run in processes of their own. All servers are measured in turn, round
after round, so that the machine's moods hit all alike; ratios are taken within a round and their
median is kept. `plain` and `stream` ask the same again and again, `fresh` never asks the same
twice. CPU is the server's own, of /proc where there is one. `--with-peers` installs them from the
registry into a virtual environment of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from servers import PEERS, Command, command_of_bare, command_of_ours, write_peer_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).parent
KINDS = ("plain", "stream", "fresh")
CONNECTIONS = 8
_STARTING_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One kind of load on one server in one round."""

    rate: float
    cpu_us: float | None
    events: int
    error: str


def main() -> None:
    """Start, measure, print."""
    parser = argparse.ArgumentParser(description="throughput of the gateway")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--with-peers", action="store_true")
    parser.add_argument("--peers-venv", type=Path, default=None)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "bare": command_of_bare(),
            "tierwise": command_of_ours(Path(folder)),
        }
        if options.with_peers or options.peers_venv:
            venv = options.peers_venv or Path(folder) / "peers"
            commands |= write_peer_files(Path(folder), install_peers(venv))
        starts = [measure_start(commands["tierwise"]) for _ in range(3)]
        samples = measure(commands, options.rounds, options.seconds)
    rows = conclude(samples)
    if options.json:
        print(json.dumps({"start_s": statistics.median(starts), "rows": rows}))
        return
    print(f"start-up of tierwise gateway: {statistics.median(starts):.2f} s (median of 3)")
    print(f"{'server':<10}{'load':<8}{'a second':>10}{'x bare':>8}{'cpu us':>8}{'events':>8}")
    for row in rows:
        print(
            f"{row['server']:<10}{row['load']:<8}{row['rate']:>10,.0f}{row['ratio']:>8.2f}"
            f"{row['cpu_us'] or 0:>8.0f}{row['events']:>8}  {row['error']}"
        )


def install_peers(venv: Path) -> Path:
    """Return the folder of the peers' commands, installed if they are not."""
    binaries = venv / "bin"
    if not binaries.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        for peer in PEERS:
            pip = [binaries / "python", "-m", "pip", "install", "--quiet", peer]
            if subprocess.run(pip, check=False, stderr=subprocess.DEVNULL).returncode:
                print(f"{peer} could not be installed and is left out", file=sys.stderr)
    return binaries


def measure_start(command: Command) -> float:
    """Return how long a server takes until it accepts a client, in seconds."""
    started = time.perf_counter()
    with running(command):
        return time.perf_counter() - started


def measure(
    commands: Mapping[str, Command], rounds: int, seconds: float
) -> dict[tuple[str, str], list[Sample]]:
    """Return a sample of each server, kind of load and round."""
    samples: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    with ExitStack() as stack:
        servers = {name: stack.enter_context(running(each)) for name, each in commands.items()}
        for port, _ in servers.values():
            for kind in KINDS:
                put_under_load(port, kind, 0.5)
        for _, pid in servers.values():
            wait_until_idle(pid)
        for _ in range(rounds):
            for kind in KINDS:
                for name, (port, pid) in servers.items():
                    before = read_cpu_s(pid)
                    told = put_under_load(port, kind, seconds)
                    after = read_cpu_s(pid)
                    used = None if before is None or after is None else after - before
                    samples[name, kind].append(form_sample(told, used))
    return samples


def form_sample(told: Mapping[str, object], cpu_s: float | None) -> Sample:
    """Return what one run of the load says."""
    n, spent = int(str(told["n"])), float(str(told["s"]))
    return Sample(
        rate=n / spent,
        cpu_us=None if cpu_s is None or not n else cpu_s / n * 1e6,
        events=int(str(told["events"])),
        error=str(told["error"])[:60],
    )


def put_under_load(port: int, kind: str, seconds: float) -> dict[str, object]:
    """Run the load in a process of its own."""
    words = [sys.executable, HERE / "load.py", str(port), kind, str(seconds), str(CONNECTIONS)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


@contextmanager
def running(command: Command) -> Iterator[tuple[int, int]]:
    """Start a server; yield its port and process once it accepts clients."""
    with subprocess.Popen(
        command.words,
        # Nobody reads on: a server that writes of each request would come to a halt.
        stdout=subprocess.DEVNULL if command.port else subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **command.environment},
        cwd=command.folder,
    ) as process:
        try:
            yield command.wait_for_port(process, _STARTING_S), process.pid
        finally:
            process.terminate()


def wait_until_idle(pid: int) -> None:
    """Let a server end what it does beside, such as loading what it will need."""
    for _ in range(60):
        before = read_cpu_s(pid)
        time.sleep(0.5)
        if (read_cpu_s(pid) or 0.0) - (before or 0.0) < 0.02:
            return


def read_cpu_s(pid: int) -> float | None:
    """Return the CPU seconds of a process so far, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def conclude(samples: Mapping[tuple[str, str], list[Sample]]) -> list[dict[str, object]]:
    """Return one row a server and kind of load; `ratio` says how many times slower than bare."""
    rows: list[dict[str, object]] = []
    for (name, kind), own in sorted(samples.items(), key=lambda item: KINDS.index(item[0][1])):
        pairs = zip(samples["bare", kind], own, strict=True)
        ratios = [bare.rate / mine.rate for bare, mine in pairs if mine.rate]
        cpu = [one.cpu_us for one in own if one.cpu_us is not None]
        rows.append(
            {
                "server": name,
                "load": kind,
                "rate": statistics.median(one.rate for one in own),
                "ratio": statistics.median(ratios) if ratios else float("nan"),
                "cpu_us": statistics.median(cpu) if cpu else None,
                "events": own[-1].events,
                "error": own[-1].error,
            }
        )
    return rows


if __name__ == "__main__":
    main()
