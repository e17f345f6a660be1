from pathlib import Path

import pytest

from tierwise.config import Config, EnvironmentConfig, ExitConfig, parse_config
from tierwise.errors import ConfigError


def parse(table: str, values: dict[str, object]) -> Config:
    return parse_config({table: values}, Path("/project"))


def test_without_a_table_tests_are_kept_from_keys_proxies_and_home() -> None:
    """What costs money or tells one machine from another is out of the way unless it is wanted."""
    config = parse_config({}, Path("/project"))
    assert config.environment == EnvironmentConfig(
        fake_keys=True, proxies="removed", home="temporary", keep=()
    )
    assert config.exit == ExitConfig(tell=True, patience_s=1.0)


def test_each_of_them_can_be_switched_off() -> None:
    """The table says what stays as it is."""
    said = {"fake_keys": False, "proxies": "kept", "home": "kept", "keep": ["AWS_*"]}
    assert parse("environment", said).environment == EnvironmentConfig(
        fake_keys=False, proxies="kept", home="kept", keep=("AWS_*",)
    )
    assert parse("exit", {"tell": False, "patience_s": 5}).exit == ExitConfig(
        tell=False, patience_s=5.0
    )


@pytest.mark.parametrize(
    ("table", "values", "complaint"),
    [
        ("environment", {"fake_key": True}, "no key 'fake_key'. Did you mean 'fake_keys'?"),
        ("environment", {"home": "temp"}, "home is 'temp'. Did you mean 'temporary'?"),
        ("environment", {"proxies": "remove"}, "Did you mean 'removed'?"),
        ("environment", {"keep": "HOME"}, 'keep = ["HOME"]'),
        ("environment", {"keep": ["A=secret-value"]}, "keep holds 'A', expected names"),
        ("environment", {"keep": [" "]}, "expected names"),
        ("environment", {"keep": ["~/.cache/x"]}, "which is a path"),
        ("exit", {"patience": 1}, "Did you mean 'patience_s'?"),
        ("exit", {"patience_s": 0}, "expected a number above 0"),
    ],
)
def test_what_is_not_understood_is_refused(
    table: str, values: dict[str, object], complaint: str
) -> None:
    """With the place, and the closest that would be."""
    with pytest.raises(ConfigError) as refused:
        parse(table, values)
    assert f"[tool.tierwise.{table}]" in str(refused.value)
    assert complaint in str(refused.value)
    assert "secret-value" not in str(refused.value)
