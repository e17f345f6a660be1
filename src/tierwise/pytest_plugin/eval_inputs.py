"""One hash of all that a trial rests on besides its case: files, packages, interpreter."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import distributions
from typing import TYPE_CHECKING

from tierwise.records import read_fingerprint

if TYPE_CHECKING:
    from tierwise.config import Config


def hash_inputs(config: Config) -> str:
    """Return the hash; "" when the project's files cannot be read.

    Files below the project's root count, those that prompts are written in included, and the
    versions of all installed packages, since an upgrade may change what a model is asked.
    """
    files = read_fingerprint(config.root, whole=config.code_paths, texts=True)
    if not files:
        return ""
    installed = {f"{entry.name}=={entry.version}" for entry in distributions()}
    text = "\n".join([files, platform.python_version(), *sorted(installed)])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
