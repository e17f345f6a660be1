from __future__ import annotations

import pytest
from omnia.architect import Cause, Judgement, show_cause, show_raw_reason
from pydantic import ValidationError

TELLING = Judgement(valid=False, reason="Mira hid the key under the stair", cause=Cause.BLOCKED)


@pytest.mark.parametrize("cause", list(Cause))
def test_every_cause_has_a_sentence_of_its_own(cause: Cause) -> None:
    """The closed list is complete, and no two causes read the same."""
    shown = {c: show_cause(TELLING.model_copy(update={"cause": c})) for c in Cause}
    assert shown[cause]
    assert len(set(shown.values())) == len(Cause)


def test_the_validators_reason_leaks_no_more() -> None:
    """What is shown does not depend on the validator's own words at all."""
    other = TELLING.model_copy(update={"reason": "x"})
    assert show_cause(TELLING) == show_cause(other) == "something is in the way"
    assert show_raw_reason(TELLING) == TELLING.reason


def test_a_judgement_without_reason_is_malformed() -> None:
    """Yes or no, and why: both are required; an unknown cause is refused."""
    for bad in ({"valid": True}, {"reason": "x"}, {"valid": 1.5, "reason": "x"}):
        with pytest.raises(ValidationError):
            Judgement.model_validate(bad)
    with pytest.raises(ValidationError, match="cause"):
        Judgement.model_validate({"valid": False, "reason": "x", "cause": "the key is here"})
