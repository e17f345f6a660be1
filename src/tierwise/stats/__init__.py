"""Statistics as numbers in, numbers out: what trials prove, and how many a claim needs.

Nothing is loaded but the standard library until a distribution is asked for, and of this room
only the file of what is asked for.
"""

from typing import TYPE_CHECKING

from tierwise._loading import load_from

if TYPE_CHECKING:
    from tierwise.stats.agreement import (
        Agreement as Agreement,
        cohen_kappa as cohen_kappa,
    )
    from tierwise.stats.arms import (
        agresti_caffo as agresti_caffo,
        newcombe as newcombe,
    )
    from tierwise.stats.bootstrap import (
        bootstrap_cases as bootstrap_cases,
        bootstrap_error as bootstrap_error,
    )
    from tierwise.stats.case_mean import (
        CaseMean as CaseMean,
    )
    from tierwise.stats.clusters import (
        case_mean_interval as case_mean_interval,
        clustered_error as clustered_error,
        effective_trials as effective_trials,
        korn_graubard as korn_graubard,
    )
    from tierwise.stats.curtailed import (
        CurtailedPlan as CurtailedPlan,
    )
    from tierwise.stats.e_values import (
        average_e_values as average_e_values,
        mixture_e_value as mixture_e_value,
        multiply_e_values as multiply_e_values,
        p_from_e as p_from_e,
        ratio_e_value as ratio_e_value,
        zero_e_value as zero_e_value,
    )
    from tierwise.stats.flakiness import (
        decayed_score as decayed_score,
        failure_rate_when_good as failure_rate_when_good,
        flaky_probability as flaky_probability,
        flip_rate as flip_rate,
        hidden_by_retries as hidden_by_retries,
        judge_flakiness as judge_flakiness,
        outcome_entropy as outcome_entropy,
    )
    from tierwise.stats.intervals import (
        clopper_pearson as clopper_pearson,
        jeffreys as jeffreys,
        lower_bound as lower_bound,
        upper_bound as upper_bound,
        wilson as wilson,
    )
    from tierwise.stats.judges import (
        CorrectedRate as CorrectedRate,
        JudgedZeroBound as JudgedZeroBound,
        correct_rate as correct_rate,
        judged_zero_bound as judged_zero_bound,
        labels_needed as labels_needed,
        prediction_powered_mean as prediction_powered_mean,
        sensitivity_bound as sensitivity_bound,
    )
    from tierwise.stats.krippendorff import (
        krippendorff_alpha as krippendorff_alpha,
    )
    from tierwise.stats.many import (
        benjamini_hochberg as benjamini_hochberg,
        benjamini_yekutieli as benjamini_yekutieli,
        bonferroni as bonferroni,
        e_bh as e_bh,
        false_alarm_probability as false_alarm_probability,
        hochberg as hochberg,
        holm as holm,
    )
    from tierwise.stats.mcnemar import (
        bonett_price as bonett_price,
        mcnemar_test as mcnemar_test,
    )
    from tierwise.stats.means import (
        MeanBounds as MeanBounds,
        bound_difference as bound_difference,
        bound_mean as bound_mean,
    )
    from tierwise.stats.pairs import (
        PairedDifference as PairedDifference,
        compare_paired as compare_paired,
        sign_flip_test as sign_flip_test,
    )
    from tierwise.stats.pass_k import (
        mean_pass_at_k as mean_pass_at_k,
        mean_pass_hat_k as mean_pass_hat_k,
        pass_at_k as pass_at_k,
        pass_hat_k as pass_hat_k,
    )
    from tierwise.stats.populations import (
        RateBounds as RateBounds,
        bounds_for as bounds_for,
    )
    from tierwise.stats.power_arms import (
        power_of_arms as power_of_arms,
        trials_per_arm as trials_per_arm,
    )
    from tierwise.stats.power_means import (
        ScoreSpread as ScoreSpread,
        cases_needed as cases_needed,
        detectable_effect as detectable_effect,
    )
    from tierwise.stats.power_one import (
        BaselinePlan as BaselinePlan,
        plan_against_baseline as plan_against_baseline,
        trials_needed_at_least as trials_needed_at_least,
        trials_needed_less_than as trials_needed_less_than,
    )
    from tierwise.stats.power_pairs import (
        pairs_needed as pairs_needed,
        power_of_mcnemar as power_of_mcnemar,
    )
    from tierwise.stats.repeats import (
        RepeatWeight as RepeatWeight,
        plan_error as plan_error,
        weigh_repeats as weigh_repeats,
    )
    from tierwise.stats.same_cases import (
        exact_case_test as exact_case_test,
        least_case_p as least_case_p,
        welch_case_test as welch_case_test,
    )
    from tierwise.stats.sequences import (
        clean_trials_needed as clean_trials_needed,
        confidence_sequence as confidence_sequence,
        excludes_rate as excludes_rate,
        intersect_sequence as intersect_sequence,
    )
    from tierwise.stats.sprt import (
        OperatingCharacteristics as OperatingCharacteristics,
        SequentialTest as SequentialTest,
        WaldBounds as WaldBounds,
        wald_bounds as wald_bounds,
    )
    from tierwise.stats.trials import (
        trials_needed as trials_needed,
    )
    from tierwise.stats.tries import (
        bound_tries as bound_tries,
    )
    from tierwise.stats.values import (
        Interval as Interval,
        Population as Population,
        PValue as PValue,
        Undetermined as Undetermined,
    )
    from tierwise.stats.zero import (
        detection_probability as detection_probability,
        weaken_upper_bound as weaken_upper_bound,
        zero_bound as zero_bound,
    )

__all__ = [
    "Agreement",
    "BaselinePlan",
    "CaseMean",
    "CorrectedRate",
    "CurtailedPlan",
    "Interval",
    "JudgedZeroBound",
    "MeanBounds",
    "OperatingCharacteristics",
    "PValue",
    "PairedDifference",
    "Population",
    "RateBounds",
    "RepeatWeight",
    "ScoreSpread",
    "SequentialTest",
    "Undetermined",
    "WaldBounds",
    "agresti_caffo",
    "average_e_values",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bonett_price",
    "bonferroni",
    "bootstrap_cases",
    "bootstrap_error",
    "bound_difference",
    "bound_mean",
    "bound_tries",
    "bounds_for",
    "case_mean_interval",
    "cases_needed",
    "clean_trials_needed",
    "clopper_pearson",
    "clustered_error",
    "cohen_kappa",
    "compare_paired",
    "confidence_sequence",
    "correct_rate",
    "decayed_score",
    "detectable_effect",
    "detection_probability",
    "e_bh",
    "effective_trials",
    "exact_case_test",
    "excludes_rate",
    "failure_rate_when_good",
    "false_alarm_probability",
    "flaky_probability",
    "flip_rate",
    "hidden_by_retries",
    "hochberg",
    "holm",
    "intersect_sequence",
    "jeffreys",
    "judge_flakiness",
    "judged_zero_bound",
    "korn_graubard",
    "krippendorff_alpha",
    "labels_needed",
    "least_case_p",
    "lower_bound",
    "mcnemar_test",
    "mean_pass_at_k",
    "mean_pass_hat_k",
    "mixture_e_value",
    "multiply_e_values",
    "newcombe",
    "outcome_entropy",
    "p_from_e",
    "pairs_needed",
    "pass_at_k",
    "pass_hat_k",
    "plan_against_baseline",
    "plan_error",
    "power_of_arms",
    "power_of_mcnemar",
    "prediction_powered_mean",
    "ratio_e_value",
    "sensitivity_bound",
    "sign_flip_test",
    "trials_needed",
    "trials_needed_at_least",
    "trials_needed_less_than",
    "trials_per_arm",
    "upper_bound",
    "wald_bounds",
    "weaken_upper_bound",
    "weigh_repeats",
    "welch_case_test",
    "wilson",
    "zero_bound",
    "zero_e_value",
]

_HOMES = {
    "Agreement": "agreement",
    "BaselinePlan": "power_one",
    "CaseMean": "case_mean",
    "CorrectedRate": "judges",
    "CurtailedPlan": "curtailed",
    "Interval": "values",
    "JudgedZeroBound": "judges",
    "MeanBounds": "means",
    "OperatingCharacteristics": "sprt",
    "PValue": "values",
    "PairedDifference": "pairs",
    "Population": "values",
    "RateBounds": "populations",
    "RepeatWeight": "repeats",
    "ScoreSpread": "power_means",
    "SequentialTest": "sprt",
    "Undetermined": "values",
    "WaldBounds": "sprt",
    "agresti_caffo": "arms",
    "average_e_values": "e_values",
    "benjamini_hochberg": "many",
    "benjamini_yekutieli": "many",
    "bonett_price": "mcnemar",
    "bonferroni": "many",
    "bootstrap_cases": "bootstrap",
    "bootstrap_error": "bootstrap",
    "bound_difference": "means",
    "bound_mean": "means",
    "bound_tries": "tries",
    "bounds_for": "populations",
    "case_mean_interval": "clusters",
    "cases_needed": "power_means",
    "clean_trials_needed": "sequences",
    "clopper_pearson": "intervals",
    "clustered_error": "clusters",
    "cohen_kappa": "agreement",
    "compare_paired": "pairs",
    "confidence_sequence": "sequences",
    "correct_rate": "judges",
    "decayed_score": "flakiness",
    "detectable_effect": "power_means",
    "detection_probability": "zero",
    "e_bh": "many",
    "effective_trials": "clusters",
    "exact_case_test": "same_cases",
    "excludes_rate": "sequences",
    "failure_rate_when_good": "flakiness",
    "false_alarm_probability": "many",
    "flaky_probability": "flakiness",
    "flip_rate": "flakiness",
    "hidden_by_retries": "flakiness",
    "hochberg": "many",
    "holm": "many",
    "intersect_sequence": "sequences",
    "jeffreys": "intervals",
    "judge_flakiness": "flakiness",
    "judged_zero_bound": "judges",
    "korn_graubard": "clusters",
    "krippendorff_alpha": "krippendorff",
    "labels_needed": "judges",
    "least_case_p": "same_cases",
    "lower_bound": "intervals",
    "mcnemar_test": "mcnemar",
    "mean_pass_at_k": "pass_k",
    "mean_pass_hat_k": "pass_k",
    "mixture_e_value": "e_values",
    "multiply_e_values": "e_values",
    "newcombe": "arms",
    "outcome_entropy": "flakiness",
    "p_from_e": "e_values",
    "pairs_needed": "power_pairs",
    "pass_at_k": "pass_k",
    "pass_hat_k": "pass_k",
    "plan_against_baseline": "power_one",
    "plan_error": "repeats",
    "power_of_arms": "power_arms",
    "power_of_mcnemar": "power_pairs",
    "prediction_powered_mean": "judges",
    "ratio_e_value": "e_values",
    "sensitivity_bound": "judges",
    "sign_flip_test": "pairs",
    "trials_needed": "trials",
    "trials_needed_at_least": "power_one",
    "trials_needed_less_than": "power_one",
    "trials_per_arm": "power_arms",
    "upper_bound": "intervals",
    "wald_bounds": "sprt",
    "weaken_upper_bound": "zero",
    "weigh_repeats": "repeats",
    "welch_case_test": "same_cases",
    "wilson": "intervals",
    "zero_bound": "zero",
    "zero_e_value": "e_values",
}

if not TYPE_CHECKING:
    __getattr__ = load_from(__name__, _HOMES)
