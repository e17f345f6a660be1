import re
from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

MODULE = """
    class TestA:
        def test_1(self): pass
        def test_2(self): pass
        def test_3(self): pass
    class TestB:
        def test_1(self): pass
        def test_2(self): pass
    def test_x(): pass
    def test_y(): pass
    def test_z(): pass
"""
SUITE = {f"tests/unit/test_{name}.py": MODULE for name in "abcd"}


def order_of(result: pytest.RunResult) -> list[str]:
    """Return the node ids in the order in which they ran (`-v`)."""
    lines = [re.match(r"(?:\[gw\d\].* )?(tests/\S+::\S+)", line) for line in result.outlines]
    return [line[1] for line in lines if line]


def seed_of(result: pytest.RunResult) -> str:
    (seed,) = re.findall(r"--order-seed (\d+)", result.stdout.str())
    return seed


def is_grouped(names: list[str]) -> bool:
    """Is each name's run of entries without gaps?"""
    runs = [name for n, name in enumerate(names) if n == 0 or names[n - 1] != name]
    return len(runs) == len(set(runs))


def test_the_order_is_random_and_a_seed_repeats_it(project: Project, run: Run) -> None:
    """Three seeds give three orders, none as defined, and each seed gives its order again."""
    project(SUITE)
    defined = order_of(run("-v", "--tierwise-mode", "off"))
    orders = {seed: order_of(run("-v", "--order-seed", seed)) for seed in ("1", "2", "3")}
    assert all(sorted(order) == sorted(defined) for order in orders.values())
    assert len({tuple(order) for order in [defined, *orders.values()]}) == 4
    assert order_of(run("-v", "--order-seed", "2")) == orders["2"]


def test_modules_classes_and_functions_are_shuffled_within_themselves(
    project: Project, run: Run
) -> None:
    """At each of the three levels some seed changes the order, and groups stay together."""
    project(SUITE)
    orders = [order_of(run("-v", "--order-seed", str(seed))) for seed in range(8)]
    for order in orders:
        assert is_grouped([nodeid.split("::")[0] for nodeid in order])
        assert is_grouped([nodeid.rpartition("::")[0] for nodeid in order])
    modules = {tuple(dict.fromkeys(n.split("::")[0] for n in order)) for order in orders}
    classes = {
        tuple(dict.fromkeys(n.split("::")[1] for n in order if "test_a.py::Test" in n))
        for order in orders
    }
    functions = {tuple(n for n in order if "test_a.py::TestA" in n) for order in orders}
    assert min(len(modules), len(classes), len(functions)) > 1


def test_the_seed_is_printed_at_head_and_foot(project: Project, run: Run) -> None:
    """A seed that was drawn can be read before and after the run, and it repeats the order."""
    project(SUITE)
    result = run("-v")
    seed = seed_of(result)
    result.stdout.fnmatch_lines([f"tierwise: *order seed {seed}", f"random order; *{seed}"])
    assert order_of(run("-v", "--order-seed", seed)) == order_of(result)


def test_two_runs_draw_two_seeds(project: Project, run: Run) -> None:
    """The order is not random once and for all."""
    project(SUITE)
    assert len({seed_of(run()) for _ in range(3)}) > 1


def test_the_last_seed_comes_from_the_run_store(project: Project, run: Run) -> None:
    """`--order-seed last` repeats the order of the run before."""
    project(SUITE)
    before = run("-v")
    assert order_of(run("-v", "--order-seed", "last")) == order_of(before)


def test_without_a_run_there_is_no_last_seed(project: Project, run: Run) -> None:
    """Asking for the last seed of nothing is refused with the way out, and makes no store."""
    pytester = project(SUITE)
    result = run("--order-seed", "last")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no run with a random order is recorded*Run the suite once*"])
    assert not (pytester.path / ".tierwise").exists()


def test_a_seed_that_is_no_number_is_refused(project: Project, run: Run) -> None:
    """A misspelt seed is a usage error."""
    project(SUITE)
    result = run("--order-seed", "lats")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*'lats' is no seed; expected a whole number or 'last'*"])


def test_the_defined_order_can_be_asked_for(project: Project, run: Run) -> None:
    """`order = "defined"` leaves the order alone, unless a seed is given."""
    project(SUITE, table='order = "defined"')
    defined = order_of(run("-v", "--tierwise-mode", "off"))
    assert order_of(run("-v")) == defined
    assert order_of(run("-v", "--order-seed", "1")) != defined


def test_a_selection_keeps_the_order_of_the_whole(project: Project, run: Run) -> None:
    """Under one seed a subset runs in the order that it has in the whole suite."""
    project(SUITE)
    whole = order_of(run("-v", "--order-seed", "7"))
    part = order_of(run("-v", "--order-seed", "7", "-k", "test_1 or test_y"))
    assert part == [nodeid for nodeid in whole if nodeid in set(part)]


def test_failed_first_wins_over_the_shuffle(project: Project, run: Run) -> None:
    """--ff runs what failed first, whatever the seed."""
    project({**SUITE, "tests/unit/test_f.py": "def test_bad(): assert 0\n"})
    run()
    for seed in ("1", "2", "3"):
        order = order_of(run("-v", "--ff", "--order-seed", seed))
        assert order[0] == "tests/unit/test_f.py::test_bad"


def test_last_failed_wins_over_the_shuffle(project: Project, run: Run) -> None:
    """--lf runs only what failed."""
    project({**SUITE, "tests/unit/test_f.py": "def test_bad(): assert 0\n"})
    run()
    assert order_of(run("-v", "--lf")) == ["tests/unit/test_f.py::test_bad"]


def test_stepwise_continues_where_it_stopped(project: Project, run: Run) -> None:
    """--sw begins at the failure, under the same seed."""
    project({**SUITE, "tests/unit/test_f.py": "def test_bad(): assert 0\n"})
    first = order_of(run("-v", "--sw", "--order-seed", "5"))
    second = order_of(run("-v", "--sw", "--order-seed", "5"))
    assert first[-1] == second[0] == "tests/unit/test_f.py::test_bad"
    assert len(second) == 1


def test_a_project_s_own_ordering_has_the_last_word(project: Project, run: Run) -> None:
    """The shuffle comes first, so that a hook in a conftest can still order the tests."""
    ordering = """
        def pytest_collection_modifyitems(items):
            items.sort(key=lambda item: item.nodeid)
    """
    project({**SUITE, "conftest.py": ordering})
    order = order_of(run("-v", "--order-seed", "3"))
    assert order == sorted(order)


def test_without_the_cache_plugin_all_works(project: Project, run: Run) -> None:
    """`-p no:cacheprovider` changes nothing for tierwise."""
    project(SUITE)
    run("-p", "no:cacheprovider").assert_outcomes(passed=32)
