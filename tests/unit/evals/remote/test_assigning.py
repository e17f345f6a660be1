"""Which worker gets which trial, and what is left when one dies."""

from __future__ import annotations

from tierwise.evals.remote.assigning import Assignment
from tierwise.evals.remote.messages import Ticket


def ticket(number: int) -> Ticket:
    return Ticket(
        number=number,
        eval_id="e",
        provider="p",
        plan_hash="h",
        arm="trial",
        case_id="c",
        index=number,
        key="k",
        seed=number,
    )


def assignment(*workers: int, most: int = 10) -> Assignment:
    made = Assignment(most=most)
    for worker in workers:
        made.add_worker(worker)
    return made


def test_the_worker_with_the_fewest_gets_the_next() -> None:
    """Work spreads evenly, and follows who is quick."""
    made = assignment(1, 2)
    assert [made.assign(ticket(n)) for n in range(4)] == [1, 2, 1, 2]
    made.finish(1)
    made.finish(3)
    assert [made.assign(ticket(n)) for n in (4, 5)] == [2, 2]


def test_nobody_has_more_than_its_part() -> None:
    """What does not fit waits for whoever is free first."""
    made = assignment(1, 2, most=1)
    assert [made.assign(ticket(n)) for n in range(3)] == [1, 2, None]
    assert made.finish(1) == 2
    assert made.assign(ticket(2)) == 2


def test_without_workers_nothing_is_assigned() -> None:
    """All of them may be starting anew."""
    assert assignment().assign(ticket(0)) is None


def test_the_trials_of_a_lost_worker_come_back_in_their_order() -> None:
    """Those of the others stay where they are."""
    made = assignment(1, 2)
    for n in range(5):
        made.assign(ticket(n))
    assert [lost.number for lost in made.lose(1)] == [0, 2, 4]
    assert made.n_in_flight == 2


def test_what_a_lost_worker_says_later_counts_for_nothing() -> None:
    """Its trial runs again elsewhere, and would count twice."""
    made = assignment(1, 2)
    made.assign(ticket(0))
    made.lose(1)
    assert made.finish(0) is None


def test_a_trial_ends_once() -> None:
    """A second result of one number is nobody's."""
    made = assignment(1)
    made.assign(ticket(0))
    assert (made.finish(0), made.finish(0)) == (1, None)
