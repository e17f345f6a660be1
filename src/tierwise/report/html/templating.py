"""Jinja2, set up so that no text can become markup: the one file that needs it."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

from tierwise.errors import MissingExtraError
from tierwise.report.html import wording
from tierwise.report.html.text import shorten, show_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

_HERE = "tierwise.report.html"
_LONGEST = 400
"""No value is longer in a page, unless its template asks for the whole of it."""
_CODE = re.compile(r"`([^`\n]+)`")


def open_templates() -> Environment:
    """Return an environment that escapes every value, and refuses a name that it does not know."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  an extra
    except ImportError as error:
        raise MissingExtraError(
            "tierwise report lays its page out with jinja2, which is not installed. "
            "Run: pip install 'tierwise[report]'"
        ) from error
    environment = Environment(
        loader=PackageLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    for function in (
        wording.tone_of,
        wording.say_state,
        wording.say_seconds,
        wording.say_when,
        wording.say_counts,
        wording.name_of,
        wording.file_of,
        wording.tier_of,
    ):
        environment.filters[function.__name__] = function
    environment.filters["whole"] = show_whole
    environment.filters["with_code"] = show_code
    return environment


def render(environment: Environment, template: str, values: Mapping[str, Any]) -> str:
    """Return a whole page: style and script within it, and a policy that allows no others."""
    style, script = read_asset("page.css"), read_asset(values.get("script", "page.js"))
    return environment.get_template(template).render(
        **values,
        # All three are ours: files, and a policy about them.
        style=mark_safe(style),
        code=mark_safe(script),
        csp=mark_safe(content_policy(style, script, can_ask=bool(values.get("can_ask")))),
    )


def mark_safe(text: str) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return text that was made here and goes into a page as it is."""
    from markupsafe import Markup  # noqa: PLC0415  comes with jinja2

    return Markup(text)  # noqa: S704  never what others wrote


def show_whole(text: str) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return what others wrote, escaped, however long it is: for text that was cut before."""
    from markupsafe import escape  # noqa: PLC0415  comes with jinja2

    return escape(show_text(text))


def show_code(text: str) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return a text of ours, escaped, with what stands in backticks as code."""
    from markupsafe import escape  # noqa: PLC0415  comes with jinja2

    return mark_safe(
        _CODE.sub(r"<code>\1</code>", str(escape(shorten(show_text(text), _LONGEST))))
    )


def content_policy(style: str, script: str, *, can_ask: bool = False) -> str:
    """Return a policy that lets this style and this script in, and nothing else at all.

    `can_ask` lets the page ask the server that it came from.
    """
    parts = [
        "default-src 'none'",
        f"style-src '{_hash(style)}'",
        f"script-src '{_hash(script)}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join([*parts, "connect-src 'self'"] if can_ask else parts)


def read_asset(name: str) -> str:
    """Return the text of a style or a script that comes with tierwise."""
    return resources.files(_HERE).joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _finalize(value: object) -> object:
    # Markup is a str of a kind of its own: what templates have made is left as it is.
    return shorten(show_text(value), _LONGEST) if type(value) is str else value
