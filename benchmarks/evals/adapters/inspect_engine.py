"""Inspect: a task of samples, generate(), exact(); its log written, nothing shown."""

from __future__ import annotations

import tempfile

from inspect_ai import Task, eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import exact
from inspect_ai.solver import generate
from work import EXPECTED, KEY, MODEL, Work, asked_for, report


def main(work: Work) -> None:
    """Run the task."""
    samples = [Sample(input=text, target=EXPECTED) for text in work.texts()]
    with tempfile.TemporaryDirectory() as folder:
        (log,) = run_eval(
            Task(dataset=samples, solver=generate(), scorer=exact()),
            model=f"openai/{MODEL}",
            model_base_url=work.url,
            model_args={"api_key": KEY, "responses_api": False},
            max_connections=work.concurrency,
            max_samples=work.concurrency,
            display="none",
            log_realtime=False,
            log_dir=folder,
        )
    if log.results is None:
        raise SystemExit(f"no results: {log.status} {log.error}")
    share = log.results.scores[0].metrics["mean"].value
    report(right=round(share * log.results.completed_samples), of=work)


if __name__ == "__main__":
    main(asked_for())
