"""How the providers of a session compare, as lines below the table of its evals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import EvalSummary
    from tierwise.pytest_plugin.recording import Recording


def provider_lines(summaries: Iterable[EvalSummary], recording: Recording | None) -> list[str]:
    """Return nothing where each eval had one provider, or where nothing is recorded."""
    asked = [summary.eval_id for summary in summaries]
    if len(set(asked)) == len(asked) or recording is None or recording.run_id is None:
        return []
    from tierwise.evals.comparing import compare_providers  # noqa: PLC0415  statistics are slow
    from tierwise.evals.comparison_lines import comparison_lines  # noqa: PLC0415
    from tierwise.records import RunStore  # noqa: PLC0415

    with RunStore.open(recording.path, on_network_drive=True) as store:  # it was allowed
        return ["", *comparison_lines(compare_providers(store.evals, recording.run_id))]
