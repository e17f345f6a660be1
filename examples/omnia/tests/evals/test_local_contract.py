"""The shared contract on the real model: the same clauses as on the doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tierwise.contracts import ProviderContract, ProviderSubject
from tierwise.providers import Call, FailureKind, LocalProvider, RecordingProvider

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def _recorded() -> RecordingProvider:
    return RecordingProvider(LocalProvider(slots=2, max_tokens=60))


def _too_short() -> LocalProvider:
    return LocalProvider(slots=2, max_tokens=2)


def _read_calls(provider: RecordingProvider) -> Sequence[Call]:
    return provider.calls


class TestLocalProvider(ProviderContract):
    """What cannot be provoked in a real model is shown as skipped, with its reason."""

    implementations: ClassVar[Mapping[str, ProviderSubject]] = {
        "local": ProviderSubject(
            answering=_recorded,
            hanging=_recorded,
            failing={FailureKind.CUT_OFF: _too_short},
            begin_s=0.2,
            calls=_read_calls,
        )
    }
