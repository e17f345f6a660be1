"""The one error outside the root: a BaseException, so that no `except Exception` hides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.sandbox.explain import explain

if TYPE_CHECKING:
    from tierwise.domain import Allowance, Violation


class PolicyViolation(BaseException):
    """A test touched what its policy does not allow; the text says how to go on."""

    def __init__(self, violation: Violation, allow: tuple[Allowance, ...] = ()) -> None:
        super().__init__(explain(violation, allow=allow))
        self.violation = violation
        self.allow = allow

    def __reduce__(self) -> tuple[type[PolicyViolation], tuple[object, ...]]:
        """Pickle by what it was made of, not by its text."""
        return (type(self), (self.violation, self.allow))
