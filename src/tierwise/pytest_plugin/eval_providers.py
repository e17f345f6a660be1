"""The providers of a session as its evals talk to them: limited, retried, paid for, cached."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.evals.caching import ReplyCache
    from tierwise.evals.calling import Caller
    from tierwise.evals.limiting import Limiter
    from tierwise.evals.pricing import PriceList
    from tierwise.evals.purse import Purse
    from tierwise.evals.remote.leases import Leases
    from tierwise.providers import Provider
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.eval_options import EvalOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """One provider of a run."""

    provider: Provider
    caller: Caller
    identity: str
    label: str
    """Its name, with the specification behind it where two share a name."""


class Providers:
    """All providers of a run, and what they share: a purse and a cache."""

    def __init__(
        self,
        items: Sequence[EvalItem],
        config: Config,
        options: EvalOptions,
        leases: Leases | None = None,
    ) -> None:
        self.purse = _make_purse(items, options)
        self._leases = leases
        if leases is not None:
            self.purse = leases.purse_for(self.purse)
        self.cache: ReplyCache | None = None
        self._options = options
        self._config = config
        wanting = [item.nodeid for item in items if "provider" in item.wants]
        if wanting and not options.is_dry and not options.specs:
            raise _no_provider(wanting[0])
        self.all = self._make_all() if wanting else ()

    def close(self) -> str:
        """Close each of them and the cache; return what went wrong in doing so."""
        complaints = [self.cache.problem] if self.cache is not None else []
        for entry in self.all:
            close = getattr(entry.provider, "close", None)
            try:
                if callable(close):
                    close()
            except Exception as error:  # noqa: BLE001  a user's provider may raise anything
                complaints.append(
                    f"The provider could not be closed: {type(error).__name__}: {error}"
                )
        if self.cache is not None:
            self.cache.close()
        return "\n".join(filter(None, complaints))

    def _make_all(self) -> tuple[Answering, ...]:
        from tierwise.evals.calling import Caller  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.pricing import PriceList, read_prices  # noqa: PLC0415

        if self._options.is_dry:
            from tierwise.providers import SchemaProvider  # noqa: PLC0415  nobody else needs it

            schema = SchemaProvider()
            return (
                Answering(provider=schema, caller=Caller(schema), identity="", label="schema"),
            )
        if self._options.is_cached:
            from tierwise.evals.caching import ReplyCache  # noqa: PLC0415  few runs have one

            self.cache = ReplyCache.open(self._config.cache_path)
        own = read_prices(self._config.evals.prices, where="tool.tierwise.evals.prices")
        return self._label([self._make(spec, PriceList(own)) for spec in self._options.specs])

    def _make(self, spec: str, prices: PriceList) -> tuple[str, Answering]:
        from tierwise.evals.calling import Caller  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.retrying import RetryPolicy  # noqa: PLC0415
        from tierwise.providers import provider_from_spec  # noqa: PLC0415
        from tierwise.providers.spec import identify_provider  # noqa: PLC0415

        options = self._options
        with _importable_from(self._config.root):
            provider = provider_from_spec(spec)
        identity = identify_provider(provider, spec)
        retry = RetryPolicy() if options.retries is None else RetryPolicy(retries=options.retries)
        # A double that fails does so again: nobody waits for it, unless retries were asked for.
        is_asked_again = provider.real or options.retries is not None
        caller = Caller(
            provider,
            limiter=self._limiter_for(f"{provider.name} {identity}") if provider.real else None,
            retry=retry if is_asked_again else None,
            purse=self.purse,
            prices=prices,
            cache=self.cache,
            identity=identity,
            call_timeout_s=options.call_timeout_s,
        )
        return spec, Answering(
            provider=provider, caller=caller, identity=identity, label=provider.name
        )

    def _limiter_for(self, name: str) -> Limiter:
        from tierwise.evals.limiting import Limiter  # noqa: PLC0415  loaded when evals run

        if self._leases is not None:
            return self._leases.limiter_for(name)
        return Limiter(ceiling=self._options.concurrency)

    def _label(self, made: Sequence[tuple[str, Answering]]) -> tuple[Answering, ...]:
        names = [entry.provider.name for _, entry in made]
        seen: dict[tuple[str, str], str] = {}
        labelled = []
        for spec, entry in made:
            same = seen.setdefault((entry.provider.name, entry.identity), spec)
            if same != spec:
                raise EvalUsageError(
                    f"--provider {spec} and --provider {same} are one and the same: both are "
                    f"{entry.provider.name!r} with the identity {entry.identity!r}. Name one of "
                    "them, or let the providers differ in their `identity`."
                )
            is_shared = names.count(entry.provider.name) > 1
            label = f"{entry.provider.name} ({spec})" if is_shared else entry.provider.name
            labelled.append(
                Answering(
                    provider=entry.provider,
                    caller=entry.caller,
                    identity=entry.identity,
                    label=label,
                )
            )
        return tuple(labelled)


def _make_purse(items: Sequence[EvalItem], options: EvalOptions) -> Purse | None:
    own = {
        item.nodeid: item.declaration.budget
        for item in items
        if item.declaration.budget is not None
    }
    if options.is_dry or (options.budget is None and not own):
        return None
    from tierwise.evals.purse import Purse  # noqa: PLC0415  few runs have a budget

    return Purse(options.budget, per_eval=own)


def _no_provider(eval_id: str) -> EvalUsageError:
    return EvalUsageError(
        f"{eval_id} needs a provider and none is named. Give one by "
        "`tierwise eval run --provider SPEC` (pytest: `--eval-provider SPEC`) or as "
        '`provider = "SPEC"` in [tool.tierwise.evals]. Specs: local:smollm2 (a real small '
        "model on this machine), local:/path/model.gguf, http:URL#MODEL, simulated:rate=0.05, "
        "schema, package.module:attribute."
    )


@contextlib.contextmanager
def _importable_from(root: Path) -> Iterator[None]:
    """Let modules of the project's root be imported, as `python -m pytest` does."""
    folder = str(root)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # the imported module tidied up itself
            sys.path.remove(folder)
