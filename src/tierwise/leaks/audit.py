"""The context audit: which prompt to which viewer carried which secret? It needs no model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tierwise.domain import Exchange, Verdict
from tierwise.errors import MisuseError
from tierwise.leaks.detector import Detector
from tierwise.leaks.findings import Finding  # noqa: TC001  readers resolve it at run time
from tierwise.leaks.secret import Secret

_AROUND = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLeak:
    """A prompt carried a secret to a viewer who may not know it."""

    secret: str
    viewer: str
    purpose: str
    index: int
    """The position of the exchange in the recording."""
    finding: Finding
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAudit:
    """What an audit concludes, with all that it rests on."""

    leaks: tuple[ContextLeak, ...]
    n_exchanges: int
    n_viewers: int
    n_secrets: int
    n_checked: int
    """Pairs of a prompt and a secret that its viewer may not know."""
    verdict: Verdict
    reason: str

    def render(self) -> str:
        """Return the audit as text: the verdict, what it rests on, and a row for each leak."""
        head = f"context audit: {self.verdict}. {self.reason}"
        if not self.leaks:
            return head
        rows = [
            (f"#{leak.index}", leak.viewer, leak.purpose or "-", leak.secret, _way(leak.finding))
            for leak in self.leaks
        ]
        table = _table(("exchange", "viewer", "purpose", "secret", "how"), rows)
        excerpts = [f"  #{leak.index}: {leak.excerpt}" for leak in self.leaks]
        return "\n".join((head, "", *table, "", "where:", *excerpts))

    def assert_clean(self) -> None:
        """Raise an AssertionError unless the audit proves that nothing leaked."""
        if self.verdict is not Verdict.PROVEN:
            raise AssertionError(self.render())


def audit_context(recorder: object, secrets: Iterable[Secret]) -> ContextAudit:
    """Search each recorded prompt for the secrets that its viewer may not know.

    `recorder` is anything with `.exchanges`, or the exchanges themselves. A viewer of None is the
    system itself, which may read all. Where nothing could be checked the verdict is undecided.
    """
    exchanges, secrets = _exchanges_of(recorder), _secrets_of(secrets)
    leaks: list[ContextLeak] = []
    cut: list[str] = []
    n_checked = 0
    detectors: dict[str, tuple[Detector, int]] = {}
    for index, exchange in enumerate(exchanges):
        viewer = exchange.viewer
        if viewer is None or not exchange.prompt:
            continue  # nobody's to read, or nothing to be read
        if viewer not in detectors:
            hidden = tuple(secret for secret in secrets if viewer not in secret.viewers)
            detectors[viewer] = (Detector(hidden), len(hidden))
        detector, n_hidden = detectors[viewer]
        n_checked += n_hidden
        examination = detector.examine(prompt_of(exchange))
        cut += [f"exchange #{index}: {reason}" for reason in examination.coverage.cut]
        leaks += [_leak_of(finding, exchange, index) for finding in examination.findings]
    counts = _Counts(
        exchanges=sum(bool(exchange.prompt) for exchange in exchanges),
        viewers=len(detectors),
        secrets=len(secrets),
        checked=n_checked,
    )
    verdict, reason = judge(counts, n_leaks=len(leaks), cut=cut)
    return ContextAudit(
        leaks=tuple(leaks),
        n_exchanges=counts.exchanges,
        n_viewers=counts.viewers,
        n_secrets=counts.secrets,
        n_checked=counts.checked,
        verdict=verdict,
        reason=reason,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    exchanges: int
    viewers: int
    secrets: int
    checked: int

    def __str__(self) -> str:
        parts = (
            (self.exchanges, "prompt"),
            (self.viewers, "viewer"),
            (self.secrets, "secret"),
            (self.checked, "prompt-secret pair"),
        )
        return ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts)


def judge(counts: _Counts, *, n_leaks: int, cut: list[str]) -> tuple[Verdict, str]:
    """Return what the counts allow to be said, and why."""
    basis = f"Rests on {counts}."
    if n_leaks:
        word = "leak" if n_leaks == 1 else "leaks"
        return Verdict.REFUTED, f"{n_leaks} {word}. {basis}"
    if not counts.exchanges:
        why = (
            "Nothing was recorded: wrap the provider in a RecordingProvider and run a flow first."
        )
    elif not counts.secrets:
        why = "No secret was given, so there was nothing to look for."
    elif not counts.viewers:
        why = (
            "No prompt names a viewer, so none was checked: label the requests with their viewer."
        )
    elif not counts.checked:
        why = "Every viewer may know every secret, so nothing was checked."
    elif cut:
        why = f"Not everything was looked at: {'; '.join(cut)}."
    else:
        return (
            Verdict.PROVEN,
            f"No prompt carried a secret to a viewer who may not know it. {basis}",
        )
    return Verdict.UNDECIDED, f"{why} {basis}"


def prompt_of(exchange: Exchange) -> str:
    """Return all that was sent: turns, arguments of tool calls, offered tools and the schema."""
    arguments = [
        json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
        for message in exchange.prompt
        for call in message.tool_calls
    ]
    attached = [exchange.attached] if exchange.attached else []
    return "\n".join((exchange.prompt_text, *arguments, *attached))


def _leak_of(finding: Finding, exchange: Exchange, index: int) -> ContextLeak:
    start, end = finding.span
    text = prompt_of(exchange)
    around = text[max(0, start - _AROUND) : end + _AROUND]
    return ContextLeak(
        secret=finding.secret,
        viewer=exchange.viewer or "",
        purpose=exchange.purpose,
        index=index,
        finding=finding,
        excerpt=f"...{around}...".replace("\n", " "),
    )


def _way(finding: Finding) -> str:
    return " > ".join(finding.chain)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    ]


def _exchanges_of(recorder: object) -> tuple[Exchange, ...]:
    given = getattr(recorder, "exchanges", recorder)
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise MisuseError(
            f"audit_context was given {recorder!r}; expected exchanges, or something with "
            f"`.exchanges`, such as a RecordingProvider.",
        )
    exchanges = tuple(given)
    for index, exchange in enumerate(exchanges):
        if not isinstance(exchange, Exchange):
            raise MisuseError(
                f"audit_context: item {index} is {exchange!r}, of type "
                f"{type(exchange).__name__}; expected a tierwise.domain.Exchange.",
            )
    return exchanges


def _secrets_of(secrets: Iterable[Secret]) -> tuple[Secret, ...]:
    if isinstance(secrets, Secret):
        raise MisuseError("audit_context was given one Secret; expected several: write [secret].")
    return tuple(secrets)
