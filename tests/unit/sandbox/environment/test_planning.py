from collections.abc import Mapping

import pytest

from tierwise.config import EnvironmentConfig
from tierwise.domain.fake_keys import FAKE_KEY, FAKE_KEYS, REMOVED_KEYS, REPLACED_KEYS
from tierwise.doubles.gateway.vendors import ENVIRONMENT, KEYS
from tierwise.sandbox.environment.planning import plan_changes, write_git_config

KEPT = EnvironmentConfig(fake_keys=False, proxies="kept", home="kept")


def plan(
    environ: Mapping[str, str],
    settings: EnvironmentConfig,
    *,
    there: tuple[str, ...] = (),
    windows: bool = False,
) -> dict[str, str | None]:
    return plan_changes(
        environ,
        settings,
        home="/tmp/h",  # noqa: S108  nothing is written there
        true_home="/home/me",
        exists=there.__contains__,
        windows=windows,
    )


def test_nothing_changes_where_all_is_kept() -> None:
    """Each switch is one of its own."""
    assert plan({"OPENAI_API_KEY": "sk-real", "HTTP_PROXY": "http://p"}, KEPT) == {}


def test_keys_without_which_a_client_cannot_be_made_are_there_and_fake() -> None:
    """A module that makes its client when it is imported can be imported on any machine."""
    settings = EnvironmentConfig(proxies="kept", home="kept")
    changes = plan({"OPENAI_API_KEY": "sk-real"}, settings)
    assert changes == FAKE_KEYS
    assert all(FAKE_KEY in str(key) for key in changes.values())
    assert {name for names in KEYS.values() for name in names} <= changes.keys()


def test_other_known_keys_are_replaced_or_taken_away_where_they_are_set() -> None:
    """Code that asks whether a key is set finds what it would find without it."""
    settings = EnvironmentConfig(proxies="kept", home="kept")
    real = dict.fromkeys((*REPLACED_KEYS, *REMOVED_KEYS, "DATABASE_PASSWORD"), "real")
    changes = plan(real, settings)
    assert {changes[name] for name in REPLACED_KEYS} == {FAKE_KEY}
    assert {changes[name] for name in REMOVED_KEYS} == {None}
    assert "DATABASE_PASSWORD" not in changes


def test_the_gateway_and_the_session_agree_on_fake_keys() -> None:
    """A client that was made before the fixture has the key that the fixture would give it."""
    shared = FAKE_KEYS.keys() & ENVIRONMENT.keys()
    assert len(shared) == 4
    assert all(FAKE_KEYS[name] == ENVIRONMENT[name] for name in shared)


@pytest.mark.parametrize("name", ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "no_proxy"])
def test_proxies_are_removed_where_they_are_set(name: str) -> None:
    """In both spellings: programs read either."""
    settings = EnvironmentConfig(fake_keys=False, home="kept")
    assert plan({name: "http://proxy:3128", "PATH": "/bin"}, settings) == {name: None}


def test_home_and_the_folders_of_xdg_are_temporary() -> None:
    """Nothing that a test reads or writes there is the developer's own."""
    settings = EnvironmentConfig(fake_keys=False, proxies="kept")
    assert plan({"HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/me"}, settings) == {
        "HOME": "/tmp/h",  # noqa: S108  nothing is written there
        "XDG_CONFIG_HOME": "/tmp/h/.config",  # noqa: S108
        "XDG_DATA_HOME": "/tmp/h/.local/share",  # noqa: S108
        "XDG_STATE_HOME": "/tmp/h/.local/state",  # noqa: S108
        "XDG_CACHE_HOME": "/tmp/h/.cache",  # noqa: S108
    }
    changes = plan({}, settings, windows=True)
    assert changes["USERPROFILE"] == "/tmp/h"  # noqa: S108
    assert changes["APPDATA"] == "/tmp/h/AppData/Roaming"  # noqa: S108


def test_downloads_below_the_true_home_stay_in_use() -> None:
    """A browser or a model that was downloaded once is found by its tool's own variable."""
    settings = EnvironmentConfig(fake_keys=False, proxies="kept")
    there = ("/home/me/.cache/ms-playwright", "/home/me/.cache/huggingface/hub", "/home/me/.cargo")
    changes = plan({}, settings, there=there)
    assert changes["PLAYWRIGHT_BROWSERS_PATH"] == there[0]
    assert changes["HF_HUB_CACHE"] == there[1]
    assert changes["CARGO_HOME"] == there[2]
    assert "RUSTUP_HOME" not in changes
    assert "HF_HOME" not in changes  # it has the token in it


def test_downloads_are_where_the_variables_of_the_developer_say() -> None:
    """What is set wins, and a cache folder elsewhere is looked into."""
    settings = EnvironmentConfig(fake_keys=False, proxies="kept")
    environ = {"XDG_CACHE_HOME": "/big", "PIP_CACHE_DIR": "/pip", "HF_HOME": "/hf"}
    changes = plan(environ, settings, there=("/big/pip", "/big/uv", "/hf/hub"))
    assert "PIP_CACHE_DIR" not in changes
    assert (changes["UV_CACHE_DIR"], changes["HF_HUB_CACHE"]) == ("/big/uv", "/hf/hub")


def test_what_is_to_be_kept_stays_as_it_is() -> None:
    """By name or by a pattern, whatever it is for."""
    settings = EnvironmentConfig(keep=("OPENAI_API_KEY", "XDG_*", "http*_proxy"))
    changes = plan({"http_proxy": "p", "https_proxy": "p", "HTTP_PROXY": "p"}, settings)
    assert not [name for name in changes if name.startswith("XDG_")]
    assert not {"OPENAI_API_KEY", "http_proxy", "https_proxy"} & changes.keys()
    assert {"ANTHROPIC_API_KEY", "HOME", "HTTP_PROXY"} <= changes.keys()


def test_git_knows_who_commits_and_may_read_the_project() -> None:
    """A path with a quote or a backslash breaks nothing."""
    text = write_git_config('C:\\my "work"')
    assert "name = tierwise" in text
    assert 'directory = "C:/my \\"work\\""' in text
