"""Ask the real side what a consumer asked of its double, and show where the answers differ."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.contracts.comparing import Comparison, Difference, Rule
from tierwise.contracts.encoding import decode, encode, name_type
from tierwise.contracts.interactions import Interaction, Scenario, read_interactions, unmask
from tierwise.domain import Outcome, Verdict
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_MASKED = "[masked "


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """What came of one scenario on the real side."""

    description: str
    outcome: Outcome
    reason: str = ""
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionReport:
    """All scenarios of one file as the real side answered them."""

    results: tuple[ScenarioResult, ...]

    @property
    def verdict(self) -> Verdict:
        """Proven when every scenario came out the same; a difference anywhere refutes."""
        outcomes = {result.outcome for result in self.results}
        if Outcome.FAILED in outcomes:
            return Verdict.REFUTED
        return Verdict.PROVEN if outcomes == {Outcome.PASSED} else Verdict.UNDECIDED

    def render(self) -> str:
        """Return a line for each scenario, and below it where the answers differ."""
        lines = []
        for result in self.results:
            why = f": {result.reason}" if result.reason else ""
            lines.append(f"{result.outcome.value} {result.description}{why}")
            lines += [f"    {difference}" for difference in result.differences]
        return "\n".join(lines)


def verify_interactions(
    file: str | Path,
    make_real: Callable[[], Any],
    *,
    given: Mapping[str, Callable[[Any], Any]] | None = None,
    secrets: Mapping[str, str] | None = None,
) -> InteractionReport:
    """Ask a fresh real implementation for each scenario of a file, call by call.

    `given` brings it into the state that a scenario names, `secrets` puts back what was masked.
    A scenario of coroutines, or whose implementation is made by one, runs in an event loop of its
    own; so call this outside event loops.
    """
    scenarios = read_interactions(file)
    states = given or {}
    for scenario in scenarios:
        if scenario.given and scenario.given not in states:
            raise MisuseError(
                f"{file}, {scenario.description!r}: nobody brings the real side into the state "
                f"{scenario.given!r}.{suggest(scenario.given, states)} Add it to given=."
            )
    return InteractionReport(
        results=tuple(_try(one, make_real, states, secrets or {}) for one in scenarios)
    )


def _try(
    scenario: Scenario,
    make_real: Callable[[], Any],
    states: Mapping[str, Callable[[Any], Any]],
    secrets: Mapping[str, str],
) -> ScenarioResult:
    ready = tuple(_fill_in(one, secrets) for one in scenario.interactions)
    lacking = [one.call for one in ready if _MASKED in repr((one.args, one.kwargs, one.answer))]
    if lacking:
        reason = f"{lacking[0]} holds a secret that was masked. Name it in secrets=."
        return ScenarioResult(
            description=scenario.description, outcome=Outcome.UNOBSERVABLE, reason=reason
        )
    prepare = states.get(scenario.given, lambda _: None)
    try:
        found = _replay(ready, make_real, prepare)
    except MisuseError:
        raise
    except Exception as error:  # noqa: BLE001  whatever it is, nothing is known then
        reason = f"{type(error).__name__}: {error}"
        return ScenarioResult(
            description=scenario.description, outcome=Outcome.ERROR, reason=reason
        )
    outcome = Outcome.FAILED if found else Outcome.PASSED
    return ScenarioResult(description=scenario.description, outcome=outcome, differences=found)


def _fill_in(one: Interaction, secrets: Mapping[str, str]) -> Interaction:
    return replace(
        one,
        args=tuple(unmask(list(one.args), secrets)),
        kwargs=unmask(dict(one.kwargs), secrets),
        answer=unmask(one.answer, secrets),
    )


def _replay(
    interactions: tuple[Interaction, ...],
    make_real: Callable[[], Any],
    prepare: Callable[[Any], Any],
) -> tuple[Difference, ...]:
    """Run the calls in order; without a loop unless something has to be awaited."""

    async def main() -> tuple[Difference, ...]:
        real = await _settle(make_real())
        await _settle(prepare(real))
        found: list[Difference] = []
        for number, one in enumerate(interactions, start=1):
            found += await _ask(real, one, number)
        return tuple(found)

    needs_loop = any(one.is_async for one in interactions)
    if needs_loop or any(map(inspect.iscoroutinefunction, (make_real, prepare))):
        return asyncio.run(main())
    running = main()
    try:
        running.send(None)
    except StopIteration as done:
        found: tuple[Difference, ...] = done.value
        return found
    running.close()
    raise MisuseError("The real side waits for something, and its double never did.")


async def _settle(value: Any) -> Any:  # noqa: ANN401
    return await value if inspect.isawaitable(value) else value


async def _ask(real: Any, one: Interaction, number: int) -> list[Difference]:  # noqa: ANN401
    where = f"{number}. {one.call}"
    try:
        answer = _begin(real, one)
        if inspect.isawaitable(answer):
            if not one.is_async:
                _close(answer)
                return [_differ(where, one, "an awaitable", "it has to be awaited")]
            answer = await answer
        elif one.is_async:
            return [_differ(where, one, answer, "it is answered at once and was awaited")]
    except MisuseError:
        raise
    except Exception as error:  # noqa: BLE001  what it raises is what it answers
        return _compare_error(where, one, error)
    if one.raises is not None:
        return [_differ(where, one, answer, f"it answered, expected {one.raises}")]
    rules = {path: Rule(matchers=(matcher,)) for path, matcher in one.match.items()}
    found = Comparison(rules).compare(one.answer, encode(answer))
    return [replace(difference, path=f"{where} {difference.path}") for difference in found]


def _begin(real: Any, one: Interaction) -> Any:  # noqa: ANN401
    args = [decode(value) for value in one.args]
    if one.kind == "set":
        return setattr(real, one.call, args[0])
    attribute = getattr(real, one.call)
    if one.kind == "get":
        return attribute
    return attribute(*args, **{name: decode(value) for name, value in one.kwargs.items()})


def _close(answer: Any) -> None:  # noqa: ANN401
    if inspect.iscoroutine(answer):
        answer.close()


def _compare_error(where: str, one: Interaction, error: Exception) -> list[Difference]:
    kinds = [name_type(kind) for kind in type(error).__mro__]
    if one.raises in kinds:
        return []
    wanted = one.raises or "an answer"
    return [_differ(where, one, repr(error), f"it raised {error!r}, expected {wanted}")]


def _differ(where: str, one: Interaction, actual: object, message: str) -> Difference:
    expected = one.answer if one.raises is None else one.raises
    return Difference(path=where, expected=expected, actual=actual, message=message)
