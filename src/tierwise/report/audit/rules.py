"""The kinds of findings of an audit as rules: what each means, how bad it is, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.audit.findings import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

_RULES: Mapping[str, tuple[str, str, str]] = {
    "ended_session": (
        "error",
        "Something ended pytest before its time, so that the tests behind it say nothing.",
        "Run the test by itself, and take out what ends the process.",
    ),
    "collection_error": (
        "error",
        "A file cannot be collected, so that none of its tests runs.",
        "Run `python -m pytest --collect-only FILE`, and mend what cannot be imported.",
    ),
    "order_dependent": (
        "error",
        "A test ends differently when others run before it, or when none does.",
        "Run `tierwise bisect TEST`: it names the test that it depends on.",
    ),
    "state_left": (
        "warning",
        "A test leaves a piece of process state changed for those behind it.",
        "Have it put back, as `monkeypatch` does; `pytest --tierwise-state=fail` keeps it so.",
    ),
    "network": (
        "warning",
        "A test reaches a host of the network: its result depends on somebody else's server.",
        "Give it a stand-in, or move it into a tier that is run on purpose.",
    ),
    "exit_hang": (
        "warning",
        "Something keeps the process alive when all tests are done.",
        "Stop it where it was started, in the tear-down of the fixture or test.",
    ),
    "failing": (
        "error",
        "A test fails today.",
        "Run it by itself with `python -m pytest TEST`, and mend it or the code.",
    ),
    "beyond_level": (
        "warning",
        "A test touches what tests of its level do not usually need.",
        "Construct its inputs in place of the touch, or move it to the level that it is of.",
    ),
    "changed_files": (
        "warning",
        "A test changes files outside of the temporary folder.",
        "Have it write below `tmp_path`.",
    ),
    "never_collected": (
        "error",
        "It looks like a test, and pytest never collects it.",
        "Give it a name and a place that pytest takes, or take it out.",
    ),
    "defined_twice": (
        "error",
        "Two tests have one name, so that the first of them never runs.",
        "Give one of them another name.",
    ),
    "empty_test_file": (
        "warning",
        "A file that is named like one of tests holds none.",
        "Write the tests, or take the file out.",
    ),
    "missing_folder": (
        "error",
        "The configuration or CI names a path that is not there: its tests do not run.",
        "Put the path right where it is named, or take it out.",
    ),
    "not_in_ci": (
        "warning",
        "CI does not run these tests, so that a green build says nothing of them.",
        "Have a job of CI run them.",
    ),
    "ci_untold": (
        "note",
        "What this part of CI runs could not be told; nothing of it is assumed to be fine.",
        "Look at it, or name the paths in CI without variables.",
    ),
    "always_skipped": (
        "warning",
        "A test is skipped wherever it runs.",
        "Mend it, or take it out; a fault that is known is better a strict `xfail`.",
    ),
    "skipped_here": (
        "note",
        "A test was skipped where the audit ran.",
        "See that it runs somewhere: install what it lacks, or run it in a job of CI.",
    ),
    "skip_without_reason": (
        "note",
        "A skip says no reason, so that nobody knows when it may end.",
        "Give the skip a reason.",
    ),
    "left_out": (
        "note",
        "A plain pytest leaves these tests out by options of the project.",
        "See that CI runs them on purpose.",
    ),
    "xfail_not_strict": (
        "note",
        "An expected failure is not strict: when the test passes, nobody hears of it.",
        "Set `strict=True` on the mark, or `xfail_strict` for all.",
    ),
}
"""Of each kind its level, what it means, and the next step."""


def rule_of_kind(kind: str) -> dict[str, Any]:
    """Return the rule of a kind of finding."""
    level, means, step = _RULES[kind]
    said = f"{means}\n\nNext step: {step}\n\n`tierwise audit` shows it again."
    return {
        "id": f"audit/{kind.replace('_', '-')}",
        "name": "".join(part.capitalize() for part in kind.split("_")),
        "shortDescription": {"text": KINDS[kind]},
        "fullDescription": {"text": means},
        "help": {"text": said, "markdown": said},
        "defaultConfiguration": {"level": level},
    }
