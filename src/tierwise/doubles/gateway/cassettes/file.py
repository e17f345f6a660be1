"""A cassette as a file: JSON in a stable order, replaced in one step or not at all."""

from __future__ import annotations

import base64
import json
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.cassettes.cassette import Asking, Cassette, Interaction
from tierwise.doubles.gateway.wire import Chunk, Ending
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = 1
_RE_RECORD = "Record it anew, or take it from version control."


def read_cassette(path: str | os.PathLike[str]) -> Cassette:
    """Return what a file holds; raises `MisuseError`, saying why, where it is no cassette."""
    file = Path(path)
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise MisuseError(
            f"There is no cassette {file}. Record it: pytest --tierwise-record, or "
            f"`tierwise gateway --record {file}`."
        ) from error
    except OSError as error:
        raise MisuseError(f"The cassette {file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise MisuseError(f"The cassette {file} is no JSON: {error}. {_RE_RECORD}") from error
    if not isinstance(found, dict) or found.get("tierwise_cassette") != FORMAT:
        raise MisuseError(
            f"{file} is no cassette of format {FORMAT}: its tierwise_cassette is missing or "
            f"another. {_RE_RECORD}"
        )
    try:
        return Cassette(
            recorded_at=datetime.fromisoformat(found["recorded_at"]),
            interactions=tuple(map(_read_interaction, found["interactions"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MisuseError(f"The cassette {file} lacks or misuses {error}. {_RE_RECORD}") from error


def _read_interaction(given: Mapping[str, Any]) -> Interaction:
    asked, answered = given["request"], given["response"]
    return Interaction(
        asking=Asking(
            vendor=asked["vendor"],
            method=asked["method"],
            path=asked["path"],
            query=asked.get("query", {}),
            body=asked.get("body"),
        ),
        status=answered["status"],
        headers=tuple((str(name), str(value)) for name, value in answered["headers"]),
        json=answered.get("json"),
        has_json="json" in answered,
        chunks=tuple(map(_read_chunk, answered.get("chunks", ()))),
        before_s=answered["before_s"],
        ending=Ending(answered.get("ending", Ending.COMPLETE)),
    )


def _read_chunk(given: Mapping[str, Any]) -> Chunk:
    if "base64" in given:
        return Chunk(base64.b64decode(given["base64"], validate=True), given["after_s"])
    return Chunk(given["text"].encode(), given["after_s"])


def write_text(cassette: Cassette) -> str:
    """Return a cassette as the text of its file."""
    found = {
        "tierwise_cassette": FORMAT,
        "recorded_at": cassette.recorded_at.isoformat(timespec="seconds"),
        "interactions": [_write_interaction(one) for one in cassette.interactions],
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _write_interaction(one: Interaction) -> dict[str, Any]:
    asking = one.asking
    request: dict[str, Any] = {
        "vendor": asking.vendor,
        "method": asking.method,
        "path": asking.path,
    }
    if asking.query:
        request["query"] = dict(sorted(asking.query.items()))
    if asking.body is not None:
        request["body"] = asking.body
    response: dict[str, Any] = {
        "status": one.status,
        "before_s": one.before_s,
        "headers": [list(pair) for pair in one.headers],
    }
    if one.has_json:
        response["json"] = one.json
    else:
        response["chunks"] = list(map(_write_chunk, one.chunks))
    if one.ending is not Ending.COMPLETE:
        response["ending"] = str(one.ending)
    return {"request": request, "response": response}


def _write_chunk(chunk: Chunk) -> dict[str, Any]:
    try:
        return {"after_s": chunk.after_s, "text": chunk.data.decode()}
    except UnicodeDecodeError:
        return {"after_s": chunk.after_s, "base64": base64.b64encode(chunk.data).decode()}


def replace_file(path: Path, text: str) -> None:
    """Write a file so that whoever reads it, at any moment, finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
