"""What a session's tests see of the environment, seen in the environment itself."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tierwise.doubles.gateway.vendors import find_keys

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

SEE = """
    import os
    from pathlib import Path
    KEY = os.environ.get("OPENAI_API_KEY")  # as a client that is made when it is imported
    HOME, PROXY = Path.home(), os.environ.get("HTTPS_PROXY")
    def see(name):
        Path(os.environ["TW_SEEN"], name).write_text("\\n".join(map(str, (
            KEY, os.environ.get("OPENAI_API_KEY"), PROXY, os.environ.get("HTTPS_PROXY"),
            HOME, os.path.expanduser("~"), os.environ.get("XDG_CACHE_HOME"),
        ))))
"""
TIERS = """
    [tool.tierwise.tiers.unit]
    allow = ["write"]
    [tool.tierwise.tiers.live]
    level = "contract"
    allow = ["write", "network"]
    deliberate = true
    [tool.tierwise.tiers.slow]
    level = "chaos"
    allow = ["write"]
    deliberate = true
"""
FILES = {
    "src/seeing.py": SEE,
    "tests/unit/test_u.py": "import seeing\ndef test_u(): seeing.see('unit')\n",
    "tests/live/test_l.py": "import seeing\ndef test_l(): seeing.see('live')\n",
    "tests/slow/test_s.py": """
        import pytest, seeing
        def test_s(): seeing.see('slow')
        @pytest.mark.allow("network", reason="the one that asks")
        def test_far(): seeing.see('far')
    """,
}
OPTIONS = 'pythonpath = ["src"]'
REAL = "sk-real-key-of-a-developer-0123456789"


@pytest.fixture
def seen(project: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the project, and give its developer a key, a proxy and a home."""
    project(FILES, TIERS, OPTIONS)
    home = pytester.path / "home of the developer"
    (home / ".cache" / "ms-playwright").mkdir(parents=True)
    for name, value in {
        "TW_SEEN": str(pytester.path),
        "OPENAI_API_KEY": REAL,
        "HTTPS_PROXY": "http://proxy.example:3128",
        "HOME": str(home),
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("XDG_CACHE_HOME", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.delenv(name, raising=False)
    return pytester.path


def everything() -> dict[str, str]:
    # A session inside takes this one with it.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def read(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text().splitlines()


def sees_the_real_world(folder: Path, name: str) -> bool:
    lines = read(folder, name)
    real = (REAL, "http://proxy.example:3128", str(folder / "home of the developer"))
    is_real = (lines[1] == REAL, lines[3] == real[1], lines[5] == real[2], lines[6] == "None")
    assert len(set(is_real)) == 1, lines
    return is_real[0]


def test_a_test_without_the_network_sees_neither_keys_nor_proxies_nor_home(
    seen: Path, run: Run
) -> None:
    """From before the first import until the session ends, when all is put back."""
    before = everything()
    run("--import-mode=importlib").assert_outcomes(passed=1)
    key, later_key, proxy, later_proxy, home, later_home, cache = read(seen, "unit")
    assert key == later_key
    assert find_keys({"OPENAI_API_KEY": key}) == {}
    assert (proxy, later_proxy) == ("None", "None")
    assert home == later_home != str(seen / "home of the developer")
    assert cache == f"{home}/.cache"
    assert not Path(home).exists()
    assert everything() == before


def test_the_temporary_home_holds_what_git_asks_for_and_downloads_stay(
    project: Project, run: Run, seen: Path
) -> None:
    """A commit in a test works on every machine, and a browser is not downloaded again."""
    project(
        {
            "tests/unit/test_u.py": """
                import os
                from pathlib import Path
                def test_it():
                    assert "tierwise.invalid" in (Path.home() / ".gitconfig").read_text()
                    assert os.environ["PLAYWRIGHT_BROWSERS_PATH"].endswith("ms-playwright")
            """
        },
        TIERS.replace('"write"', '"write", "tmp"'),
        OPTIONS,
    )
    run().assert_outcomes(passed=1)


def test_temporary_files_of_pytest_stay_where_they_were(project: Project, run: Run) -> None:
    """Only the home moves."""
    project(
        {
            "tests/unit/test_u.py": """
                import tempfile
                from pathlib import Path
                def test_it(tmp_path):
                    assert Path.home() not in tmp_path.parents
                    assert Path.home() not in Path(tempfile.mkdtemp()).parents
            """
        },
        '[tool.tierwise.tiers.unit]\nallow = ["tmp"]\n',
    )
    run().assert_outcomes(passed=1)


def test_a_tier_with_the_network_keeps_the_true_environment(seen: Path, run: Run) -> None:
    """Its tests are there to meet the real world, and its modules are imported in it."""
    run("--tier", "live").assert_outcomes(passed=1)
    assert sees_the_real_world(seen, "live")
    assert read(seen, "live")[0] == REAL


def test_a_session_of_both_kinds_gives_each_test_its_own(seen: Path, run: Run) -> None:
    """Whatever the order; a mark counts as much as a tier."""
    before = everything()
    for seed in ("1", "2"):
        order = ("--order-seed", seed)
        run("--tier", "live", "--tier", "unit", "--tier", "slow", *order).assert_outcomes(passed=4)
        kinds = {name: sees_the_real_world(seen, name) for name in ("live", "unit", "slow", "far")}
        assert kinds == {"live": True, "unit": False, "slow": False, "far": True}
        assert everything() == before


def test_a_mark_gives_one_test_of_a_tier_without_the_network_its_true_environment(
    seen: Path, run: Run
) -> None:
    """Modules are imported without the keys, since most tests of the tier must not have them."""
    run("--tier", "slow").assert_outcomes(passed=2)
    assert sees_the_real_world(seen, "far")
    assert not sees_the_real_world(seen, "slow")
    assert read(seen, "far")[0] != REAL


@pytest.mark.parametrize(
    ("arguments", "n_tests"),
    [
        (("--tierwise-mode", "report"), 1),
        (("--tierwise-mode", "off"), 4),
        (("--tierwise-record",), 1),
    ],
)
def test_nothing_is_changed_where_nothing_is_enforced_or_vendors_are_recorded(
    seen: Path, run: Run, arguments: tuple[str, ...], n_tests: int
) -> None:
    """Report changes nothing, and a recording needs the key."""
    run(*arguments).assert_outcomes(passed=n_tests)
    assert sees_the_real_world(seen, "unit")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("fake_keys = false", {1}),
        ('proxies = "kept"', {3}),
        ('home = "kept"', {5, 6}),
        ('keep = ["OPENAI_API_KEY", "HTTPS_PROXY"]', {1, 3}),
        ('fake_keys = false\nproxies = "kept"\nhome = "kept"', {1, 3, 5, 6}),
    ],
)
def test_each_change_can_be_switched_off(  # noqa: PLR0917  pytest passes them by name
    project: Project, run: Run, seen: Path, said: str, kept: set[int]
) -> None:
    """In the table, for all tests."""
    project(FILES, f"{TIERS}\n    [tool.tierwise.environment]\n{said}", OPTIONS)
    run().assert_outcomes(passed=1)
    lines = read(seen, "unit")
    home = str(seen / "home of the developer")
    real = {1: REAL, 3: "http://proxy.example:3128", 5: home, 6: "None"}
    assert {place for place, value in real.items() if lines[place] == value} == kept


def test_each_worker_has_a_home_of_its_own(
    project: Project, seen: Path, run_apart: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one test writes there is not read by another at the same time."""
    project(
        {
            f"tests/unit/test_{name}.py": f"""
                import os, pytest
                from pathlib import Path
                @pytest.mark.parametrize("n", range(4))
                def test_it(n):
                    worker = os.environ["PYTEST_XDIST_WORKER"]
                    Path(os.environ["TW_SEEN"], f"{{worker}} {name} {{n}}").write_text(
                        f"{{Path.home()}}\\n{{os.environ['OPENAI_API_KEY']}}"
                    )
            """
            for name in "uv"
        },
        TIERS,
        OPTIONS,
    )
    run_apart("-p", "xdist", "-n", "2", "--dist", "load").assert_outcomes(passed=8)
    homes: dict[str, set[str]] = {}
    for path in seen.glob("gw*"):
        home, key = path.read_text().splitlines()
        assert key != REAL
        homes.setdefault(path.name[:3], set()).add(home)
    assert all(len(own) == 1 for own in homes.values())
    assert len(set.union(*homes.values())) == len(homes) == 2
    assert not any(Path(home).exists() for own in homes.values() for home in own)


def test_a_forked_child_leaves_the_home_to_its_parent(project: Project, run: Run) -> None:
    """Whoever made it removes it."""
    project(
        {
            "tests/unit/test_u.py": """
                import os
                from pathlib import Path
                def test_it(request):
                    child = os.fork()
                    if child == 0:
                        try:
                            request.config._cleanup_stack.close()
                        finally:
                            os._exit(0)
                    os.waitpid(child, 0)
                    assert (Path.home() / ".gitconfig").exists()
            """
        },
        '[tool.tierwise.tiers.unit]\nallow = ["subprocess", "tmp", "write"]\n',
    )
    run().assert_outcomes(passed=1)


@pytest.mark.parametrize("tiers", [("unit",), ("live", "unit")])
def test_a_real_key_is_masked_although_the_tests_see_another(  # noqa: PLR0917  fixtures
    project: Project,
    pytester: pytest.Pytester,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tiers: tuple[str, ...],
) -> None:
    """A plugin or a live test may have read it; the records do not hold it, whoever ran last."""
    monkeypatch.setenv("MISTRAL_API_KEY", "a-key-without-a-shape")
    test_a = "def test_a(): raise ValueError('a-key-without-a-shape')"
    files = {f"tests/{tiers[0]}/test_a.py": test_a, "tests/unit/test_b.py": "def test_b(): pass"}
    project(files, f'order = "defined"\n{TIERS}')
    run(*(word for tier in tiers for word in ("--tier", tier))).assert_outcomes(failed=1, passed=1)
    kept = [path.read_bytes() for path in (pytester.path / ".tierwise").iterdir()]
    assert any(b"test_a" in content for content in kept)
    assert not any(b"a-key-without-a-shape" in content for content in kept)
