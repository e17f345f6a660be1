"""Scenarios as data: the rules that a test would write."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from toy_vendor import ToyVendor, ask, text_of

from tierwise.doubles.gateway import Account, Ending, Gateway
from tierwise.doubles.gateway.scenario import apply_scenario
from tierwise.errors import MisuseError

FULL = """
seed = 7
strict = false
hosts = { "models.example.com" = "openai" }

[account]
keys = ["Bearer sk-client-secret-0123456789"]
models = ["toy-*"]

[latency]
first_token_s = 0.5
per_token_s = { low = 0.1, high = 0.2 }

[[rules]]
when = { vendor = "openai", model = "toy-*", last_user = { pattern = "capital of \\\\w+" } }
say = "Paris"

[[rules]]
when = { header = { content-type = "text/*" }, text = "weather" }
optional = true
steps = [
  { fail = 429, retry_after_s = 2, times = 2 },
  { call = { tool = "weather", arguments = { city = "Oslo" } } },
  { say = ["sunny", "rainy"], stop = "length", usage = { input_tokens = 3 } },
  { data = { degrees = 21 } },
  { say = "a b c", cut = 2 },
  { say = "a b c", stall = true },
  { reset = true },
  { say = "a", malformed_body = true },
  { say = "a b c", error_event = { status = 529, after = 1 } },
  { say = "a b c", slow = { before_s = 4 } },
  { auto = true },
]
"""


def load(scenario: Any) -> Gateway:
    """Return a toy gateway with a scenario: text of TOML, or data."""
    toy = Gateway(vendors=[ToyVendor()])
    data = tomllib.loads(scenario) if isinstance(scenario, str) else scenario
    apply_scenario(toy, data, where="scenario.toml")
    return toy


def test_settings_are_those_of_the_gateway() -> None:
    """Each reaches it."""
    toy = load(FULL)
    assert (toy.seed, toy.strict) == (7, False)
    assert "models.example.com" in toy.hosts
    keys = frozenset({"Bearer sk-client-secret-0123456789"})
    assert toy.account == Account(keys=keys, models=frozenset({"toy-*"}))
    response = toy.handle_now(ask("The capital of France?", stream=True))
    assert response.chunks[0].after_s == 0.5
    assert 0.1 <= response.chunks[1].after_s <= 0.2


def test_rules_serve_as_a_test_s_own() -> None:
    """Criteria with patterns, and one step after another."""
    toy = load(FULL)
    assert text_of(toy.handle_now(ask("The capital of France?"))) == "Paris"
    told = [toy.handle_now(ask("weather", stream=4 < n < 11)) for n in range(12)]
    assert [response.status for response in told[:3]] == [429, 429, 200]
    assert dict(told[0].headers)["retry-after"] == "2"
    assert json.loads(told[2].body)["choices"][0]["calls"] == [["weather", {"city": "Oslo"}]]
    assert json.loads(told[3].body)["choices"][0]["stop"] == "length"
    assert text_of(told[4]) == '{"degrees": 21}'
    assert [len(told[5].chunks), told[5].ending] == [2, Ending.CUT]
    assert told[6].ending is Ending.STALLED
    assert [told[7].status, told[7].ending] == [0, Ending.RESET]
    assert told[8].chunks[0].data == b'data: {"word\n\n'
    assert told[9].chunks[1].data.startswith(b"event: error")
    assert told[10].before_s == 4
    assert text_of(told[11])


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        ({"ruels": []}, "scenario.toml: unknown key 'ruels'. Did you mean 'rules'?"),
        ({"rules": {}}, "scenario.toml: rules is {}; expected a list"),
        ({"rules": [{"sya": "a"}]}, "rules[0]: unknown key 'sya'. Did you mean 'say'?"),
        ({"rules": [{"when": {"modle": "x"}, "say": "a"}]}, "Did you mean 'model'?"),
        ({"rules": [{"when": {"predicate": "x"}, "say": "a"}]}, "unknown key 'predicate'"),
        ({"rules": [{"when": {"vendor": "opnai"}, "say": "a"}]}, "Did you mean 'openai'?"),
        ({"rules": [{"when": {"text": {"pattern": "("}}, "say": "a"}]}, "rules[0].when: "),
        ({"rules": [{"when": "x", "say": "a"}]}, "rules[0].when is 'x'; expected a table"),
        ({"rules": ["a"]}, "rules[0] is 'a'; expected a table"),
        ({"rules": [{}]}, "rules[0] says nothing; expected one of:"),
        ({"rules": [{"times": 2}]}, "says nothing"),
        ({"rules": [{"steps": []}]}, "rules[0].steps is []; expected a list of steps"),
        ({"rules": [{"steps": [{"say": "a"}], "say": "b"}]}, "put these into a step"),
        ({"rules": [{"steps": [{"say": "a"}, {"dta": 1}]}]}, "rules[0].steps[1]: unknown key"),
        ({"rules": [{"say": 3}]}, "rules[0].say: 3 is no text; data = ... is for data."),
        ({"rules": [{"say": "a", "stop": "lenght"}]}, "Did you mean 'length'?"),
        ({"rules": [{"say": "a", "usage": {"tokens": 1}}]}, "rules[0].say: TypeError"),
        ({"rules": [{"say": "a", "data": {}}]}, "rules[0].data: "),
        ({"rules": [{"fail": 200}]}, "rules[0].fail: `fail` of rule 0"),
        ({"rules": [{"call": {"arguments": {}}}]}, "names no tool"),
        ({"rules": [{"call": {"tool": "a", "args": {}}}]}, "Did you mean 'arguments'?"),
        ({"rules": [{"cut": "yes"}]}, "expected true, or after how many events"),
        ({"rules": [{"cut": False}]}, "expected true, or after how many events"),
        ({"rules": [{"auto": 1}]}, "expected true, or the key left out"),
        ({"rules": [{"error_event": {"after": 1}}]}, "rules[0].error_event: KeyError"),
        ({"rules": [{"slow": {"befor_s": 1}}]}, "Did you mean 'before_s'?"),
        ({"rules": [{"slow": {"before_s": "1"}}]}, "expected seconds"),
        ({"rules": [{"slow": {"before_s": True}}]}, "expected seconds"),
        ({"rules": [{"say": "a", "times": 0}]}, "rules[0].times: `times` of rule 0"),
        ({"latency": {"first_token_s": {"low": 2, "high": 1}}}, "0 <= low <= high"),
        ({"account": {"key": "a"}}, "Did you mean 'keys'?"),
        (["a"], "scenario.toml is ['a']; expected a table"),
    ],
)
def test_a_mistake_is_told_with_its_place(scenario: Any, says: str) -> None:
    """And with the closest key or word that there is."""
    with pytest.raises(MisuseError, match=re.escape(says)):
        load(scenario)
