"""Ask a model to judge a text by a rubric, and measure how far it agrees with people."""

from tierwise.evals.judges.agreement import JudgeAgreement as JudgeAgreement
from tierwise.evals.judges.asking import judge as judge
from tierwise.evals.judges.judged import (
    Judged as Judged,
    JudgeUnavailable as JudgeUnavailable,
)
from tierwise.evals.judges.measuring import (
    LabelledSample as LabelledSample,
    measure_agreement as measure_agreement,
)
from tierwise.evals.judges.rubric import (
    Grade as Grade,
    Question as Question,
    Rubric as Rubric,
)
from tierwise.evals.judges.tables import ItemAgreement as ItemAgreement

__all__ = [
    "Grade",
    "ItemAgreement",
    "JudgeAgreement",
    "JudgeUnavailable",
    "Judged",
    "LabelledSample",
    "Question",
    "Rubric",
    "judge",
    "measure_agreement",
]
