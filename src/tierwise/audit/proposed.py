"""The table that an audit proposes, read back from its JSON or its page."""

from __future__ import annotations

import html
import json
import re

from tierwise.errors import MisuseError

_ON_PAGE = re.compile(r'<pre id="proposed-table">(.*?)</pre>', re.DOTALL)


def read_proposal(text: str, path: str) -> str:
    """Return the table; MisuseError when the file is no audit, or proposes none."""
    table = _from_json(text, path) if text.lstrip().startswith("{") else _from_page(text)
    if not isinstance(table, str) or not table.startswith("[tool.tierwise]"):
        raise MisuseError(
            f"{path} is no audit, or one that proposes no table, since no test was collected. "
            "Nothing was written. Write an audit with: tierwise audit"
        )
    return table


def _from_json(text: str, path: str) -> object:
    try:
        return json.loads(text)["proposal"]["toml"]
    except (ValueError, KeyError, TypeError) as error:
        raise MisuseError(
            f"{path} is no audit: {error!r}. Nothing was written. Write one with: "
            "tierwise audit --json > audit.json"
        ) from error


def _from_page(text: str) -> str | None:
    found = _ON_PAGE.search(text)
    return html.unescape(found.group(1)) if found else None
