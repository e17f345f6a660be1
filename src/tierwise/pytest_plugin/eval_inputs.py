"""One hash of all that a trial rests on besides its case: files, packages, interpreter."""

from __future__ import annotations

import hashlib
import json
import platform
import tomllib
from importlib.metadata import distributions
from typing import TYPE_CHECKING

from tierwise.records import read_fingerprint

if TYPE_CHECKING:
    from tierwise.config import Config

_OF_THE_RUN = frozenset(
    {
        "cache",
        "call_timeout_s",
        "concurrency",
        "max_calls",
        "max_seconds",
        "max_tokens",
        "max_usd",
        "prices",
        "provider",
        "retries",
    }
)
"""Keys that say how trials are carried out and paid for, and nothing of what is asked."""


def hash_inputs(config: Config) -> str:
    """Return the hash; "" when the project's files cannot be read.

    Files below the project's root count, those that prompts are written in included, and the
    versions of all installed packages, since an upgrade may change what a model is asked.
    """
    files = read_fingerprint(
        config.root,
        whole=config.code_paths,
        texts=True,
        reduce={"pyproject.toml": leave_out_the_run},
    )
    if not files:
        return ""
    installed = {f"{entry.name}=={entry.version}" for entry in distributions()}
    text = "\n".join([files, platform.python_version(), *sorted(installed)])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def leave_out_the_run(text: bytes) -> bytes:
    """Return a pyproject.toml without what only concerns how evals are carried out.

    A larger budget goes on with the trials that are paid for.
    """
    try:
        content = tomllib.loads(text.decode())
        evals = content["tool"]["tierwise"]["evals"]
        content["tool"]["tierwise"]["evals"] = {
            key: value for key, value in evals.items() if key not in _OF_THE_RUN
        }
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError):
        return text
    return json.dumps(content, sort_keys=True, default=str).encode()
