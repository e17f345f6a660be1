import json
import subprocess
import sys

import pytest

LISTING = """
import json, sys, pytest
class Probe:
    def pytest_sessionstart(self):
        print("MODULES " + json.dumps(sorted(sys.modules)))
pytest.main([*sys.argv[1:], "--collect-only", "-q"], plugins=[Probe()])
"""
LISTING_AT_THE_END = """
import json, sys, pytest
pytest.main([*sys.argv[1:], "-q"])
print("MODULES " + json.dumps(sorted(sys.modules)))
"""
OF_EVALS = (
    "tierwise.domain.events",
    "tierwise.domain.exchange",
    "tierwise.domain.judgement",
    "tierwise.domain.provenance",
    "tierwise.records.batching",
    "tierwise.records.decoding",
    "tierwise.records.rows",
    "tierwise.records.trial_reading",
)
HEAVY = (
    *OF_EVALS,
    "tierwise.doubles",
    "tierwise.gateway",
    "tierwise.evals",
    "tierwise.providers",
    "tierwise.records",
    "tierwise.report",
    "tierwise.contracts",
    "tierwise.leaks",
    "tierwise.stats",
    "tierwise.cli",
    "pydantic",
    "rich",
    "scipy",
    "click",
    "asyncio",
    "xllamacpp",
)
# What the plugin may load beyond itself. Whoever adds a line makes every suite start later.
STANDARD_LIBRARY = frozenset(
    {
        "_blake2",
        "_contextvars",
        "_sqlite3",
        "contextvars",
        "ipaddress",  # pathlib loads these two itself before 3.13
        "sqlite3",
        "sysconfig",
        "tomllib",
        "urllib",
    }
)


def modules_loaded(*arguments: str, cwd: str, listing: str = LISTING) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", listing, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("MODULES ")]
    return set(json.loads(line.removeprefix("MODULES ")))


@pytest.mark.parametrize("table", ["", "[tool.tierwise]\n"])
def test_the_plugin_loads_nothing_heavy(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """A project that wants tiers pays for tiers: this is the list of what is loaded at start."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyprojecttoml(table)
    cwd = str(pytester.path)
    loaded = modules_loaded("-p", "tierwise.pytest_plugin", cwd=cwd) - modules_loaded(cwd=cwd)
    assert not [name for name in loaded if name.startswith(HEAVY)]
    rooms = {".".join(name.split(".")[:2]) for name in loaded if name.startswith("tierwise.")}
    assert rooms == {
        "tierwise.config",
        "tierwise.domain",
        "tierwise.errors",
        "tierwise.pytest_plugin",
        "tierwise.sandbox",
    }
    others = {name.split(".")[0] for name in loaded if "sysconfigdata" not in name} - {"tierwise"}
    assert others <= STANDARD_LIBRARY, sorted(others - STANDARD_LIBRARY)


def test_a_session_of_tests_that_is_recorded_loads_nothing_of_evals(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing results down takes no more than what is written."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyprojecttoml("[tool.tierwise]\n")
    pytester.makepyfile(test_it="def test_it(): pass")
    arguments = ("-p", "tierwise.pytest_plugin")
    loaded = modules_loaded(*arguments, cwd=str(pytester.path), listing=LISTING_AT_THE_END)
    assert "tierwise.records.store" in loaded
    assert not [name for name in loaded if name.startswith((*OF_EVALS, "tierwise.evals"))]
