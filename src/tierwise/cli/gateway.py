"""`tierwise gateway`: play vendors of models for programs in any language."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tierwise.errors import ExitCode, MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.doubles.gateway.gateway import Gateway
    from tierwise.doubles.gateway.serving import Server

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--scenario", "scenarios", type=_FILE, multiple=True, help="Rules, TOML or YAML.")
@click.option("--replay", type=_FILE, help="Answer with what this cassette holds.")
@click.option("--record", type=_FILE, help="Pass on to the real vendors; write this cassette.")
@click.option(
    "--upstream",
    "upstreams",
    multiple=True,
    metavar="[VENDOR=]URL",
    help="With --record: where a vendor is, if not at its own address.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=4010, help="0: any that is free.")
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--expose", is_flag=True, help="Listen where other machines can reach it, too.")
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object a line.")
def command(
    *,
    scenarios: tuple[Path, ...],
    replay: Path | None,
    record: Path | None,
    upstreams: tuple[str, ...],
    port: int,
    host: str,
    expose: bool,
    is_json: bool,
) -> int:
    """Play OpenAI, Anthropic and Gemini on a port, until Ctrl-C.

    Point a program's base URL there, by the variables that are printed. What it asked can be read
    at /_tierwise. Exits with 1 when something was asked that nothing was there for.
    """
    _check(scenarios, replay, record, upstreams=upstreams)
    _check_host(host, expose=expose)
    gateway = _make(scenarios, replay, record, upstreams=upstreams)
    from tierwise.doubles.gateway.serving.foreground import serve_until_told  # noqa: PLC0415

    serve_until_told(
        gateway,
        host=host,
        port=port,
        any_host=expose,
        begun=lambda server: _tell_begin(server, is_json=is_json),
    )
    return _tell_end(gateway, record, is_json=is_json)


def _check(
    scenarios: Sequence[Path],
    replay: Path | None,
    record: Path | None,
    *,
    upstreams: Sequence[str],
) -> None:
    if not (scenarios or replay or record):
        raise MisuseError(
            "There is nothing to answer with. Give `--scenario FILE` with rules, `--replay FILE` "
            "with a cassette, or `--record FILE` to pass requests on and keep what comes back."
        )
    if record and (scenarios or replay):
        raise MisuseError("--record passes everything on; it goes with no --scenario or --replay.")
    if upstreams and not record:
        raise MisuseError("--upstream says where --record passes requests on to; add --record.")


def _check_host(host: str, *, expose: bool) -> None:
    from tierwise.doubles.gateway.doors.door import is_loopback  # noqa: PLC0415  slow to load

    if not (expose or is_loopback(host)):
        raise MisuseError(
            f"--host {host} is not this machine alone: whoever reaches it could read what your "
            "programs asked. Leave it out, or add --expose if that is what you want."
        )


def _make(
    scenarios: Sequence[Path],
    replay: Path | None,
    record: Path | None,
    *,
    upstreams: Sequence[str],
) -> Gateway:
    from tierwise.doubles.gateway.gateway import Gateway  # noqa: PLC0415  slow to load
    from tierwise.doubles.gateway.vendors import find_keys  # noqa: PLC0415

    gateway = Gateway(real_time=True)
    for scenario in scenarios:
        gateway.load(scenario)
    if replay is not None:
        gateway.replay(replay, repeat=True, with_delays=True)
    if record is not None:
        gateway.record(record, upstreams=read_upstreams(upstreams), keys=find_keys(os.environ))
    return gateway


def read_upstreams(given: Sequence[str]) -> dict[str, str]:
    """Return the address of each vendor that has another one; one without a name is for all."""
    from tierwise.doubles.gateway.vendors import KEYS  # noqa: PLC0415  slow to load

    found: dict[str, str] = {}
    for one in given:
        vendor, has_name, url = one.partition("=")
        if not has_name or "/" in vendor:
            found |= dict.fromkeys(KEYS, one)
        elif vendor in KEYS:
            found[vendor] = url
        else:
            raise MisuseError(f"--upstream {one}: no vendor {vendor!r}.{suggest(vendor, KEYS)}")
    return found


def _tell_begin(server: Server, *, is_json: bool) -> None:
    from tierwise.doubles.gateway.serving.page import JOURNAL_PATH, PAGE_PATH  # noqa: PLC0415
    from tierwise.doubles.gateway.vendors import BASE_URLS  # noqa: PLC0415

    bases = {vendor: server.base_url(vendor) for vendor in BASE_URLS}
    variables = {name: value for name, value in server.environment.items() if value is not None}
    shown = {n: v for n, v in variables.items() if n.endswith(("_API_KEY", "_BASE_URL"))}
    if is_json:
        told: dict[str, Any] = {
            "event": "listening",
            "url": server.url,
            "base_urls": bases,
            "environment": shown,
            "page": f"{server.url}{PAGE_PATH}",
            "journal": f"{server.url}{JOURNAL_PATH}",
        }
        _print(json.dumps(told))
        return
    _print(f"The gateway listens on {server.url}; Ctrl-C ends it.\n")
    for vendor, url in bases.items():
        _print(f"  {vendor:<10} {url}")
    _print("\nPoint a program there:\n")
    for name, value in shown.items():
        _print(f"  export {name}={shlex.quote(value)}")
    _print(f"\nWhat was asked: {server.url}{PAGE_PATH}")


def _tell_end(gateway: Gateway, record: Path | None, *, is_json: bool) -> int:
    from tierwise.doubles.gateway.serving.summary import summarise  # noqa: PLC0415  slow

    gateway.finish()
    summary = summarise(gateway)
    code = ExitCode.FAILED if summary.unmatched else ExitCode.OK
    if is_json:
        _print(json.dumps({"event": "ended", **summary.as_data(), "exit_code": int(code)}))
        return code
    _print(f"\n{summary}")
    if record is not None and record.exists():
        _print(f"Recorded in {record}. Read it before you commit it.")
    return code


def _print(text: str) -> None:
    # Whoever waits for the first line reads a pipe; nothing may stay in a buffer.
    click.echo(text)
