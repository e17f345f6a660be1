"""A secret that a live test cannot do without: an empty one is a missing one."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.contracts.contract import unobservable
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACEHOLDER = re.compile(
    r"""
      (?:x+|\*+|\.+|-+|_+)                                       # xxxx, ****
    | (?:none|null|nil|undefined|unset|todo|tbd|dummy|fake|placeholder|example|changeme|change-me
       |secret|api[-_ ]?key|token|test|n/a)
    | (?:my|your|the|insert|put|add|enter|paste|replace)[-_ ].*(?:key|token|secret|here|me)
    | <.*> | \[.*\] | \{\{.*\}\} | %.*%                           # <your key>, {{ secrets.KEY }}
    | \$\{?\w+\}? | \$\{\{.*\}\}                                  # ${KEY}, ${{ secrets.KEY }}
    | .*(?:\.\.\.|…|x{6,}|\*{3,})                                 # sk-..., sk-xxxxxxxx
    | .*tierwise-fake-key.*                                       # what the gateway puts there
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class RequireSecret:
    """An environment variable that holds a secret; without it a test is `unobservable`.

    Unset, empty, blank and placeholders are the same: a secret that a build does not have often
    arrives as an empty string, and the vendor's refusal of it looks like an outage.
    """

    name: str
    placeholders: tuple[str, ...] = ()
    """Further values that are no secret."""

    def __post_init__(self) -> None:
        """Refuse a name that no variable has."""
        if not re.fullmatch(r"\w+", self.name):
            raise MisuseError(
                f"{self.name!r} names no environment variable. Expected letters, digits and "
                "underscores, such as 'OPENAI_API_KEY'; the secret itself goes into none of them."
                if len(self.name) < _LONGEST_NAME
                else "RequireSecret takes the name of a variable, not the secret."
            )

    def get(self, environ: Mapping[str, str] | None = None) -> str:
        """Return the secret without blanks around it; say `unobservable` where there is none."""
        __tracebackhide__ = True
        values = os.environ if environ is None else environ
        missing = self.why_missing(values)
        if missing is not None:
            unobservable(missing)
        return values[self.name].strip()

    def why_missing(self, environ: Mapping[str, str] | None = None) -> str | None:
        """Return why the secret is not there, without a word of its value; None if it is."""
        values = os.environ if environ is None else environ
        value = values.get(self.name)
        if value is None:
            return f"{self.name} is not set"
        bare = value.strip().strip("\"'").strip()
        if not bare:
            return f"{self.name} is empty, which is the same as not set"
        if _PLACEHOLDER.fullmatch(bare) or bare in self.placeholders:
            return f"{self.name} holds a placeholder, which is the same as not set"
        return None


_LONGEST_NAME = 16
