"""What an eval engine costs: the same prompts on tierwise, on bare clients and on its peers.

    python benchmarks/evals/run.py [--prompts 2000] [--latency 0.05] [--concurrency 100]
                                   [--with-peers] [--only NAME ...] [--json]

Each engine asks a server on loopback that answers every prompt after the latency, in a process of
its own, with a server of its own, one engine after another. `start s` is from the start of the
process to the first request, `run s` from there to the last answer. `CPU ms` is the CPU time of
the whole process for each prompt; `each` is what one more prompt costs: a second, small run is
taken off both. `server` is how much of a core the server took: near 100 % it decided, not the
engine. Peers are installed below .venv-peers by --with-peers; one that is not there has a row that
says so. docs/speed.md explains the rest.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict

from adapters.work import Work
from engines import Engine, all_engines
from measuring import measure
from peers import install_peers
from table import Row, Setting, as_table

_SEQUENTIAL_LIMIT_S = 150  # an engine that asks one prompt after another is left out beyond


def main() -> int:
    """Measure all engines that were asked for; the exit code is 1 if a row has a fault."""
    chosen = parse()
    if chosen.with_peers:
        install_peers()
    setting = Setting(
        prompts=chosen.prompts, latency_s=chosen.latency, concurrency=chosen.concurrency
    )
    rows = [
        row_of(engine, setting, limit_s=chosen.limit)
        for engine in all_engines()
        if any(part in engine.name for part in chosen.only)
    ]
    if chosen.json:
        print(json.dumps({"setting": asdict(setting), "rows": [asdict(row) for row in rows]}))
    else:
        system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
        print(as_table(rows, setting, system))
    return int(any(row.fault for row in rows))


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--prompts", type=int, default=2000)
    parser.add_argument("--latency", type=float, default=0.05, metavar="SECONDS")
    parser.add_argument("--concurrency", type=int, default=100)
    parser.add_argument("--limit", type=float, default=300.0, metavar="SECONDS")
    parser.add_argument("--with-peers", action="store_true", help="install the peers first")
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def row_of(engine: Engine, setting: Setting, *, limit_s: float) -> Row:
    """Measure one engine: a small run first, which also warms the disk, then the whole."""
    if not engine.is_installed():
        return Row(name=engine.name, note="not installed")
    if engine.sequential and setting.prompts * setting.latency_s > _SEQUENTIAL_LIMIT_S:
        return Row(name=engine.name, note="left out: asks one prompt after another")
    print(f"{engine.name} ...", file=sys.stderr)
    few, many = (
        measure(
            engine,
            Work(url="", prompts=prompts, concurrency=setting.concurrency),
            latency_s=setting.latency_s,
            limit_s=limit_s,
        )
        for prompts in (setting.few, setting.prompts)
    )
    return Row(
        name=engine.name,
        measured=many,
        cpu_ms=many.cpu_s / setting.prompts * 1000,
        each_ms=(many.cpu_s - few.cpu_s) / (setting.prompts - setting.few) * 1000,
        fault=many.fault,
    )


if __name__ == "__main__":
    sys.exit(main())
