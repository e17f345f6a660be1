"""The three things that are most worth doing next."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from tierwise.audit.behaviour import count, that
from tierwise.audit.findings import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tierwise.audit.facts import RunFacts
    from tierwise.audit.findings import Finding

_MOST = 3
_PYTEST = "python -m pytest"
"""As the audit has run it: a bare pytest may not find what lies in the project's folder."""
_MISSING = re.compile(r"No module named '([\w.]+)'")


def choose_steps(
    findings: Sequence[Finding], run: RunFacts, *, packages: Sequence[str], is_declared: bool
) -> tuple[Step, ...]:
    """Return the steps that come first: what hides most from the build goes before what is lax."""
    steps: list[Step] = []
    for advise in _ADVICE:
        of_kind = [found for found in findings if found.kind in advise.kinds]
        if of_kind:
            steps += advise.write(of_kind, run, packages)
    if not is_declared and any(test.outcome != "not_run" for test in run.tests):
        steps.append(
            Step(
                text="Write the proposed tiers into pyproject.toml, so that what was found "
                "can only become less",
                command="tierwise init",
            )
        )
    return tuple(steps[:_MOST])


class _Advice:
    """What to do about findings of some kinds."""

    def __init__(
        self,
        kinds: Sequence[str],
        write: Callable[[list[Finding], RunFacts, Sequence[str]], Iterator[Step]],
    ) -> None:
        self.kinds, self.write = kinds, write


def _on_ends(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    first = next((one for one in found if "::" in one.subject), found[0])
    is_test = "::" in first.subject
    what = "Mend" if is_test else "Let pytest get through its start:"
    yield Step(
        text=f"{what} {first.subject}: {first.text}",
        command=f"{_PYTEST} {shlex.quote(first.subject)}" if is_test else "",
    )


def _on_collection(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run
    names = [name for one in found for name in _MISSING.findall(one.text)]
    files = count(len(found), "file")
    if not names:
        yield Step(
            text=f"Mend {files} that cannot be collected: {found[0].text}",
            command=f"{_PYTEST} --collect-only {shlex.quote(found[0].subject)}",
        )
        return
    name = max(set(names), key=lambda one: (names.count(one), one))
    top = name.partition(".")[0]
    own = next((path for path in packages if path.rpartition("/")[2] == top), None)
    if own is None:
        text = f"Install {top}, without which {files} cannot be collected"
        yield Step(text=text, command=f"pip install {top}  # or the extra that the tests need")
    elif "/" in own:
        folder = own.rpartition("/")[0]
        text = f"Install the project: {top} lies in {folder} and is not on the path"
        yield Step(text=text, command=f"pip install -e .  # or: PYTHONPATH={folder}")
    else:
        text = f"Put the project on the path: {top} is there and cannot be imported"
        yield Step(text=text, command='pytest -o pythonpath=.  # or pythonpath = ["."]')


def _on_network(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    tests = {name for one in found for name in one.tests}
    first = found[0]
    yield Step(
        text=f"Give {count(len(tests), 'test')} a stand-in for {first.subject}"
        f"{f' and {len(found) - 1} more' if len(found) > 1 else ''}, or move them into a tier "
        "that is run on purpose: now each run depends on somebody else's server",
        command=f"{_PYTEST} {shlex.quote(first.tests[0])}",
    )


def _on_order(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    yield Step(
        text=f"Mend {that(len(found), 'depends', 'depend')} on the order of the others",
        command=f"tierwise bisect {shlex.quote(found[0].subject)}",
    )


def _on_state(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    first = found[0]
    names = f"{first.subject}{f' and {len(found) - 1} more' if len(found) > 1 else ''}"
    yield Step(
        text=f"Have tests put back what they change: {names}",
        command=f"{_PYTEST} --tierwise-state=fail {shlex.quote(first.tests[0])}",
    )


def _on_ci(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    if found[0].subject == "CI":
        text = "Let a machine run the tests: no CI is set up"
        yield Step(text=text, command=f"{_PYTEST}  # in a workflow, for each change")
        return
    n_tests = sum(len(one.tests) for one in found)
    places = [one.subject for one in found if one.tests]
    how_many = count(n_tests, "test") if n_tests else "the tests"
    text = f"Let CI run {how_many} that it leaves out"
    yield Step(text=text, command=f"{_PYTEST} {shlex.join(places[:5])}".strip())


def _on_uncollected(
    found: list[Finding], run: RunFacts, packages: Sequence[str]
) -> Iterator[Step]:
    del run, packages
    first = found[0]
    text = f"Have {count(len(found), 'place')} with tests collected, such as {first.subject}"
    yield Step(text=f"{text}: {first.text}")


def _on_exit(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    text = f"Stop {found[0].subject} when the tests are done: {found[0].text}"
    yield Step(text=text)


def _on_hang(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    if _hangs(run):
        yield from _on_exit(found, run, packages)


def _on_slow_exit(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    if not _hangs(run):
        yield from _on_exit(found, run, packages)


def _hangs(run: RunFacts) -> bool:
    return any(end.kind == "hung_at_exit" for end in run.ends)


def _on_failing(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    n_tests = sum(len(one.tests) for one in found)
    first = found[0].tests[0]
    text = f"Mend {that(n_tests, 'fails', 'fail')}; most with: {found[0].text}"
    yield Step(text=text, command=f"{_PYTEST} {shlex.quote(first)}")


def _on_twice(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    yield Step(text=f"Rename {found[0].subject} ({found[0].where}): {found[0].text}")


def _on_missing(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    where = f" in {found[0].where}" if found[0].where else ""
    yield Step(text=f"Mend the path {found[0].subject}{where}: it does not exist")


def _on_lenient(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    text = (
        f"Make {count(len(found), 'expected failure')} strict, so that the day it passes is seen"
    )
    yield Step(text=text, command="xfail_strict = true  # in pytest's table")


def _on_skips(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    text = f"Give {count(len(found), 'skip')} a reason, or take it out: {found[0].subject}"
    yield Step(text=text)


def _on_always(found: list[Finding], run: RunFacts, packages: Sequence[str]) -> Iterator[Step]:
    del run, packages
    first = found[0]
    which = that(len(found), "is always skipped", "are always skipped")
    yield Step(text=f"Mend or delete {which}, such as {first.subject}: {first.text}")


_ADVICE = (
    _Advice(("ended_session",), _on_ends),
    _Advice(("collection_error",), _on_collection),
    _Advice(("exit_hang",), _on_hang),
    _Advice(("network",), _on_network),
    _Advice(("failing",), _on_failing),
    _Advice(("order_dependent",), _on_order),
    _Advice(("not_in_ci",), _on_ci),
    _Advice(("never_collected",), _on_uncollected),
    _Advice(("defined_twice",), _on_twice),
    _Advice(("exit_hang",), _on_slow_exit),
    _Advice(("missing_folder",), _on_missing),
    _Advice(("skip_without_reason",), _on_skips),
    _Advice(("xfail_not_strict",), _on_lenient),
    _Advice(("always_skipped",), _on_always),
    _Advice(("state_left",), _on_state),
)
"""In the order in which they matter."""
