from hypothesis import given, strategies as st

from tierwise.pytest_plugin.order import Group, choose_seed, shuffle

Place = tuple[Group, str]
NAMES = st.text(alphabet="ab/:[]é", min_size=1, max_size=6)
PLACES = st.lists(
    st.builds(lambda m, g, t: (Group(m, f"{m}::{g}"), t), NAMES, NAMES, NAMES),
    max_size=12,
)
SEEDS = st.integers(min_value=0, max_value=2**64)


def suite(n_modules: int, n_tests: int) -> list[Place]:
    return [(Group(f"m{m}", f"m{m}"), f"t{t}") for m in range(n_modules) for t in range(n_tests)]


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
    """Neither modules nor the classes in them are ever interleaved."""
    places = [(Group(f"m{n % 4}", f"m{n % 4}::c{n % 8}"), f"t{n}") for n in range(24)]
    groups = [places[index][0] for index in shuffle(places, seed)]
    assert all(len({group.module for group in groups[n : n + 6]}) == 1 for n in range(0, 24, 6))
    assert all(len(set(groups[n : n + 3])) == 1 for n in range(0, 24, 3))


def test_modules_with_the_same_names_have_orders_of_their_own() -> None:
    """Which of two tests comes first in one module says nothing about the next module."""
    orders = [shuffle(suite(2, 2), seed) for seed in range(200)]
    n_alike = sum((o.index(0) < o.index(1)) == (o.index(2) < o.index(3)) for o in orders)
    assert 70 <= n_alike <= 130


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
