"""Send what was planned, and read the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx2

from zen.costs import cost_of_turn
from zen.planning import plan_request
from zen.protocols import Usage, read_text, read_usage

if TYPE_CHECKING:
    from zen.catalogue import Catalogue, Plane, Row
    from zen.protocols import Protocol

BASE_URL = "https://{family}.zen.test"
TIMEOUT_S = 30.0


class ZenError(Exception):
    """The vendor refused; `response` has its words."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(f"{response.status_code} {response.text}")
        self.response = response


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer, with what it cost."""

    text: str
    usage: Usage
    cost_usd: float
    status_code: int = 200


class Client:
    """Asks models by plane and name. `base_url` may be a mirror's, with or without `{family}`."""

    def __init__(
        self, catalogue: Catalogue, *, key: str | None = None, base_url: str = BASE_URL
    ) -> None:
        self._catalogue = catalogue
        self._key = key
        self._base_url = base_url
        self.spent_usd = 0.0

    def ask(self, plane: Plane, model: str, prompt: str) -> Reply:
        """Return a model's answer; raises `ZenError` where the vendor refuses."""
        return self.ask_row(self._catalogue.find(plane, model), prompt)

    def ask_row(self, row: Row, prompt: str, *, protocol: Protocol | None = None) -> Reply:
        """Return the answer of the model of one row."""
        plan = plan_request(row, prompt, self._key, protocol=protocol)
        address = self._base_url.format(family=plan.family) + plan.path
        with httpx2.Client(timeout=TIMEOUT_S) as http:
            response = http.post(address, headers=dict(plan.headers), json=dict(plan.body))
        if not response.is_success:
            raise ZenError(response)
        spoken, body = protocol or row.protocol, response.json()
        usage = read_usage(spoken, body)
        cost = cost_of_turn(row, usage)
        self.spent_usd += cost
        return Reply(text=read_text(spoken, body), usage=usage, cost_usd=cost)
