"""Scenario files: TOML and YAML, read into the same rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import MisuseError
from tierwise.gateway import Gateway, load_scenario

if TYPE_CHECKING:
    from pathlib import Path

TOML = """
seed = 3

[[rules]]
when = { last_user = "capital" }
steps = [{ fail = 503, times = 2 }, { say = "Paris" }]
"""
YAML = """
seed: 3
rules:
  - when: {last_user: capital}
    steps:
      - {fail: 503, times: 2}
      - {say: Paris}
"""


@pytest.mark.parametrize(("name", "text"), [("a.toml", TOML), ("a.yaml", YAML), ("a.yml", YAML)])
def test_both_kinds_of_file_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    """Settings and rules; a gateway that is there already takes them too."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    for gateway in (load_scenario(file), Gateway().load(str(file))):
        assert gateway.seed == 3
        assert gateway.finish() == (
            (
                "rule 0, when(last_user='capital') served 0 request(s); expected 3. Mark it "
                "optional=True if it need not be used."
            ),
        )


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.toml", "rules = [", "a.toml is no TOML: "),
        ("a.yaml", "rules: [", "a.yaml is no YAML: "),
        ("a.yaml", "- a", "a.yaml is ['a']; expected a table"),
        ("a.yaml", "rules: " + "[" * 3000 + "]" * 3000, "a.yaml is nested too deeply"),
        (
            "a.yaml",
            "rules:\n- say: a\n  say: b\n",
            "a.yaml has the key 'say' twice in one table, in lines 2 and 3",
        ),
        ("a.toml", "[[rules]]\nfail = 'x'", "a.toml: rules[0].fail: `fail` of rule 0"),
        ("a.toml", "[[rules]]\nfail = 'x'", "has status 'x'; expected a number from 400 to 599"),
        (
            "a.toml",
            "[[rules]]\nfail = 429\nretry_after_s = -3",
            "has retry_after_s -3; expected seconds, 0 or more",
        ),
        ("a.json", "{}", "ends in '.json'; expected .toml or .yaml"),
        ("a.toml", "[[rules]]\nsya = 'a'", "a.toml: rules[0]: unknown key 'sya'."),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    """With what is wrong in it."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(MisuseError, match=re.escape(says)):
        load_scenario(tmp_path / name)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With the system's reason."""
    with pytest.raises(MisuseError, match=re.escape("nowhere.toml cannot be read: No such file")):
        load_scenario(tmp_path / "nowhere.toml")
