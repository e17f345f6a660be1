"""From buffer to ledger: what is old is told again in fewer words, or kept as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from omnia.llm import Prompt, Purpose, ask
from omnia.memory.chunks import (
    HandoffAnswer,
    HandoffPlan,
    Refusal,
    label_sources,
    plan_handoff,
)
from omnia.memory.split import split_buffer
from tierwise.providers import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from omnia.core import Entity
    from omnia.llm import Embedder, Embedding
    from omnia.memory.entry import Entry
    from tierwise.providers import Provider

SYSTEM: Final = (
    "Condense the numbered memories into a few chunks. Each has source_ids (the numbers it "
    "condenses), content, quotes (copied word by word from the sources), importance (1 to 10) "
    "and retain (true to keep the sources word by word as well)."
)


class HandoffStore(Protocol):
    """Where a handoff is written: all of it, or nothing."""

    def commit_handoff(self, plan: HandoffPlan, embeddings: Mapping[str, Embedding]) -> None:
        """Save the memories, pin and delete entries, in one transaction."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffReport:
    """Whether anything was handed over, and if not, why."""

    done: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """Hands buffers over with the help of a model, whose answer is checked before it counts."""

    provider: Provider
    embedder: Embedder
    store: HandoffStore
    may_forget: bool = False
    """May a model drop candidates without a trace by answering with no chunk at all?"""

    async def run(self, owner: Entity, entries: Sequence[Entry], now: datetime) -> HandoffReport:
        """Hand over what is old enough; on any failure nothing has changed."""
        candidates = split_buffer(entries, now).candidates
        if not candidates:
            return HandoffReport(done=False, reason="nothing is old enough")
        answer = await ask(
            self.provider,
            build_handoff_prompt(owner, candidates),
            HandoffAnswer,
            purpose=Purpose.HANDOFF,
        )
        if isinstance(answer, Failure):
            return HandoffReport(done=False, reason=answer.message)
        plan = plan_handoff(owner, candidates, answer, may_forget=self.may_forget)
        if isinstance(plan, Refusal):
            return HandoffReport(done=False, reason=plan.reason)
        return await self._commit(plan)

    async def _commit(self, plan: HandoffPlan) -> HandoffReport:
        embeddings: dict[str, Embedding] = {}
        for memory in plan.memories:
            vector = await self.embedder.embed(memory.content)
            if isinstance(vector, Failure):
                return HandoffReport(done=False, reason=vector.message)
            embeddings[memory.id] = vector
        self.store.commit_handoff(plan, embeddings)
        return HandoffReport(done=True)


def build_handoff_prompt(owner: Entity, candidates: Sequence[Entry]) -> Prompt:
    """Return the prompt: the owner's own view of each candidate, under a number and no id."""
    lines = [f"{label}. {text}" for label, text in label_sources(owner, candidates).items()]
    return Prompt(system=SYSTEM, user="\n".join(lines), viewer=owner.id)
