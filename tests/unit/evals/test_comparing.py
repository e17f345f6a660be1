"""Two sides compared: who won, by how much, and what was not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scipy.stats import hypergeom, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from tierwise.errors import EvalUsageError
from tierwise.evals.comparing import ComparisonPlan, compare_sides
from tierwise.evals.comparison import Comparison, Finding, MetricDifference
from tierwise.stats import bonett_price, bound_difference, sign_flip_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Make = Callable[..., Any]

THESE, LIKE = "these_cases", "cases_like_these"


def trials(metric: str, *values: Any) -> list[dict[str, Any] | None]:
    return [None if value is None else {metric: value} for value in values]


def rates(metric: str, events: Sequence[tuple[int, int]]) -> dict[str, list[Any]]:
    return {
        f"case {place}": trials(metric, *[True] * x, *[False] * (n - x))
        for place, (x, n) in enumerate(events)
    }


def compare(one: Any, two: Any, **plan: Any) -> Comparison:
    (found,) = compare_sides([(one, two)], ComparisonPlan(**plan))
    return found


def only(found: Comparison) -> MetricDifference:
    ((_, metric),) = found.differences
    return metric


def test_a_rate_is_compared_case_by_case(make_scores: Make, make_side: Make) -> None:
    """Each case counts the same; the difference is that of B minus A, with both populations."""
    one = make_side(make_scores(rates("leak", [(1, 10), (2, 10)] * 4)))
    two = make_side(make_scores(rates("leak", [(6, 10), (9, 10)] * 4)), run="B")
    metric = only(compare(one, two))
    assert (metric.mean_first, metric.mean_second) == pytest.approx((0.15, 0.75))
    these, like = (metric.claim(name) for name in (THESE, LIKE))
    assert these.estimate == pytest.approx(0.6)
    assert these.finding is Finding.HIGHER
    a, b = [0.1, 0.2] * 4, [0.6, 0.9] * 4
    assert like.p_value == sign_flip_test(b, a).value
    assert (these.test, like.test) == ("exact within cases", "sign flip, exact")
    bounds = bound_difference(
        THESE,
        [(case.second, case.first) for case in metric.pairs.cases],
        is_binary=True,
    )
    assert these.interval == (bounds.interval.low, bounds.interval.high)


def test_one_trial_a_case_is_mcnemars_test(make_scores: Make, make_side: Make) -> None:
    """Exact within these cases, mid-p for cases like these: a report is not a gate."""
    a = [(1, 1)] * 3 + [(0, 1)] * 9 + [(1, 1)] * 8
    b = [(0, 1)] * 3 + [(1, 1)] * 9 + [(1, 1)] * 8
    one = make_side(make_scores(rates("ok", a)))
    two = make_side(make_scores(rates("ok", b)), run="B")
    metric = only(compare(one, two))
    exact = mcnemar([[8, 3], [9, 0]], exact=True).pvalue
    assert metric.claim(THESE).p_value == pytest.approx(exact)
    assert metric.claim(LIKE).p_value < exact
    assert metric.claim(LIKE).test == "mcnemar mid-p"


def test_one_case_says_something_about_itself_alone(make_scores: Make, make_side: Make) -> None:
    """Fisher's exact test for this case; of cases like it nothing can be told."""
    one = make_side(make_scores(rates("ok", [(20, 20)])))
    two = make_side(make_scores(rates("ok", [(8, 20)])), run="B")
    metric = only(compare(one, two))
    assert metric.claim(THESE).finding is Finding.LOWER
    assert metric.claim(THESE).p_value == pytest.approx(2 * hypergeom.cdf(8, 40, 28, 20))
    assert metric.claim(LIKE).finding is Finding.UNDETERMINED
    assert metric.claim(LIKE).reason == "one case says nothing about cases like it"
    assert metric.claim(LIKE).p_value is None


def test_equal_sides_are_no_difference_shown(make_scores: Make, make_side: Make) -> None:
    """Not "the same": what would have been shown is said beside it."""
    scores = make_scores(rates("ok", [(18, 20)] * 6))
    metric = only(compare(make_side(scores), make_side(scores, run="B")))
    for claim in metric.claims:
        assert (claim.finding, claim.p_value) == (Finding.NONE, 1.0)
    assert 0.05 < metric.claim(THESE).detectable < 0.2


def test_what_could_not_be_shown_by_any_outcome_is_undetermined(
    make_scores: Make, make_side: Make
) -> None:
    """Three cases never reach 5 %: no difference shown would sound like an answer."""
    one = make_side(make_scores(rates("ok", [(10, 10)] * 3)))
    two = make_side(make_scores(rates("ok", [(0, 10)] * 3)), run="B")
    metric = only(compare(one, two))
    like = metric.claim(LIKE)
    assert like.finding is Finding.UNDETERMINED
    assert like.reason == ("with so few cases even the clearest difference would have p = 0.25")
    assert metric.claim(THESE).finding is Finding.LOWER


def test_what_the_correction_puts_out_of_reach_is_undetermined(
    make_scores: Make, make_side: Make
) -> None:
    """Six cases reach p = 1/32 alone, and 1/16 beside a second metric that shows nothing."""

    def both(right: int) -> dict[str, list[Any]]:
        return {
            f"case {n}": [{"right": i < right, "short": i < 5} for i in range(20)]
            for n in range(6)
        }

    sides = make_side(make_scores(both(20))), make_side(make_scores(both(13)), run="B")
    found = {metric.metric: metric.claim(LIKE) for _, metric in compare(*sides).differences}
    assert {claim.finding for claim in found.values()} == {Finding.UNDETERMINED}
    assert found["right"].detectable is None
    assert found["right"].reason == (
        "with so few cases even the clearest difference would have p = 0.062 by Holm over 2 "
        "differences: add cases, or compare fewer metrics (--metric)"
    )
    assert only(compare(*sides, metrics=("right",))).claim(LIKE).finding is Finding.LOWER


def test_what_a_clearer_difference_leaves_in_reach_is_not_undetermined(
    make_scores: Make, make_side: Make
) -> None:
    """Holm asks less of the second once the first is shown: its p is not doubled."""

    def evals(first: int) -> tuple[Any, Any]:
        large = {f"case {n}": [{"right": i < first} for i in range(4)] for n in range(9)}
        return make_scores(rates("short", [(2, 4)] * 6), eval_id="e"), make_scores(
            large, eval_id="f"
        )

    found = compare(make_side(*evals(4)), make_side(*evals(0), run="B"))
    claims = {metric.metric: metric.claim(LIKE) for _, metric in found.differences}
    assert claims["right"].finding is Finding.LOWER
    assert claims["short"].finding is Finding.NONE


def test_too_few_trials_are_undetermined_too(make_scores: Make, make_side: Make) -> None:
    """Two trials a side of one case: the most extreme outcome has p = 1/3."""
    one = make_side(make_scores(rates("ok", [(2, 2)])))
    two = make_side(make_scores(rates("ok", [(0, 2)])), run="B")
    claim = only(compare(one, two)).claim(THESE)
    assert claim.finding is Finding.UNDETERMINED
    assert claim.reason == "with so few trials even the clearest difference would have p = 0.33"


def test_numbers_are_compared_by_their_means(make_scores: Make, make_side: Make) -> None:
    """Within cases by Welch, over cases by sign flips; the way that is better may be unknown."""
    a = {f"c{i}": trials("size", 10.0 + i, 11.0 + i, 12.0 + i) for i in range(8)}
    b = {f"c{i}": trials("size", 15.0 + i, 16.5 + i, 17.0 + i) for i in range(8)}
    metric = only(compare(make_side(make_scores(a)), make_side(make_scores(b), run="B")))
    assert metric.kind == "number"
    assert metric.claim(THESE).test == "welch within cases"
    assert metric.claim(LIKE).p_value == pytest.approx(2 / 2**8)
    assert metric.claim(THESE).finding is Finding.HIGHER
    assert metric.winner(THESE) is None


def test_one_number_a_case_flips_signs(make_scores: Make, make_side: Make) -> None:
    """Without repeats nothing shows the spread within a case."""
    a = {f"c{i}": trials("size", float(i)) for i in range(8)}
    b = {f"c{i}": trials("size", i + 1.5 + i / 10) for i in range(8)}
    metric = only(compare(make_side(make_scores(a)), make_side(make_scores(b), run="B")))
    assert metric.claim(THESE).test == "sign flip, exact"
    assert metric.claim(THESE).finding is Finding.HIGHER


def test_categories_are_compared_by_the_share_of_each(make_scores: Make, make_side: Make) -> None:
    """Three texts give three rows; of two texts one says it all."""
    a = {f"c{i}": trials("tone", "warm", "warm", "cold", "dry") for i in range(6)}
    b = {f"c{i}": trials("tone", "cold", "cold", "cold", "dry") for i in range(6)}
    found = compare(make_side(make_scores(a)), make_side(make_scores(b), run="B"))
    by_name = {metric.metric: metric for _, metric in found.differences}
    assert sorted(by_name) == ["tone=cold", "tone=dry", "tone=warm"]
    assert by_name["tone=warm"].claim(THESE).estimate == pytest.approx(-0.5)
    two = {f"c{i}": trials("tone", "warm", "cold") for i in range(6)}
    sides = make_side(make_scores(two)), make_side(make_scores(two), run="B")
    assert [metric.metric for _, metric in compare(*sides).differences] == ["tone=cold"]


def test_a_text_without_end_is_not_compared_text_by_text(
    make_scores: Make, make_side: Make
) -> None:
    """The most frequent are, and it is said that there are more."""
    words = {"c": trials("said", *[f"text {i}" for i in range(20)], "often", "often")}
    sides = make_side(make_scores(words)), make_side(make_scores(words), run="B")
    found = compare(*sides)
    assert len(found.differences) == 12
    assert found.differences[0][1].metric == "said=often"
    assert "said has 21 different texts or more: the 12 most frequent are compared" in (
        found.evals[0].warnings
    )


def test_scores_of_several_kinds_are_not_compared(make_scores: Make, make_side: Make) -> None:
    """A metric that was a rate and became a number is another one, and that is said."""
    one = make_side(make_scores({"c": trials("ok", *(True, False))}))
    two = make_side(make_scores({"c": trials("ok", 0.5, 0.7)}), run="B")
    found = compare(one, two)
    assert found.differences == ()
    assert any(
        line.startswith("ok holds scores of several kinds") for line in found.evals[0].warnings
    )


@pytest.mark.parametrize(("way", "winner"), [("lower", "A"), ("higher", "B")])
def test_who_wins_depends_on_which_way_is_better(
    make_scores: Make, make_side: Make, way: str, winner: str
) -> None:
    """The expectations of the plans say it; where they do not, the caller may."""
    a, b = rates("leak", [(0, 20)] * 6), rates("leak", [(10, 20)] * 6)
    said = compare(
        make_side(make_scores(a, better={"leak": way})),
        make_side(make_scores(b, better={"leak": way}), run="B"),
    )
    asked = compare(make_side(make_scores(a)), make_side(make_scores(b), run="B"), better=way)
    assert only(said).winner(THESE) == only(asked).winner(THESE) == winner
    torn = compare(
        make_side(make_scores(a, better={"leak": way})), make_side(make_scores(b), run="B")
    )
    assert only(torn).winner(THESE) is None


def test_all_differences_of_a_comparison_are_one_family(
    make_scores: Make, make_side: Make
) -> None:
    """Holm over evals and metrics, each population by itself."""

    def side(shift: int, run: str) -> Any:
        return make_side(
            *(
                make_scores(
                    {
                        f"c{case}": [
                            {"m": index < 5 + shift * number, "n": index < 5 + shift}
                            for index in range(10)
                        ]
                        for case in range(3)
                    },
                    eval_id=f"e{number}",
                )
                for number in range(3)
            ),
            run=run,
        )

    found = compare(side(0, "A"), side(1, "B"))
    claims = [metric.claim(THESE) for _, metric in found.differences]
    assert found.n_tests[THESE] == len(claims) == 6
    expected = multipletests([claim.p_value for claim in claims], method="holm")[1]
    assert [claim.p_adjusted for claim in claims] == pytest.approx(expected)


def test_several_pairs_of_sides_are_one_family_too(make_scores: Make, make_side: Make) -> None:
    """Three providers compared with each other are three chances to find something."""
    sides = [
        make_side(make_scores(rates("ok", [(x, 20)] * 4)), name=name)
        for name, x in (("a", 10), ("b", 12), ("c", 17))
    ]
    pairs = [(sides[0], sides[1]), (sides[0], sides[2]), (sides[1], sides[2])]
    found = compare_sides(pairs, ComparisonPlan())
    claims = [only(entry).claim(THESE) for entry in found]
    expected = multipletests([claim.p_value for claim in claims], method="holm")[1]
    assert [claim.p_adjusted for claim in claims] == pytest.approx(expected)
    assert {entry.n_tests[THESE] for entry in found} == {3}


def test_a_difference_has_to_show_after_the_correction(make_scores: Make, make_side: Make) -> None:
    """Shown alone, and no longer once another metric was looked at as well."""
    a, b = ([{"m": i < x, "n": i < 10, "o": i < 10} for i in range(20)] for x in (8, 16))
    sides = make_side(make_scores({"c": a})), make_side(make_scores({"c": b}), run="B")
    assert only(compare(*sides, metrics=("m",))).claim(THESE).finding is Finding.HIGHER
    (_, m), *_ = compare(*sides).differences
    claim = m.claim(THESE)
    assert claim.p_value < 0.05 < claim.p_adjusted
    assert claim.finding is Finding.NONE


def test_an_interval_that_disagrees_with_the_test_is_explained(
    make_scores: Make, make_side: Make
) -> None:
    """Seven cases gain a little and one very much: all gain, and t sees mostly the spread."""
    gains = [0.1] * 7 + [5.0]
    a = {f"c{i}": trials("size", float(i)) for i in range(8)}
    b = {f"c{i}": trials("size", i + gain) for i, gain in enumerate(gains)}
    sides = make_side(make_scores(a)), make_side(make_scores(b), run="B")
    like = only(compare(*sides)).claim(LIKE)
    assert like.finding is Finding.HIGHER
    assert like.interval[0] < 0 < like.interval[1]
    assert like.reason.startswith("the interval includes 0")


def test_the_interval_goes_with_the_test(make_scores: Make, make_side: Make) -> None:
    """Paired t over cases; Bonett and Price of one trial a case; nothing of one case."""
    a, b = [(x, 10) for x in (1, 2, 3, 4)], [(x, 10) for x in (2, 2, 5, 9)]
    sides = make_side(make_scores(rates("ok", a))), make_side(make_scores(rates("ok", b)), run="B")
    like = only(compare(*sides)).claim(LIKE)
    oracle = ttest_rel([x / n for x, n in b], [x / n for x, n in a]).confidence_interval(0.95)
    assert like.interval == pytest.approx((oracle.low, oracle.high))
    assert like.method == "paired t"
    c, d = [(1, 1)] * 3 + [(0, 1)] * 9, [(0, 1)] * 3 + [(1, 1)] * 9
    sides = make_side(make_scores(rates("ok", c))), make_side(make_scores(rates("ok", d)), run="B")
    single = only(compare(*sides)).claim(LIKE)
    expected = bonett_price(9, 3, 12)
    assert single.interval == (expected.low, expected.high)


def test_cases_that_all_differ_alike_are_bounded_by_their_number(
    make_scores: Make, make_side: Make
) -> None:
    """No spread is not no uncertainty: what so many cases can have missed bounds it."""
    one = make_side(make_scores(rates("ok", [(2, 4)] * 10)))
    two = make_side(make_scores(rates("ok", [(4, 4)] * 10)), run="B")
    like = only(compare(one, two)).claim(LIKE)
    assert like.finding is Finding.HIGHER
    assert like.interval[0] < 0.5 < like.interval[1]


def test_passed_is_left_out_where_no_assert_ever_failed(
    make_scores: Make, make_side: Make
) -> None:
    """It is True in every trial and would only make the correction harder; asked for, it stays."""

    def side(values: list[bool], run: str) -> Any:
        scores = {"c": [{"ok": True, "passed": value} for value in values]}
        return make_side(make_scores(scores), run=run)

    always = side([True] * 4, "A")
    assert [m.metric for _, m in compare(always, side([True] * 4, "B")).differences] == ["ok"]
    for found in (
        compare(always, side([True, True, False, True], "B")),
        compare(always, side([True] * 4, "B"), metrics=("passed", "ok")),
    ):
        assert [metric.metric for _, metric in found.differences] == ["ok", "passed"]


def test_missing_trials_count_against_the_side_that_leads(
    make_scores: Make, make_side: Make
) -> None:
    """Six errors of A may all have been passes of the wrong kind: then nothing is shown."""
    a = {"c": trials("leak", *[False] * 20, *[None] * 10)}
    b = {"c": trials("leak", *[True] * 7, *[False] * 23)}
    clean = {"c": trials("leak", *[False] * 20)}
    lead = only(compare(make_side(make_scores(clean)), make_side(make_scores(b), run="B")))
    assert lead.claim(THESE).finding is Finding.HIGHER
    claim = only(compare(make_side(make_scores(a)), make_side(make_scores(b), run="B"))).claim(
        THESE
    )
    assert claim.finding is Finding.NONE
    assert claim.test == "exact within cases, missing trials against the lead"


def test_a_case_that_one_side_never_scored_counts_against_the_lead(
    make_scores: Make, make_side: Make
) -> None:
    """All trials of the hard case ended in errors: leaving the case out would hide it."""
    a = rates("ok", [(5, 10), (5, 10)])
    b = {**rates("ok", [(10, 10)]), "case 1": trials("ok", *[None] * 10)}
    metric = only(compare(make_side(make_scores(a)), make_side(make_scores(b), run="B")))
    assert [case.case_id for case in metric.pairs.one_sided] == ["case 1"]
    assert len(metric.pairs.cases) == 1
    assert metric.claim(THESE).finding is Finding.NONE


def test_many_missing_numbers_are_undetermined(make_scores: Make, make_side: Make) -> None:
    """A number has no worst value that could stand in for a missing one."""
    a = {f"c{i}": trials("size", 1.0, 1.1, 1.2, None) for i in range(8)}
    b = {f"c{i}": trials("size", 9.0, 9.1, 9.2, 9.3) for i in range(8)}
    claim = only(compare(make_side(make_scores(a)), make_side(make_scores(b), run="B"))).claim(
        THESE
    )
    assert claim.finding is Finding.UNDETERMINED
    assert claim.reason.startswith("8 of 64 trials have no score, more than the ceiling of 5 %")


def test_few_missing_numbers_are_borne(make_scores: Make, make_side: Make) -> None:
    """Up to the ceiling of 5 % they are counted and no more."""
    a = {f"c{i}": trials("size", 1.0, 1.1, 1.2, None if i == 0 else 1.3) for i in range(8)}
    b = {f"c{i}": trials("size", 9.0, 9.1, 9.2, 9.3) for i in range(8)}
    metric = only(compare(make_side(make_scores(a)), make_side(make_scores(b), run="B")))
    assert metric.claim(THESE).finding is Finding.HIGHER
    assert metric.pairs.n_missing == 1


def test_an_eval_is_only_compared_with_itself(make_scores: Make, make_side: Make) -> None:
    """What one side alone ran is named and never stands in for another eval."""
    scores = rates("ok", [(3, 4)])
    one = make_side(make_scores(scores, eval_id="both"), make_scores(scores, eval_id="old"))
    two = make_side(
        make_scores(scores, eval_id="both"), make_scores(scores, eval_id="new"), run="B"
    )
    found = compare(one, two)
    assert [entry.eval_id for entry in found.evals] == ["both"]
    assert (found.only_first, found.only_second) == (("old",), ("new",))


def test_cases_of_one_side_and_changed_cases_are_named_and_not_compared(
    make_scores: Make, make_side: Make
) -> None:
    """A case of the same id whose seed changed while others kept theirs has another content."""
    a = {name: trials("ok", *(True, False)) for name in ("same", "edited", "gone")}
    b = {name: trials("ok", *(True, False)) for name in ("same", "edited", "new")}
    one = make_side(make_scores(a, seeds={"edited": 1}))
    two = make_side(make_scores(b, seeds={"edited": 2}), run="B")
    (entry,) = compare(one, two).evals
    assert (entry.only_first, entry.only_second, entry.changed) == (
        ("gone",),
        ("new",),
        ("edited",),
    )
    assert entry.n_cases == 1
    assert [case.case_id for case in entry.metrics[0].pairs.cases] == ["same"]


def test_only_the_metrics_that_are_asked_for(make_scores: Make, make_side: Make) -> None:
    """The family is then as small; a name that nobody scored is a mistake."""
    scores = make_scores({"c": [{"one": True, "two": False}]})
    sides = make_side(scores), make_side(scores, run="B")
    assert [m.metric for _, m in compare(*sides, metrics=("two",)).differences] == ["two"]
    with pytest.raises(EvalUsageError, match=r"metric 'tow'. Did you mean 'two'\?"):
        compare(*sides, metrics=("tow",))


def test_a_metric_of_one_side_is_named(make_scores: Make, make_side: Make) -> None:
    """It cannot be compared, and does not vanish."""
    one = make_side(make_scores({"c": [{"ok": True, "old": True}]}))
    two = make_side(make_scores({"c": [{"ok": True, "new": True}]}), run="B")
    (entry,) = compare(one, two).evals
    assert {"scored by A alone: old", "scored by B alone: new"} <= set(entry.warnings)
