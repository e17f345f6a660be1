"""From all facts to the whole audit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tierwise.audit import behaviour
from tierwise.audit.changed_files import find_changed_files
from tierwise.audit.ci.values import Ci
from tierwise.audit.ci_selecting import find_missing_paths, find_not_in_ci
from tierwise.audit.findings import KINDS, Audit, Finding
from tierwise.audit.left_state import find_left_state
from tierwise.audit.levels import view_test
from tierwise.audit.proposal import propose
from tierwise.audit.steps import choose_steps
from tierwise.audit.uncollected import find_uncollected, is_told
from tierwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.audit.facts import RunFacts
    from tierwise.audit.findings import Proposal, TestView
    from tierwise.audit.test_files import FileFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderEvidence:
    """What a search for order dependence found."""

    findings: tuple[Finding, ...] = ()
    unfinished: str = ""
    """Why not all of it could be searched; "" when it could."""
    is_interrupted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that an audit judges by."""

    project: str
    run: RunFacts
    files: tuple[FileFacts, ...] = ()
    ci: Ci = field(default_factory=Ci)
    exists: Callable[[str], bool]
    """Is there such a path in the project?"""
    packages: tuple[str, ...] = ()
    elsewhere: str = ""
    """The project's root, where the audit was started in another folder."""
    is_declared: bool = False
    """Does the project have a `[tool.tierwise]` table?"""
    order: OrderEvidence | None = None
    """What was found about order; None when nobody looked."""


def conclude(evidence: Evidence) -> Audit:
    """Return what the facts come to."""
    run = evidence.run
    views = tuple(view_test(test) for test in run.tests)
    findings = tuple(sorted(_findings_of(evidence, views), key=_rank))
    return Audit(
        project=evidence.project,
        run=run,
        tests=views,
        findings=findings,
        ci_files=evidence.ci.files or evidence.ci.others,
        not_looked_for=tuple(_not_looked_for(evidence)),
        is_order_searched=evidence.order is not None,
        order_unfinished=evidence.order.unfinished if evidence.order else "",
        steps=choose_steps(
            findings, run, packages=evidence.packages, is_declared=evidence.is_declared
        ),
        proposal=_propose(evidence, views),
    )


def _rank(finding: Finding) -> int:
    return list(KINDS).index(finding.kind)


def _findings_of(evidence: Evidence, views: tuple[TestView, ...]) -> Iterator[Finding]:
    run, tests = evidence.run, evidence.run.tests
    testpaths = run.session.settings.get("testpaths", ())
    yield from behaviour.find_ends(run)
    yield from behaviour.find_exit_hang(run)
    yield from behaviour.find_network(views)
    yield from behaviour.find_failing(views)
    yield from behaviour.find_beyond_level(views)
    yield from find_changed_files(views, run.session.rootdir)
    yield from find_left_state(tests)
    yield from behaviour.find_skips(tests)
    yield from behaviour.find_left_out(run)
    yield from behaviour.find_lenient(tests)
    yield from find_uncollected(evidence.files, run)
    yield from find_not_in_ci(evidence.ci, tests, testpaths)
    yield from find_missing_paths(evidence.ci, evidence.exists)
    yield from _missing_testpaths(evidence, testpaths)
    yield from evidence.order.findings if evidence.order else ()


def _missing_testpaths(evidence: Evidence, testpaths: tuple[str, ...]) -> Iterator[Finding]:
    for path in testpaths:
        if not set(path) & set("*?[") and not evidence.exists(path):
            where = evidence.run.session.inifile
            text = "testpaths names it"
            yield Finding(kind="missing_folder", subject=path, text=text, where=where)


def _not_looked_for(evidence: Evidence) -> Iterator[str]:
    run = evidence.run
    if not run.is_run:
        yield "what tests do when they run: leave out --no-run"
    if run.is_recorded:
        yield "state left behind and the end of the process: a recorded run does not tell"
    if evidence.order is None:
        yield "order dependence: tierwise audit --order"
    elif evidence.order.unfinished:
        yield f"the rest of order dependence: {evidence.order.unfinished}"
    if not is_told(run):
        yield "what is never collected: pytest did not get as far as collecting"
        return
    left = sum(test.outcome == "not_run" for test in run.tests)
    if run.is_run and not run.is_complete:
        yield (
            f"the rest: the audit ended before the suite did; {left:,} of {len(run.tests):,} "
            "collected tests did not run"
        )


def _propose(evidence: Evidence, views: tuple[TestView, ...]) -> Proposal:
    from tierwise.audit.findings import Proposal  # noqa: PLC0415  a value for what cannot be

    if not views:
        return Proposal(toml="", notes=("no test was collected, so no tier can be proposed",))
    try:
        proposal = propose(
            views,
            packages=evidence.packages,
            is_order_free=is_order_free(evidence.order),
            root=evidence.run.session.rootdir,
        )
    except ConfigError as error:
        return Proposal(toml="", notes=(f"no table could be proposed: {error}",))
    if not evidence.elsewhere:
        return proposal
    note = f"its paths are those from {evidence.elsewhere}: run tierwise init --from-audit there"
    return replace(proposal, notes=(*proposal.notes, note))


def is_order_free(order: OrderEvidence | None) -> bool | None:
    """Tell whether no test depends on order; None when it was not searched to the end."""
    if order is None or (order.unfinished and not order.findings):
        return None
    return not order.findings
