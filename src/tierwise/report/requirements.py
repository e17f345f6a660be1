"""Requirements and what is evidence for them: verified only when all of it is known and good."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.records import LinkRow
    from tierwise.report.requirement_file import Requirement


class Proof(StrEnum):
    """How far a requirement is proven."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    """It has tests, and something about one of them is not known or not good."""
    UNTESTED = "untested"
    """No test names it."""
    UNKNOWN = "unknown"
    """Tests name it and the file does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementRow:
    """One requirement with its evidence and what that comes to."""

    id: str
    text: str
    proof: Proof
    reason: str
    code: ExitCode
    links: tuple[LinkRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doubt:
    reason: str
    code: ExitCode


_CODES = {
    Outcome.FAILED: ExitCode.FAILED,
    Outcome.ERROR: ExitCode.FAILED,
    Outcome.UNOBSERVABLE: ExitCode.NOTHING_OBSERVED,
    Outcome.NOT_RUN: ExitCode.NOTHING_OBSERVED,
}
_WORST_FIRST = (ExitCode.FAILED, ExitCode.NOTHING_OBSERVED, ExitCode.STALE)


def draw_matrix(
    declared: Sequence[Requirement] | None, links: Iterable[LinkRow], *, code_hash: str
) -> tuple[RequirementRow, ...]:
    """Return each requirement with its evidence, those of the file first and in its order.

    `declared` is None where the project has no file: then tests alone say what is required. A
    result of other code than that of `code_hash` is stale; so is all where it is "".
    """
    by_id: dict[str, list[LinkRow]] = {}
    for link in links:
        by_id.setdefault(link.requirement, []).append(link)
    known = [one.id for one in declared or ()]
    rows = [_judge(one.id, one.text, by_id.get(one.id, []), code_hash) for one in declared or ()]
    others = sorted(by_id.keys() - set(known))
    if declared is None:
        return tuple(_judge(name, "", by_id[name], code_hash) for name in others)
    return (*rows, *(_orphan(name, by_id[name], known) for name in others))


def exit_code_of(rows: Iterable[RequirementRow]) -> ExitCode:
    """Return what a check ends with: failed before unobserved before stale before fine."""
    codes = {row.code for row in rows}
    for code in _WORST_FIRST:
        if code in codes:
            return code
    return ExitCode.OK if codes else ExitCode.NOTHING_OBSERVED


def _judge(name: str, text: str, links: list[LinkRow], code_hash: str) -> RequirementRow:
    if not links:
        proof, reason, code = Proof.UNTESTED, "no test names it", ExitCode.FAILED
    elif doubts := _find_doubts(links, code_hash):
        codes = {doubt.code for doubt in doubts}
        code = next(each for each in _WORST_FIRST if each in codes)
        proof, reason = Proof.UNVERIFIED, ", ".join(doubt.reason for doubt in doubts)
    else:
        n = len(links)
        reason = f"{n} test{'s' * (n > 1)} passed on this state of the code"
        proof, code = Proof.VERIFIED, ExitCode.OK
    return RequirementRow(
        id=name, text=text, proof=proof, reason=reason, code=code, links=tuple(links)
    )


def _find_doubts(links: Sequence[LinkRow], code_hash: str) -> list[_Doubt]:
    counts = Counter(link.outcome or Outcome.NOT_RUN for link in links)
    doubts = [
        _Doubt(reason=f"{counts[outcome]} {outcome.replace('_', ' ')}", code=code)
        for outcome, code in _CODES.items()
        if counts[outcome]
    ]
    passed = [link for link in links if link.outcome is Outcome.PASSED]
    if retried := sum(link.attempts > 1 for link in passed):
        reason = f"{retried} passed only when tried again"
        doubts.append(_Doubt(reason=reason, code=ExitCode.FAILED))
    if stale := sum(not code_hash or link.code_hash != code_hash for link in passed):
        reason = f"{stale} from another state of the code"
        doubts.append(_Doubt(reason=reason, code=ExitCode.STALE))
    return doubts


def _orphan(name: str, links: Sequence[LinkRow], known: Sequence[str]) -> RequirementRow:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f": did you mean {close[0]}?" if close else ""
    return RequirementRow(
        id=name,
        text="",
        proof=Proof.UNKNOWN,
        reason=f"the file does not have it{hint}",
        code=ExitCode.FAILED,
        links=tuple(links),
    )
