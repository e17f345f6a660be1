"""The engines that are measured, where each is installed, and how each is started."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.work import MODEL, Work
from projects import write_promptfoo, write_tierwise

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PEERS = ROOT / ".venv-peers"
# No engine may tell anyone about this run, and none may go through a proxy to loopback.
ENVIRONMENT = {
    "ANONYMIZED_TELEMETRY": "False",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "DO_NOT_TRACK": "1",
    "ERROR_REPORTING": "NO",
    "LANGCHAIN_TRACING_V2": "false",
    "LOGFIRE_SEND_TO_LOGFIRE": "false",
    "NO_PROXY": "*",
    "OTEL_SDK_DISABLED": "true",
    "PROMPTFOO_DISABLE_DEBUG_LOG": "1",
    "PROMPTFOO_DISABLE_ERROR_LOG": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PYDANTIC_DISABLE_PLUGINS": "1",
    "RAGAS_DO_NOT_TRACK": "true",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One row: what runs the prompts, and how a process of it is started."""

    name: str
    program: Path
    arguments: Callable[[Work], list[str]]
    prepare: Callable[[Path, Work], None] | None = None
    peer: str = ""  # the folder below .venv-peers, empty for what tierwise's own has
    sequential: bool = False

    def is_installed(self) -> bool:
        """Say whether there is something to start."""
        return self.program.exists()

    def command(self, work: Work) -> list[str]:
        """Return the command line."""
        return [str(self.program), *self.arguments(work)]


def script(name: str, adapter: str, *, peer: str = "", sequential: bool = False) -> Engine:
    """Return an engine that is a script below adapters/, run by its environment's Python."""
    path = str(HERE / "adapters" / f"{adapter}.py")
    return Engine(
        name=name,
        program=PEERS / peer / "bin" / "python" if peer else Path(sys.executable),
        arguments=lambda work: [path, work.url, str(work.prompts), str(work.concurrency)],
        peer=peer,
        sequential=sequential,
    )


def tierwise() -> Engine:
    """Return the engine that is the real command on a project, with its store.

    It comes from an environment of its own like every peer, or else from the one of this Python,
    whose pytest plugins it then loads as well.
    """
    own = PEERS / "tierwise" / "bin" / "tierwise"
    return Engine(
        name="tierwise",
        program=own if own.exists() else Path(sys.executable).with_name("tierwise"),
        arguments=lambda work: [
            *("eval", "run", "--provider", f"http:{work.url}#{MODEL}"),
            *("--concurrency", str(work.concurrency)),
        ],
        prepare=write_tierwise,
    )


def promptfoo() -> Engine:
    """Return the engine that is promptfoo's command on a configuration."""
    return Engine(
        name="promptfoo",
        program=PEERS / "promptfoo" / "node_modules" / ".bin" / "promptfoo",
        arguments=lambda work: [
            *("eval", "--config", "promptfooconfig.json", "--no-cache", "--no-table"),
            *("--no-progress-bar", "--max-concurrency", str(work.concurrency)),
        ],
        prepare=write_promptfoo,
        peer="promptfoo",
    )


def all_engines() -> tuple[Engine, ...]:
    """Return every engine, the floor first: the others are compared with it."""
    return (
        script("floor (raw sockets)", "floor"),
        script("aiohttp alone", "aiohttp_client"),
        tierwise(),
        script("openai SDK alone", "openai_sdk", peer="openai"),
        script("pydantic-evals", "pydantic_evals_engine", peer="pydantic-evals"),
        script("deepeval", "deepeval_engine", peer="deepeval"),
        script("ragas", "ragas_engine", peer="ragas"),
        script("inspect-ai", "inspect_engine", peer="inspect-ai"),
        promptfoo(),
        script("pytest-evals", "pytest_evals_engine", peer="pytest-evals", sequential=True),
    )
