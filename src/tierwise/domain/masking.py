"""Secrets taken out of text before it is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_KEY = re.compile(
    r"""
    (?<![A-Za-z0-9])
    (?:
        sk-(?:ant-|proj-|or-|live-|test-)?[A-Za-z0-9_-]{16,}   # OpenAI, Anthropic and their likes
      | [rs]k_(?:live|test)_[A-Za-z0-9]{16,}                  # Stripe
      | AIza[A-Za-z0-9_-]{30,}                                # Google
      | (?:AKIA|ASIA)[A-Z0-9]{16}                             # AWS
      | gh[pousr]_[A-Za-z0-9]{30,}                            # GitHub
      | github_pat_[A-Za-z0-9_]{30,}
      | glpat-[A-Za-z0-9_-]{16,}                              # GitLab
      | hf_[A-Za-z0-9]{30,}                                   # Hugging Face
      | xox[abprs]-[A-Za-z0-9-]{10,}                          # Slack
      | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}   # a signed web token
    )
    """,
    re.VERBOSE,
)
# In an address: what stands before the host, and values of a query that open a door.
_PASSWORD = re.compile(r"""(://[^\s/@:"'<>]*:)[^\s/"'<>]+(?=@)""")
_LONE_TOKEN = re.compile(r"""(://)[A-Za-z0-9_-]{16,}(?=@)""")
_IN_QUERY = re.compile(
    r"""(?ix) ([?&] (?:[\w-]*[_-])? (?:api_?key|token|secret|password|passwd|signature|sig) =)
    [^\s&\#"'<>[\]]{8,}"""
)
_QUERY_MARKS = ("key=", "token=", "secret=", "password=", "passwd=", "signature=", "sig=")
_BEARER = re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/-]{16,}=*")
# Each key holds one of these; looking for them is many times cheaper than the expression.
_MARKS = (
    *("sk-", "sk_", "rk_", "AIza", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "glpat-", "hf_", "xox", "eyJ"),
)
_SHORTEST_KEY = 8
_SECRET_NAME = re.compile(
    r"(?i)(?:(?:^|_)(?:KEY|TOKEN|SECRET|PAT)|API_?KEY|PASSWORD|PASSWD)(?:_?\d+)?$"
)
_SHORTEST_SECRET = 8
_SHORTEST_LINE = 16
_LONG, _SHOWN = 100, 32
"""A value longer than the first may be cut; so much of its beginning or end gives it away."""


def mask_keys(text: str) -> str:
    """Return the text with whatever looks like an API key replaced by `[masked key]`."""
    if not may_hold_key(text):
        return text
    text = _BEARER.sub(r"\1[masked key]", _KEY.sub("[masked key]", text))
    for pattern in (_PASSWORD, _LONE_TOKEN, _IN_QUERY):
        text = pattern.sub(r"\1[masked key]", text)
    return text


def may_hold_key(text: str) -> bool:
    """Tell, at little cost, whether `mask_keys` would have to look; False is certain."""
    if len(text) < _SHORTEST_KEY:
        return False
    if any(map(text.__contains__, _MARKS)) or ("@" in text and "://" in text):
        return True
    low = text.lower()
    return "bearer" in low or ("=" in low and any(map(low.__contains__, _QUERY_MARKS)))


def mask_values(text: str, values: Iterable[str]) -> str:
    """Return the text with each of the given values replaced; the longest goes first."""
    return _mask_sorted(text, _longest_first(values))


class Masker:
    """Masks what looks like a key, and some values, in many texts: most of them hold neither."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        given = tuple(values)
        self._values = _longest_first(form for value in given for form in _forms_of(value))
        self._cut = tuple(_as_cut(value) for value in given if len(value) > _LONG)
        escaped = (json.dumps(value, ensure_ascii=False)[1:-1] for value in self._values)
        self._in_json = (*self._values, *(v for v in escaped if v not in self._values))

    def has_work(self, text: str) -> bool:
        """Tell whether a text, or any text within JSON, may hold what is masked."""
        return (
            may_hold_key(text)
            or any(map(text.__contains__, self._in_json))
            or any(pattern.search(text) for pattern in self._cut)
        )

    def __call__(self, text: str) -> str:
        """Return the text as it may be kept."""
        if not text:
            return text
        masked = _mask_sorted(mask_keys(text), self._values)
        for pattern in self._cut:
            masked = pattern.sub("[masked value]", masked)
        return masked

    def name(self, text: str) -> str:
        """Return a name as it may be kept: names that differ in their secrets alone stay two.

        Four digits of a hash tell them apart, which is too little to find a secret by.
        """
        if not self.has_work(text):
            return text
        masked = self(text)
        return masked if masked == text else f"{masked}~{_tell_apart(text)}"


def _tell_apart(text: str) -> str:
    import hashlib  # noqa: PLC0415  hardly any name holds a secret

    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:4]


def _forms_of(value: str) -> Iterator[str]:
    """Yield a value as it is, as code and JSON write it, and its lines: each may be shown."""
    yield from (value, repr(value)[1:-1], json.dumps(value)[1:-1])
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield repr(f"{value}'\"")[1:-4]  # between other quotes
    lines = value.split("\n")
    if len(lines) > 1:
        yield from (line for line in map(str.strip, lines) if _is_telling(line))


def _is_telling(line: str) -> bool:
    return len(line) >= _SHORTEST_LINE and not line.startswith("-----")


def _as_cut(value: str) -> re.Pattern[str]:
    """Return what finds the beginning, or the end, of a long value that a message has cut."""
    begin, end = re.escape(value[:_SHOWN]), re.escape(value[-_SHOWN:])
    return re.compile(rf"{begin}[^\s'\"]*|\.\.\.[^\s'\"]*{end}")


def _longest_first(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}, key=len, reverse=True))


def _mask_sorted(text: str, values: Iterable[str]) -> str:
    for value in values:
        text = text.replace(value, "[masked value]")
    return text


def mask_leaves(value: Any, mask: Callable[[str], str]) -> Any:  # noqa: ANN401  JSON-like data
    """Return a copy of JSON-like data with `mask` applied to each string, keys included."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {mask(str(key)): mask_leaves(item, mask) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mask_leaves(item, mask) for item in value]
    return value


def secrets_of_environment(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of variables named like secrets (`..._API_KEY`, `..._TOKEN` ...).

    Values under 8 characters are left out: masking them would tear ordinary words apart.
    """
    return tuple(
        value
        for name, value in environ.items()
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET
    )
