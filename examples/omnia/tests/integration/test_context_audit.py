from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from omnia.architect import Judgement, ShowReason, show_cause, show_raw_reason
from omnia.audit import (
    DESIGNS,
    audit_design,
    is_as_expected,
    plant_canaries,
    run_scripted_evening,
)
from omnia.scenario import read_packaged, read_scenario

from tierwise.domain import Verdict
from tierwise.leaks import ContextAudit, audit_context

if TYPE_CHECKING:
    from omnia.core import World


@pytest.fixture
def world() -> World:
    return read_scenario(read_packaged("sunken_bell")).world


def audit(world: World, show_reason: ShowReason) -> ContextAudit:
    return asyncio.run(audit_design(world, show_reason))


def test_the_original_design_is_red(world: World) -> None:
    """The validator's reason carries Mira's secret into the prompts of Tomas and of the guest."""
    result = audit(world, show_raw_reason)
    assert result.verdict is Verdict.REFUTED
    leaks = {(leak.viewer, leak.secret) for leak in result.leaks}
    assert ("ent-tomas", "ent-mira: hidden key") in leaks
    assert ("ent-guest", "ent-mira: hidden key") in leaks
    assert {leak.purpose for leak in result.leaks} == {"actor"}


def test_the_fixed_design_is_green(world: World) -> None:
    """No prompt to anybody holds what it may not know, though the validator tells it all."""
    result = audit(world, show_cause)
    assert result.verdict is Verdict.PROVEN, result.render()
    assert result.n_checked > 50


def test_the_same_flow_is_audited_on_both(world: World) -> None:
    """The designs differ in the reason shown and in nothing else: as many prompts, as asked."""
    red, green = (audit(world, design.show_reason) for design in DESIGNS)
    assert red.n_exchanges == green.n_exchanges
    assert red.n_checked == green.n_checked


def test_a_reason_that_is_half_fixed_is_still_red(world: World) -> None:
    """Cutting the reason short is no fix: what is left may be the secret."""

    def show_half(judgement: Judgement) -> str:
        return judgement.reason[: len(judgement.reason) // 2]

    assert audit(world, show_half).verdict is Verdict.REFUTED


def test_every_private_fact_gets_a_canary_of_its_own(world: World) -> None:
    """Values differ, lists stay, public facts stay, and the world given is not changed."""
    planted, secrets = plant_canaries(world)
    assert len({secret.value for secret in secrets}) == len(secrets) == 9
    by_name = {secret.name: secret for secret in secrets}
    assert by_name["ent-mira: hidden key"].viewers == {"ent-mira"}
    assert by_name["ent-tomas: past"].viewers == frozenset()
    mira = planted.require_entity("ent-mira").facts
    assert mira.system_attribute("look").value == "a tall innkeeper"
    assert "honey" not in mira.system_attribute("hidden key").value
    assert "honey" in world.require_entity("ent-mira").facts.system_attribute("hidden key").value


def test_the_canaries_do_reach_those_who_may_know(world: World) -> None:
    """Silence would prove nothing: Mira's own prompt holds her own secret."""
    planted, secrets = plant_canaries(world)
    recording = asyncio.run(run_scripted_evening(planted, secrets, show_cause))
    (hidden_key,) = [secret for secret in secrets if secret.name == "ent-mira: hidden key"]
    told = {e.viewer for e in recording.exchanges if hidden_key.value in e.prompt_text}
    assert told == {"ent-mira", None}


def test_nothing_recorded_proves_nothing(world: World) -> None:
    """An audit of no prompts is undecided, and undecided is not as expected."""
    _, secrets = plant_canaries(world)
    assert audit_context([], secrets).verdict is Verdict.UNDECIDED


@dataclass(frozen=True)
class Said:
    """Stands for an audit of which only the verdict counts."""

    verdict: Verdict


@pytest.mark.parametrize(
    ("original", "fixed", "fine"),
    [
        (Verdict.REFUTED, Verdict.PROVEN, True),
        (Verdict.PROVEN, Verdict.PROVEN, False),
        (Verdict.REFUTED, Verdict.REFUTED, False),
        (Verdict.REFUTED, Verdict.UNDECIDED, False),
        (Verdict.UNDECIDED, Verdict.PROVEN, False),
    ],
)
def test_only_red_and_green_is_as_expected(
    original: Verdict, fixed: Verdict, *, fine: bool
) -> None:
    """An audit that clears the original has gone blind; one that cannot tell is no pass."""
    pairs = list(zip(DESIGNS, (Said(original), Said(fixed)), strict=True))
    assert is_as_expected(pairs) is fine  # type: ignore[arg-type]
    assert not is_as_expected([])
