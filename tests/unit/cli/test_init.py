import tomllib
from pathlib import Path

import pytest

from tierwise.cli.init import check_appended, find_tiers, join, write_table
from tierwise.config import default_tiers, parse_config
from tierwise.domain import Capability, Level, Mode
from tierwise.errors import ConfigError


def test_a_flat_test_folder_becomes_one_unit_tier() -> None:
    """Where no folder has a known name, the whole test folder is one tier with tmp allowed."""
    tier, _ = find_tiers(["tests", "tests/foo"])
    assert (tier.name, tier.paths) == ("unit", ("tests",))
    assert [each.capability for each in tier.allow] == [Capability.TMP]


def test_without_any_folder_the_usual_unit_tier_is_written() -> None:
    """A fresh project gets the tier that its first tests should live in."""
    tier, _ = find_tiers([])
    assert (tier.name, tier.paths, tier.allow) == ("unit", ("tests/unit",), ())


@pytest.mark.parametrize(
    ("folders", "place"),
    [
        ([], "tests/evals"),
        (["tests", "tests/unit"], "tests/evals"),
        (["test", "test/foo"], "test/evals"),
        (["tests", "tests/evals"], "tests/evals"),
    ],
)
def test_there_is_always_a_deliberate_tier_for_evals(folders: list[str], place: str) -> None:
    """The first eval finds its place, and a bare pytest leaves it alone."""
    tiers = find_tiers(folders)
    assert [tier.name for tier in tiers] == ["unit", "evals"][-len(tiers) :]
    assert (tiers[-1].paths, tiers[-1].deliberate) == ((place,), True)


def test_every_level_s_folder_is_known() -> None:
    """Each of the twelve levels has a tier when its folder is there."""
    tiers = find_tiers([f"tests/{level}" for level in Level])
    assert {tier.level for tier in tiers} == set(Level)


@pytest.mark.parametrize("mode", [Mode.ENFORCE, Mode.REPORT])
def test_the_written_table_reads_back(mode: Mode) -> None:
    """What is written is valid and says what it was written from."""
    table = write_table(default_tiers(), ["src/a"], mode)
    config = parse_config(tomllib.loads(table)["tool"]["tierwise"], Path("/p"))
    assert (config.tiers, config.packages, config.mode) == (default_tiers(), ("src/a",), mode)


def test_a_table_is_joined_with_one_blank_line() -> None:
    """Trailing blank lines do not pile up."""
    assert join("a = 1\n\n\n", "[t]\n") == "a = 1\n\n[t]\n"
    assert join("", "[t]\n") == "[t]\n"


def test_a_result_that_does_not_read_is_refused() -> None:
    """The check comes before the file is written."""
    with pytest.raises(ConfigError, match="would not be valid TOML"):
        check_appended("tool = {}", "[tool.tierwise]\n", Path("/p"))
