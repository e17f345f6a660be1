import re
from pathlib import Path

import pytest

from tierwise.config import parse_config
from tierwise.domain import Capability, Level, Mode
from tierwise.errors import ConfigError

ROOT = Path("/project")


def refused(values: object) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(values, ROOT)
    return str(caught.value)


def with_tier(**values: object) -> dict[str, object]:
    return {"tiers": {"unit": values}}


def test_no_table_changes_nothing() -> None:
    """Without a table the mode is report, the order stays as defined and there are no tiers."""
    config = parse_config(None, ROOT)
    assert (config.declared, config.mode, config.order) == (False, Mode.REPORT, "defined")
    assert config.tiers == ()


def test_an_empty_table_enforces_the_usual_tiers_in_random_order() -> None:
    """An empty table enforces, shuffles and knows the five usual folders."""
    config = parse_config({}, ROOT)
    assert (config.declared, config.mode, config.order) == (True, Mode.ENFORCE, "random")
    assert [tier.paths for tier in config.tiers] == [
        ("tests/unit",),
        ("tests/integration",),
        ("tests/e2e",),
        ("tests/live",),
        ("tests/evals",),
    ]


def test_default_tiers_keep_costly_capabilities_out_of_the_default_run() -> None:
    """A default tier that allows the network or a model is deliberate, and only such a one is."""
    for tier in parse_config({}, ROOT).tiers:
        capabilities = {allowance.capability for allowance in tier.allow}
        costly = bool(capabilities & {Capability.NETWORK, Capability.MODEL})
        assert tier.deliberate == costly, tier.name


def test_the_default_unit_tier_allows_nothing() -> None:
    """The default unit tier does no I/O at all, not even temporary files."""
    assert parse_config({}, ROOT).tiers[0].allow == ()


def test_enforce_from_the_command_line_stands_in_for_an_empty_table() -> None:
    """Asked to enforce, a project without a table gets the default tiers."""
    config = parse_config(None, ROOT, mode=Mode.ENFORCE)
    assert not config.declared
    assert config.order == "random"
    assert config.tiers[0].name == "unit"


def test_report_mode_keeps_the_order_unless_told() -> None:
    """Report mode defaults to the defined order, and an order that is written down wins."""
    assert parse_config({"mode": "report"}, ROOT).order == "defined"
    assert parse_config({"mode": "report", "order": "random"}, ROOT).order == "random"


def test_the_command_line_mode_wins_and_the_order_follows() -> None:
    """Enforce in the file and report on the command line give report in defined order."""
    config = parse_config({"mode": "enforce"}, ROOT, mode=Mode.REPORT)
    assert (config.mode, config.order) == (Mode.REPORT, "defined")


def test_everything_written_is_read() -> None:
    """Each documented key arrives in the Config."""
    config = parse_config(
        {
            "strict": True,
            "order": "defined",
            "packages": ["src/omnia"],
            "floors": {"python": "3.11"},
            "tiers": {
                "slow": {
                    "question": "Why?",
                    "level": "component",
                    "paths": ["./tests/slow/", "packages/*/tests"],
                    "allow": ["tmp", "network:api.example.com:443"],
                    "deliberate": True,
                }
            },
            "evals": {
                "provider": "local",
                "concurrency": 2,
                "timeout_s": 7,
                "call_timeout_s": 2,
                "retries": 0,
                "cache": True,
                "max_usd": 0.5,
                "max_tokens": 1000,
                "max_calls": 10,
                "max_seconds": 60,
                "prices": {"small": {"input": 1}},
            },
        },
        ROOT,
    )
    (tier,) = config.tiers
    assert (config.strict, config.order, config.packages) == (True, "defined", ("src/omnia",))
    assert config.floors == {"python": "3.11"}
    assert (tier.level, tier.question) == (Level.COMPONENT, "Why?")
    assert tier.paths == ("tests/slow", "packages/*/tests")
    assert [str(entry) for entry in tier.allow] == ["tmp", "network:api.example.com:443"]
    assert tier.deliberate
    assert config.evals.provider == "local"
    assert (config.evals.concurrency, config.evals.timeout_s) == (2, 7.0)
    assert (config.evals.call_timeout_s, config.evals.retries, config.evals.cache) == (
        2.0,
        0,
        True,
    )
    assert (config.evals.max_usd, config.evals.max_tokens) == (0.5, 1000)
    assert (config.evals.max_calls, config.evals.max_seconds) == (10, 60.0)
    assert config.evals.prices == {"small": {"input": 1}}


def test_a_tier_named_like_a_level_needs_no_more() -> None:
    """Level and folder follow the tier's name where they can."""
    (tier,) = parse_config(with_tier(), ROOT).tiers
    assert (tier.level, tier.paths, tier.allow) == (Level.UNIT, ("tests/unit",), ())


@pytest.mark.parametrize(
    ("values", "section", "found", "expected"),
    [
        ({"ordr": "random"}, "tool.tierwise", "'ordr'", "Did you mean 'order'?"),
        ({"order": "randm"}, "tool.tierwise", "'randm'", "Did you mean 'random'?"),
        ({"mode": "enforced"}, "tool.tierwise", "'enforced'", "Did you mean 'enforce'?"),
        ({"strict": "yes"}, "tool.tierwise", "'yes'", "true or false"),
        ({"packages": "src"}, "tool.tierwise", "is a string", 'packages = ["src"]'),
        ({"packages": [1]}, "tool.tierwise", "holds 1", "only strings"),
        ({"packages": 1}, "tool.tierwise", "is 1", "a list of strings"),
        ({"tiers": []}, "tool.tierwise", "tiers is []", "a table [tool.tierwise.tiers]"),
        ({"tiers": {"unit": 3}}, "tool.tierwise.tiers", "unit is 3", "a table"),
        (with_tier(path=["x"]), "tool.tierwise.tiers.unit", "'path'", "Did you mean 'paths'?"),
        (with_tier(level="unt"), "tool.tierwise.tiers.unit", "'unt'", "Did you mean 'unit'?"),
        (with_tier(allow=["tpm"]), "tool.tierwise.tiers.unit", "'tpm'", "Did you mean 'tmp'?"),
        (with_tier(question=1), "tool.tierwise.tiers.unit", "question is 1", "a string"),
        (with_tier(paths=["../x"]), "tool.tierwise.tiers.unit", "'../x'", "below the project"),
        (with_tier(paths=["/x"]), "tool.tierwise.tiers.unit", "'/x'", "below the project"),
        (with_tier(paths=["C:\\x"]), "tool.tierwise.tiers.unit", "C:", "below the project"),
        (with_tier(paths=["."]), "tool.tierwise.tiers.unit", "'.'", "below the project"),
        ({"tiers": {"fast": {}}}, "tool.tierwise.tiers.fast", "level is missing", "component"),
        ({"floors": {"python": "new"}}, "tool.tierwise.floors", "'new'", "'3.11'"),
        ({"floors": {"python": 3.11}}, "tool.tierwise.floors", "is 3.11", "a string"),
        ({"evals": {"trials": 3}}, "tool.tierwise.evals", "'trials'", "concurrency, max_calls"),
        ({"evals": {"max_us": 3}}, "tool.tierwise.evals", "'max_us'", "Did you mean 'max_usd'?"),
        ({"evals": {"max_usd": 0}}, "tool.tierwise.evals", "max_usd is 0", "above 0"),
        ({"evals": {"max_tokens": 0}}, "tool.tierwise.evals", "max_tokens is 0", "1 or more"),
        ({"evals": {"max_calls": 1.5}}, "tool.tierwise.evals", "max_calls is 1.5", "1 or more"),
        ({"evals": {"max_seconds": -1}}, "tool.tierwise.evals", "max_seconds is -1", "above 0"),
        ({"evals": {"retries": -1}}, "tool.tierwise.evals", "retries is -1", "0 or more"),
        ({"evals": {"call_timeout_s": 0}}, "tool.tierwise.evals", "is 0", "above 0"),
        ({"evals": {"cache": "no"}}, "tool.tierwise.evals", "cache is 'no'", "true or false"),
        ({"evals": {"prices": 3}}, "tool.tierwise.evals", "prices is 3", "evals.prices]"),
        ({"evals": {"concurrency": 0}}, "tool.tierwise.evals", "is 0", "1 or more"),
        ({"evals": {"concurrency": True}}, "tool.tierwise.evals", "is true", "whole number"),
        ({"evals": {"timeout_s": 0}}, "tool.tierwise.evals", "is 0", "above 0"),
        ({"evals": {"timeout_s": float("inf")}}, "tool.tierwise.evals", "is inf", "above 0"),
        ({"evals": {"timeout_s": True}}, "tool.tierwise.evals", "is true", "above 0"),
    ],
)
def test_a_value_that_is_not_understood_is_refused(
    values: object, section: str, found: str, expected: str
) -> None:
    """The error names the section, the value, and what would be right."""
    message = refused(values)
    assert message.startswith(f"TW-CONFIG  pyproject.toml, [{section}]")
    assert found in message
    assert expected in message


@pytest.mark.parametrize(
    ("name", "hint"),
    [("my-tier", "'my_tier'"), ("and", "'and_tier'"), ("1st", "'1st_tier'")],
)
def test_a_tier_name_must_be_able_to_be_a_marker(name: str, hint: str) -> None:
    """A name that -m could not read is refused, with a name that it could."""
    message = refused({"tiers": {name: {"level": "unit"}}})
    assert f"the tier name {name!r} cannot be a marker" in message
    assert hint in message or name == "1st"


def test_a_tier_may_not_take_the_name_of_another_mark() -> None:
    """`skip` as a tier would skip each of its tests."""
    assert "'skip' is a mark already" in refused({"tiers": {"skip": {"level": "unit"}}})


@pytest.mark.parametrize("allowance", ["network", "model", "network:api.example.com:443"])
def test_a_tier_that_can_cost_money_has_to_be_deliberate(allowance: str) -> None:
    """Network or model in a tier of the default run is refused with the way out."""
    message = refused(with_tier(allow=["tmp", allowance]))
    assert f"allows '{allowance}'" in message
    assert "Add deliberate = true" in message


def test_two_tiers_with_one_path_are_refused() -> None:
    """The same pattern in two tiers can never be resolved, so loading says so."""
    message = refused(
        {"tiers": {"unit": {"paths": ["tests/x"]}, "e2e": {"paths": ["tests/x/", "tests/y"]}}}
    )
    assert re.search(r"'tests/x' is claimed by the tiers 'unit' and 'e2e'", message)
