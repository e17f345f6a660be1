"""`tierwise report`: one HTML page that says what the build proves, or a live view of a run."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise._version import __version__
from tierwise.cli.report_formats import FORMATS, write_report_as
from tierwise.config import Config, load_config
from tierwise.errors import ExitCode, MisuseError
from tierwise.records import RunStore, read_commit, read_fingerprint

if TYPE_CHECKING:
    from tierwise.contracts.standing import Terms
    from tierwise.report.html.page import Rendered
    from tierwise.report.html.values import Report, Source

_NAME = "report.html"


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Where to; the page: .tierwise/{_NAME} unless said.",
)
@click.option("--serve", "is_served", is_flag=True, help="Show a running eval live instead.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="For --serve; any free one unless said.",
)
@click.option("--json", "is_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", *FORMATS]),
    default="html",
    help="What to write; the others are for programs and go to stdout, or to --out.",
)
@click.option("--run", "run_name", help="One run, for the formats of programs: an id, or `last`.")
def command(
    *,
    out: Path | None,
    is_served: bool,
    port: int,
    is_json: bool,
    form: str,
    run_name: str | None,
) -> int:
    """Write one page that says what the build proves: offline, self-contained, in one file.

    Where there are more transcripts than fit, they lie in a folder beside it. --serve shows the
    progress, outcomes and spending of the eval that runs now, on this machine alone, until
    Ctrl-C.
    """
    if is_json and form not in ("html", "json"):
        raise MisuseError(f"--json is --format json, and --format {form} is another: use one.")
    form = "json" if is_json else form
    if is_served and (is_json or out is not None):
        raise MisuseError(
            "tierwise report --serve shows a page and writes nothing: leave out --json and --out."
        )
    is_for_programs = form != "html"
    if is_for_programs and is_served:
        raise MisuseError(f"--format {form} is a report of its own: leave out --serve.")
    if run_name is not None and not is_for_programs:
        raise MisuseError(
            "--run is for --format json, junit, sarif and github: the page shows all runs."
        )
    config = load_config(Path.cwd())
    if is_for_programs:
        return write_report_as(config, form, out=out, run_name=run_name)
    if is_served:
        return serve(config, port)
    path = out or config.root / ".tierwise" / _NAME
    if path.is_dir():
        raise MisuseError(
            f"--out {path} is a folder. Name a file in it: tierwise report --out {path / _NAME}"
        )
    report = read_report(config)
    _write(report, path)
    return ExitCode.OK


def read_report(config: Config) -> Report:
    """Return what the project's store holds; no store is a report that says so."""
    from tierwise.report.html.gathering import empty_report, gather_report  # noqa: PLC0415  slow

    source, terms = source_of(config), terms_of(config)
    store = RunStore.open_existing(config.store_path)
    if store is None:
        return empty_report(source, config, terms)
    with store:
        return gather_report(store, config, source=source, terms=terms)


def source_of(config: Config) -> Source:
    """Return where the report comes from, as its head says it."""
    from tierwise.report.html.values import Source  # noqa: PLC0415  slow to load

    return Source(
        project=config.root.name,
        store=config.store_path.relative_to(config.root).as_posix(),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        tierwise=__version__,
        commit=read_commit(config.root),
        is_declared=config.declared,
    )


def terms_of(config: Config) -> Terms:
    """Return what a proof is measured by, here and now."""
    from tierwise.contracts.standing import Terms  # noqa: PLC0415  slow to load

    return Terms(
        now=datetime.now(UTC),
        max_age_days=config.contracts.max_age_days,
        code_hash=read_fingerprint(config.root, whole=config.code_paths),
    )


def serve(config: Config, port: int) -> ExitCode:
    """Show the running eval until Ctrl-C."""
    from tierwise.report.html.serving import open_server, serve_until_stopped  # noqa: PLC0415

    server = open_server(config.store_path, project=config.root.name, port=port)
    click.echo(f"live view: {server.url}  (Ctrl-C ends it)")
    serve_until_stopped(server)
    click.echo("stopped")
    return ExitCode.OK


def _write(report: Report, path: Path) -> None:
    from tierwise.report.html.headline import write_headline  # noqa: PLC0415  slow to load
    from tierwise.report.html.page import render_report  # noqa: PLC0415
    from tierwise.report.html.writing import folder_of, write_page  # noqa: PLC0415

    rendered: Rendered = render_report(report, folder=folder_of(path).name)
    write_page(rendered, path)
    headline = write_headline(report)
    click.echo(f"{headline.title}. {headline.sentence}")
    beside = f", with {folder_of(path).name} beside it" if rendered.beside else ""
    click.echo(f"written to {path}{beside}")
