"""One provider's limit, divided among workers."""

from __future__ import annotations

from hypothesis import given, strategies as st

from tierwise.evals.remote.messages import UNTOLD, Rate
from tierwise.evals.remote.sharing import RatePool, share_out

WANTED = st.dictionaries(st.integers(0, 20), st.integers(0, 200), min_size=1, max_size=8)


def rate(
    epoch: int = 0, *, in_flight: int = 0, waiting: int = 0, answered: int = 0, busy: bool = False
) -> Rate:
    return Rate(
        provider="p",
        epoch=epoch,
        in_flight=in_flight,
        waiting=waiting,
        answered=answered,
        is_busy=busy,
    )


@given(limit=st.integers(1, 300), wanted=WANTED)
def test_all_places_are_given_and_no_more(limit: int, wanted: dict[int, int]) -> None:
    """What nobody wants is dealt out too, so that a first call need not ask."""
    assert sum(share_out(limit, wanted).values()) == limit


@given(limit=st.integers(1, 300), wanted=WANTED)
def test_who_wants_more_never_gets_less(limit: int, wanted: dict[int, int]) -> None:
    """A worker that goes short has at least as much as any other, but for one place."""
    shares = share_out(limit, wanted)
    short = [worker for worker in wanted if shares[worker] < wanted[worker]]
    for worker in short:
        assert shares[worker] >= max(min(shares[o], wanted[o]) for o in wanted) - 1


def test_what_is_wanted_decides() -> None:
    """A worker with little to do leaves its places to the others."""
    assert share_out(10, {1: 2, 2: 20}) == {1: 2, 2: 8}
    assert share_out(10, {1: 20, 2: 20}) == {1: 5, 2: 5}
    assert share_out(10, {1: 0, 2: 0}) == {1: 5, 2: 5}


def pool(*workers: int, ceiling: int = 16) -> tuple[RatePool, dict[int, int]]:
    """Return a pool and what each worker was told last."""
    made = RatePool("p", ceiling=ceiling)
    shares: dict[int, int] = {}
    for worker in workers:
        shares |= {w: share.limit for w, share in made.add_worker(worker).items()}
    return made, shares


def test_a_second_worker_gets_its_part() -> None:
    """The first one is told that it has fewer."""
    assert pool(1, 2)[1] == {1: 8, 2: 8}


def test_a_busy_vendor_halves_the_limit_once_for_all() -> None:
    """What other workers hear of calls from before the cut is no news."""
    made, _ = pool(1, 2)
    told = made.take(1, rate(in_flight=8, busy=True))
    assert made.limit == 8
    assert {share.epoch for share in told.values()} == {1}
    made.take(2, rate(epoch=0, in_flight=8, busy=True))
    assert made.limit == 8
    made.take(2, rate(epoch=1, in_flight=4, busy=True))
    assert made.limit == 4


def test_the_limit_never_falls_below_one_call() -> None:
    """Or nobody would find out that the vendor is back."""
    made, _ = pool(1)
    for epoch in range(10):
        made.take(1, rate(epoch=epoch, in_flight=1, busy=True))
    assert made.limit == 1


def test_a_window_of_answers_adds_one() -> None:
    """As on one machine, counted over all workers, up to the ceiling."""
    made, _ = pool(1, 2)
    made.take(1, rate(busy=True))
    made.take(1, rate(epoch=1, answered=5))
    made.take(2, rate(epoch=1, answered=4))
    assert made.limit == 9
    made.take(2, rate(epoch=1, answered=10_000))
    assert made.limit == 16


def test_places_are_given_away_only_when_they_are_free() -> None:
    """A worker that has to give places up still has calls in them."""
    made, _ = pool(1)
    made.take(1, rate(in_flight=16))
    told = made.add_worker(2) | made.take(2, rate(epoch=UNTOLD, waiting=9))
    assert {worker: share.limit for worker, share in told.items()} == {1: 8, 2: 0}
    assert made.take(1, rate(in_flight=10))[2].limit == 6
    assert made.take(1, rate(in_flight=7))[2].limit == 9


def test_the_places_of_a_dead_worker_go_to_the_others() -> None:
    """Its calls died with it."""
    made, _ = pool(1, 2)
    made.take(1, rate(in_flight=8))
    assert made.drop_worker(1)[2].limit == 16


def test_who_knows_no_share_is_told_one() -> None:
    """A judge's limiter that a trial has just made begins with none."""
    made, _ = pool(1, 2)
    assert made.take(1, rate(epoch=UNTOLD))[1].limit == 8


def test_a_worker_that_is_gone_says_nothing() -> None:
    """News of a worker that is no longer there changes nothing."""
    made, _ = pool(1, 2)
    made.drop_worker(2)
    assert made.take(2, rate(busy=True)) == {}
    assert made.limit == 16
