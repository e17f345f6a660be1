"""The models as Gemini lists them, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.models import all_models, describe_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.vendor import Account

_PAGE = 50
_LARGEST_PAGE = 1000


def form_models(query: Mapping[str, str], account: Account) -> dict[str, Any]:
    """Return one page of the models; a token is the number of the first model on its page."""
    models = all_models(account)
    size = min(int(query.get("pageSize") or 0) or _PAGE, _LARGEST_PAGE)
    start = int(query.get("pageToken") or 0)
    page: dict[str, Any] = {
        "models": [describe_model(one) for one in models[start : start + size]]
    }
    if start + size < len(models):
        page["nextPageToken"] = str(start + size)
    return page
