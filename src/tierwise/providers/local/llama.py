"""llama.cpp in this process, by way of xllamacpp: the one file that imports it."""

from __future__ import annotations

import importlib
import json
import secrets
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tierwise.errors import MissingExtraError, ProviderSpecError
from tierwise.providers.local.chat_format import form_grammar_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import BaseModel

    from tierwise.providers.local.chat_format import Settings

_QUIET = -1


class Engine:
    """Weights in memory with their slots; as many calls run at once as there are slots."""

    def __init__(self, settings: Settings) -> None:
        self._xllamacpp = import_engine()
        self._server = _start(self._xllamacpp, settings)
        self.pool = ThreadPoolExecutor(settings.slots, thread_name_prefix="tierwise-llama")

    def form_grammar(self, schema: type[BaseModel]) -> str:
        """Return the grammar that lets only JSON of this schema through."""
        closed = form_grammar_schema(schema.model_json_schema(by_alias=True))
        return str(self._xllamacpp.json_schema_to_grammar(json.dumps(closed)))

    def stream(
        self, payload: Mapping[str, Any], is_cancelled: Callable[[], bool]
    ) -> list[Mapping[str, Any]]:
        """Run one call to its end and return its chunks; stop early once it is cancelled.

        Blocks the calling thread; other threads run on.
        """
        chunks: list[Mapping[str, Any]] = []

        def take(chunk: Mapping[str, Any]) -> bool:
            chunks.append(chunk)
            return is_cancelled()

        try:
            self._server.handle_chat_completions(dict(payload), take)
        except (ValueError, RuntimeError) as error:
            # The engine throws for a schema or a template that it cannot work with.
            chunks.append({"error": {"code": 400, "message": str(error)}})
        return chunks

    def close(self) -> None:
        """Give the memory back as soon as running calls have ended."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._server = None


class ModelLoader:
    """Keeps one engine for each different setting, loaded at first use.

    Providers that are given the same loader share its engines; a provider that is given none has
    a loader of its own. A process that wants weights in memory once passes one loader around.
    """

    def __init__(self) -> None:
        self._engines: dict[Settings, Engine] = {}
        self._lock = threading.Lock()

    def load(self, settings: Settings) -> Engine:
        """Return the engine of these settings; blocks while it is loading."""
        with self._lock:
            if settings not in self._engines:
                self._engines[settings] = Engine(settings)
            return self._engines[settings]

    def close(self) -> None:
        """Close all engines; the next `load` starts anew."""
        with self._lock:
            engines = list(self._engines.values())
            self._engines.clear()
        for engine in engines:
            engine.close()


def import_engine() -> Any:  # noqa: ANN401  a module without types
    """Return the engine's module, or raise `MissingExtraError` naming the command."""
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as error:
        raise MissingExtraError(
            "Running a model on this machine needs the package xllamacpp, which is not installed "
            "here. Install it with: pip install 'tierwise[local]'"
        ) from error


def _start(xllamacpp: Any, settings: Settings) -> Any:  # noqa: ANN401
    params = xllamacpp.CommonParams()
    params.model.path = settings.path
    params.n_parallel = settings.slots
    params.n_ctx = settings.n_ctx * settings.slots
    params.verbosity = _QUIET
    params.offline = True
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = settings.threads
    params.cpuparams_batch.n_threads = settings.threads
    _lock_door(params)
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ProviderSpecError(
            f"llama.cpp could not load {settings.path!r} with {settings.slots} slot(s) of "
            f"{settings.n_ctx} tokens: {error} Is it a chat model that this engine knows, and is "
            "there memory enough?"
        ) from error


def _lock_door(params: Any) -> None:  # noqa: ANN401
    """Close the listener that the engine opens for itself and that nothing here uses.

    It can't be told to open none: on Linux it gets an abstract Unix socket, elsewhere a loopback
    port, in both cases behind a key that nobody knows.
    """
    token = secrets.token_hex(16)
    if sys.platform == "linux":
        params.hostnames = [f"\0tierwise-{token}.sock"]
    params.api_keys = [secrets.token_hex(32)]
    params.cors_origins = ""
    params.n_threads_http = 1
    params.ui = False
    params.endpoint_slots = False
    params.endpoint_props = False
