"""An eval as a pytest item of our own, which reports what the one scheduler found."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import EvalUsageError, TierwiseError
from tierwise.pytest_plugin.eval_compat import fixture_definitions, hide_arguments
from tierwise.pytest_plugin.eval_refusals import (
    refuse_misspelt_arguments,
    refuse_narrow_fixtures,
    refuse_parametrize,
)

if TYPE_CHECKING:
    from tierwise.evals import EvalDeclaration
    from tierwise.pytest_plugin.eval_session import EvalSession

INJECTED = frozenset({"case", "provider", "trial"})
SESSION: pytest.StashKey[EvalSession] = pytest.StashKey()


class EvalConclusion(Exception):  # noqa: N818  a conclusion is no error of the code
    """What an eval came to when that is not `proven`; `state` tells how to show it."""

    def __init__(self, state: str, text: str, *, reason: str = "") -> None:
        super().__init__(text)
        self.state = state
        self.reason = reason
        """The first judgement that is not `proven`, in one line."""


class EvalItem(pytest.Function):
    """A test function that was declared by `@evaluate`."""

    declaration: EvalDeclaration
    body: Any

    @classmethod
    def build(
        cls,
        collector: pytest.Module | pytest.Class,
        name: str,
        function: Any,  # noqa: ANN401
    ) -> EvalItem:
        """Make the item; what an eval cannot have is refused here, while collecting."""
        from tierwise.evals import declaration_of  # noqa: PLC0415  no eval, no import

        declaration = declaration_of(function)
        assert declaration is not None  # noqa: S101  the hook looked before it asked
        item: EvalItem = cls.from_parent(
            collector, name=name, callobj=hide_arguments(function, INJECTED)
        )
        item.declaration, item.body = declaration, function
        refuse_parametrize(item)
        refuse_misspelt_arguments(item, INJECTED)
        refuse_narrow_fixtures(item)
        plugins = item.config.pluginmanager
        if plugins.hasplugin("timeout") or plugins.hasplugin("pytest_timeout"):
            # The first item runs the trials of all; each trial has a time-out of its own.
            item.add_marker(pytest.mark.timeout(0))
        return item

    @property
    def wants(self) -> frozenset[str]:
        """Which of `case`, `provider` and `trial` the body takes."""
        return INJECTED & set(inspect.signature(self.body).parameters)

    @property
    def shared_names(self) -> tuple[str, ...]:
        """The fixtures that the body asks for by name, shared by all its trials."""
        parameters = inspect.signature(self.body).parameters
        return tuple(name for name in parameters if name in self.fixturenames)

    def is_ready_early(self) -> bool:
        """Tell whether nothing but session fixtures stands between this eval and its trials."""
        if any(mark.name in ("skip", "skipif") for mark in self.iter_markers()):
            return False
        definitions = fixture_definitions(self)
        return all(
            name in definitions and definitions[name][-1].scope == "session"
            for name in self.fixturenames
        )

    def runtest(self) -> None:
        """Run the trials, if nobody has yet, and report."""
        evals = self.config.stash.get(SESSION, None)
        if evals is None:
            raise EvalUsageError(
                "This eval was handed to one of several processes. One process schedules all "
                "trials: run evals without -n, or by their tier, such as `pytest --tier evals`, "
                "which switches -n off."
            )
        evals.conclude(self)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:  # type: ignore[override]  # noqa: ANN401  as in pytest's own
        """Show what was found; the user's code is not at fault, so no traceback."""
        if isinstance(excinfo.value, EvalConclusion):
            return str(excinfo.value)
        if isinstance(excinfo.value, TierwiseError):
            return f"{self.nodeid}: {excinfo.value}"
        return super().repr_failure(excinfo)
