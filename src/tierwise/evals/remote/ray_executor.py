"""Workers as Ray actors: the one file that knows Ray.

Ray's usage reports and its dashboard are off where tierwise starts the cluster, and its
lines are kept off the terminal.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import signal
import socket
import sys
import threading
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.errors import MissingExtraError, WorkerError
from tierwise.evals.remote.fleet import WorkerLost
from tierwise.evals.remote.mailbox import Mailbox
from tierwise.evals.remote.messages import Ended
from tierwise.evals.remote.own_folder import remove_folders_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.evals.remote.fleet import WorkerSpec
    from tierwise.evals.remote.messages import News, Order

_START_S = 120.0
"""How long a worker's process may take to start; a cluster without room would never do it."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_enable_metrics_collection": "0",
}


class RayFleet:
    """Starts workers on a Ray cluster: one of its own on this machine, or one that is there."""

    def __init__(self, address: str | None, *, n_workers: int | None, spec: WorkerSpec) -> None:
        """Name the cluster; `address` None is one that starts and ends with the run."""
        self._address, self._n_workers, self._spec = address, n_workers, spec
        self._ray: Any = None

    def open(self) -> int:
        """Reach the cluster, or start one; return how many workers there are to be."""
        address, n_workers = self._address, self._n_workers
        self._ray = _import_ray()
        with _undisturbed():
            try:
                self._ray.init(**_options(address, n_workers))
            except Exception as error:
                raise WorkerError(
                    f"Ray could not be {'started' if address is None else 'reached'}: "
                    f"{type(error).__name__}: {_ends_of(str(error))}"
                ) from error
        n_cpus = int(self._ray.cluster_resources().get("CPU", 0))
        if (n_workers or 1) > n_cpus:
            raise WorkerError(
                f"--workers {n_workers or 1}: the cluster has {n_cpus} CPUs, and each worker "
                "takes one, so that some would never start."
            )
        return n_workers or n_cpus

    async def start(self, number: int) -> RayLink:
        """Start an actor and return the way to it."""
        ray = self._ray
        actor = ray.remote(RayWorker).options(num_cpus=1, max_restarts=0).remote(self._spec)
        link = RayLink(ray, actor)
        try:
            async with asyncio.timeout(_START_S):
                await link.begin()
        except TimeoutError:
            link.kill()
            raise WorkerError(
                f"Worker {number} did not start within {_START_S:g} s: the cluster has no room "
                "for it, or cannot start a process."
            ) from None
        return link

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._ray is not None:
            with _undisturbed(), contextlib.suppress(Exception):
                self._ray.shutdown()
            remove_folders_of(self._spec.folder_kind, self._spec.run)


class RayLink:
    """The way to one actor."""

    def __init__(self, ray: Any, actor: Any) -> None:  # noqa: ANN401  Ray is not loaded for types
        self._ray, self._actor = ray, actor

    async def begin(self) -> None:
        """Let the worker collect."""
        await self._ask(self._actor.begin.remote())

    async def send(self, orders: Sequence[Order]) -> None:
        """Give orders, in this order."""
        await self._ask(self._actor.tell.remote(list(orders)))

    async def receive(self) -> Sequence[News]:
        """Return the next news, at least one."""
        news: Sequence[News] = await self._ask(self._actor.listen.remote())
        return news

    def kill(self) -> None:
        """End the worker at once."""
        self._ray.kill(self._actor)

    async def _ask(self, reference: Any) -> Any:  # noqa: ANN401  whatever the actor returns
        try:
            return await reference
        except self._ray.exceptions.RayTaskError as error:
            raise WorkerError(f"A worker could not go on: {error.cause}") from error
        except self._ray.exceptions.RayError as error:
            first = str(error).strip().partition("\n")[0]
            raise WorkerLost(f"{type(error).__name__}: {first}") from error


class RayWorker:
    """What an actor is: two letter boxes, and a thread with a session of the same suite."""

    def __init__(self, spec: WorkerSpec) -> None:
        self._spec = spec
        self._inbox: Mailbox[Order] = Mailbox()
        self._outbox: Mailbox[News] = Mailbox()

    async def begin(self) -> None:
        """Start the session."""
        threading.Thread(target=self._serve, name="tierwise-worker", daemon=True).start()

    async def tell(self, orders: list[Order]) -> None:
        """Take orders."""
        self._inbox.put_all(orders)

    async def listen(self) -> list[News]:
        """Return what happened since the last time, at least one thing."""
        return await self._outbox.take()

    def _serve(self) -> None:
        try:
            self._settle_down()
            module, _, name = self._spec.entry.partition(":")
            serve = getattr(importlib.import_module(module), name)
            serve(self._spec, self._inbox, self._outbox)
        except BaseException as error:  # noqa: BLE001  or else the driver would wait for ever
            said = f"{type(error).__name__}: {error}"
            self._outbox.put(Ended(exit_code=1, output=said))

    def _settle_down(self) -> None:
        """Stand where the driver stands; a job with a working folder of its own is there."""
        import ray  # noqa: PLC0415  this runs in an actor alone

        if not ray.get_runtime_context().runtime_env.get("working_dir"):
            folder = Path(self._spec.folder)
            if not folder.is_dir():
                raise WorkerError(
                    f"There is no folder {folder} on {socket.gethostname()}. Start the run as a "
                    "job with a working_dir, or keep the project in the same place everywhere."
                )
            os.chdir(folder)
        known = set(sys.path)
        sys.path[:0] = [entry for entry in self._spec.path if entry not in known]


def _ends_of(text: str) -> str:
    """Return the first and the last line: Ray puts a traceback of its own between them."""
    lines = text.strip().splitlines() or [""]
    return lines[0] if len(lines) == 1 else f"{lines[0]} ... {lines[-1]}"


def _options(address: str | None, n_workers: int | None) -> dict[str, Any]:
    options: dict[str, Any] = {"configure_logging": False, "log_to_driver": False}
    if address is not None:
        return {**options, "address": address}
    # By name, or Ray would join a cluster of somebody else's that it finds on this machine.
    return {**options, "address": "local", "num_cpus": n_workers, "include_dashboard": False}


def require_ray() -> None:
    """Refuse to begin where Ray is not installed."""
    try:
        is_there = find_spec("ray") is not None
    except ValueError:  # a stand-in without a specification
        is_there = False
    if not is_there:
        raise MissingExtraError(
            "Evals on more than one machine need ray, which is not installed. "
            "Run: pip install 'tierwise[ray]'."
        )


def _import_ray() -> Any:  # noqa: ANN401  Ray is not loaded for types
    require_ray()
    for name, value in _QUIET.items():
        os.environ[name] = value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("ray")


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep Ray's signal handlers and warnings to itself: Ctrl-C is the run's own."""
    is_main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
