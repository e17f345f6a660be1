"""Which models there are, and the pages that list them."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from tierwise.doubles.gateway.anthropic.headers import refuse_by
from tierwise.doubles.gateway.anthropic.rule import DOCUMENTED, OBSERVED
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.saying import Refusal
    from tierwise.doubles.gateway.vendor import Account

MODEL_KNOWN = RequestRule(
    name="model-known", ground=OBSERVED, says="The model exists.", status=404
)
PAGE = RequestRule(
    name="page", ground=DOCUMENTED, says="A page of models has 1 to 1000, from one cursor."
)
MODEL_RULES = (MODEL_KNOWN, PAGE)
_DATE = re.compile(r"-(\d{8})$")
_BESIDE_THE_TYPES = frozenset({"claude-opus-4-1", "claude-opus-4", "claude-sonnet-4"})
"""Models that later types of the SDK no longer name."""
_LARGEST_PAGE = 1000
_PAGE = 20
_UNKNOWN_DATE = "1970-01-01T00:00:00Z"


def list_known() -> Mapping[str, str]:
    """Return the models that the installed SDK names, each with its stage of life."""
    from anthropic.types import model_param  # noqa: PLC0415  an extra

    names = [name for part in get_args(model_param.ModelParam) for name in get_args(part)]
    deprecated = _list_deprecated()
    return {name: "deprecated" if name in deprecated else "active" for name in names}


def _list_deprecated() -> Mapping[str, str]:
    # Not public, and elsewhere in the major before.
    for place in ("anthropic._data", "anthropic.resources.messages.messages"):
        with suppress(ImportError):
            found: Mapping[str, str] | None = getattr(
                import_module(place), "DEPRECATED_MODELS", None
            )
            if found is not None:
                return found
    return {}


def is_known(model: str, known: Mapping[str, str], account: Account) -> bool:
    """Tell whether the account may ask a model."""
    if account.any_model or model in known or model in account.models:
        return True
    plain = _DATE.sub("", model)
    if plain in _BESIDE_THE_TYPES or plain in known:
        return True
    return any(name.endswith("*") and model.startswith(name[:-1]) for name in account.models)


def refuse_model(model: str) -> Refusal:
    """Return the refusal of a model that does not exist."""
    return refuse_by(MODEL_KNOWN, f"model: {model}")


def describe_model(model: str, known: Mapping[str, str]) -> dict[str, Any]:
    """Return one model as the vendor describes it."""
    dated = _DATE.search(model)
    words = _DATE.sub("", model).split("-")
    name = " ".join(word[:1].upper() + word[1:] for word in words)
    return {
        "type": "model",
        "id": model,
        "display_name": re.sub(r"(?<=\d) (?=\d)", ".", name),
        "created_at": _UNKNOWN_DATE if dated is None else _read_date(dated.group(1)),
        "lifecycle": known.get(model, "active"),
    }


def _read_date(digits: str) -> str:
    try:
        day = datetime.strptime(digits, "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        return _UNKNOWN_DATE
    return day.strftime("%Y-%m-%dT00:00:00Z")


def form_page(
    query: Mapping[str, str], known: Mapping[str, str], account: Account
) -> dict[str, Any] | Refusal:
    """Return the page that a query asks for: newest first, as the SDK lists them."""
    limit = query.get("limit", str(_PAGE))
    if not limit.isdecimal() or not 1 <= int(limit) <= _LARGEST_PAGE:
        return refuse_by(PAGE, f"limit: Input should be between 1 and {_LARGEST_PAGE}")
    if "before_id" in query and "after_id" in query:
        return refuse_by(PAGE, "Cannot specify both before_id and after_id")
    own = sorted(name for name in account.models if not name.endswith("*") and name not in known)
    names = [*own, *known]
    cursor = query.get("after_id") or query.get("before_id")
    if cursor is not None and cursor not in names:
        return refuse_by(PAGE, f"Invalid cursor: {cursor}")
    if "before_id" in query:
        rest = names[: names.index(query["before_id"])]
        shown = rest[-int(limit) :]
    else:
        rest = names[names.index(cursor) + 1 if cursor else 0 :]
        shown = rest[: int(limit)]
    return {
        "data": [describe_model(name, known) for name in shown],
        "has_more": len(shown) < len(rest),
        "first_id": shown[0] if shown else None,
        "last_id": shown[-1] if shown else None,
    }
