from hypothesis import given, strategies as st

from tierwise.pytest_plugin.order import Place, choose_seed, shuffle

NAMES = st.text(alphabet="ab/:[]é", min_size=1, max_size=6)
PLACES = st.lists(
    st.builds(lambda m, g, t: Place(module=m, group=f"{m}::{g}", test=t), NAMES, NAMES, NAMES),
    max_size=12,
)
SEEDS = st.integers(min_value=0, max_value=2**64)


def suite(n_modules: int, n_tests: int) -> list[Place]:
    return [
        Place(module=f"m{m}", group=f"m{m}", test=f"m{m}::t{t}")
        for m in range(n_modules)
        for t in range(n_tests)
    ]


@given(PLACES, SEEDS)
def test_every_test_runs_exactly_once(places: list[Place], seed: int) -> None:
    """An order is a permutation, whatever the names."""
    assert sorted(shuffle(places, seed)) == list(range(len(places)))


@given(PLACES, SEEDS)
def test_a_seed_gives_one_order(places: list[Place], seed: int) -> None:
    """The same places and seed give the same order."""
    assert shuffle(places, seed) == shuffle(places, seed)


@given(st.sets(st.integers(0, 29), min_size=1), SEEDS)
def test_a_selection_keeps_the_whole_suite_s_order(chosen: set[int], seed: int) -> None:
    """Tests left out do not change the order of the others."""
    whole = suite(5, 6)
    order = [whole[index] for index in shuffle(whole, seed)]
    part = [place for n, place in enumerate(whole) if n in chosen]
    assert [part[index] for index in shuffle(part, seed)] == [p for p in order if p in part]


@given(SEEDS)
def test_a_module_s_tests_stay_together(seed: int) -> None:
    """Modules are never interleaved."""
    places = suite(4, 3)
    modules = [places[index].module for index in shuffle(places, seed)]
    assert all(len(set(modules[n : n + 3])) == 1 for n in range(0, 12, 3))


def test_each_of_the_six_orders_of_three_tests_comes_about_equally_often() -> None:
    """Over 600 seeds no order is favoured: each comes between 60 and 140 times."""
    places = suite(1, 3)
    orders = [tuple(shuffle(places, seed)) for seed in range(600)]
    counts = {order: orders.count(order) for order in set(orders)}
    assert len(counts) == 6
    assert all(60 <= count <= 140 for count in counts.values()), counts


def test_the_seed_asked_for_wins() -> None:
    """A given seed is used even where the order is defined; else one is drawn or none."""
    assert choose_seed(7, is_random=False, draw=lambda: 1) == 7
    assert choose_seed(0, is_random=True, draw=lambda: 1) == 0
    assert choose_seed(None, is_random=True, draw=lambda: 1) == 1
    assert choose_seed(None, is_random=False, draw=lambda: 1) is None
