from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from tierwise.contracts import ProviderContract, ProviderSubject, double_subjects, run_contract
from tierwise.domain import Outcome, Usage
from tierwise.providers import Answer, Failure, Provider, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.protocol import T

DOUBLES = double_subjects()


class TestProviderContract(ProviderContract):
    """The same clauses that the real model is held to in the third tier."""

    implementations: ClassVar[Mapping[str, ProviderSubject]] = {
        name: DOUBLES[name] for name in ("mock", "scripted", "recording")
    }


@dataclass(frozen=True)
class HalfHonestProvider:
    """Says success when the model's text could not be parsed: success without data."""

    text: str = "I would rather not."
    name: str = "half-honest"
    real: bool = False
    usage: Usage = field(default_factory=lambda: Usage(input_tokens=9, output_tokens=9))

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Return an answer whatever came."""
        return Answer(text=self.text, data=None, usage=self.usage)


def _half_honest(text: str) -> Provider:
    return HalfHonestProvider(text)


def test_success_without_data_breaks_the_contract() -> None:
    """A provider that says success and brings no data is red on the shared suite."""
    subject = ProviderSubject(answering=HalfHonestProvider, saying=_half_honest)
    report = run_contract(ProviderContract, {"half-honest": subject})
    broken = {r.clause for r in report.results if r.outcome is Outcome.FAILED}
    assert "test_an_answer_keeps_its_schema" in broken
    assert "test_text_that_is_no_json_is_malformed" in broken
