"""The shared contract on the real model: the same clauses as on the doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tierwise.contracts import ProviderContract, ProviderSubject
from tierwise.providers import LocalProvider

if TYPE_CHECKING:
    from collections.abc import Mapping


def _local() -> LocalProvider:
    return LocalProvider(slots=2, n_ctx=2048, max_tokens=60)


class TestLocalProvider(ProviderContract):
    """What cannot be provoked in a real model is shown as skipped, with its reason."""

    implementations: ClassVar[Mapping[str, ProviderSubject]] = {
        "local": ProviderSubject(answering=_local, hanging=_local, begin_s=0.2)
    }
