"""`tierwise audit`: what a suite is like today, on any pytest project, with nothing set up."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise._version import __version__
from tierwise.cli.audit_order import BUDGET_S, search_order
from tierwise.cli.audit_sarif import write_findings
from tierwise.cli.init import find_packages
from tierwise.config import load_config
from tierwise.errors import ConfigError, ExitCode, MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.audit.concluding import OrderEvidence
    from tierwise.audit.events import Progress
    from tierwise.audit.facts import RunFacts
    from tierwise.audit.findings import Audit

_PAGE = "audit.html"
_SECONDS = click.FloatRange(min=0, min_open=True)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, metavar="[PATH]... [-- PYTEST OPTIONS]")
@click.option("--json", "is_json", is_flag=True, help="Print plain data, and write no page.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Where the page goes; {_PAGE} in this folder unless said.",
)
@click.option(
    "--sarif",
    "sarif",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the findings as SARIF, too, for a code host.",
)
@click.option("--no-run", "is_collected_only", is_flag=True, help="Collect, and run nothing.")
@click.option("--from-run", "run_name", metavar="RUN", help="Take a recorded run: its id, `last`.")
@click.option("--order", "is_order", is_flag=True, help="Look for tests that depend on order.")
@click.option(
    "--max-seconds",
    type=_SECONDS,
    help=f"End the search of --order after so many seconds; {BUDGET_S:g} unless said.",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=_SECONDS,
    default=300.0,
    show_default=True,
    help="Seconds after which a test that says nothing is taken to hang.",
)
def command(  # noqa: PLR0913  one an option
    *,
    arguments: tuple[str, ...],
    is_json: bool,
    page: Path | None,
    sarif: Path | None,
    is_collected_only: bool,
    run_name: str | None,
    is_order: bool,
    max_seconds: float | None,
    timeout_s: float,
) -> int:
    """Run the tests once and say what they are like: no set-up, and nothing is changed.

    Says which level each test is of and what it touches beyond it, what is never collected or
    never run by CI, what is skipped, slow or reaches the network, what ended a session, and what
    to do first. Whatever the tests do, it says how far it got.

    Exit code: 0 audited to the end (findings are no failure), 10 it could not be audited to the
    end, 5 no tests found, 4 used wrongly, 2 interrupted.
    """
    if is_order and is_collected_only:
        raise MisuseError("--order runs the tests: leave out --no-run.")
    if max_seconds is not None and not is_order:
        raise MisuseError("--max-seconds ends the search of --order: give both, or neither.")
    here, is_run = Path.cwd(), not is_collected_only and run_name is None
    run = run_audited(arguments, timeout_s=timeout_s, is_run=is_run)
    if run_name is not None:
        run = add_run(run, run_name, here)
    order = None
    if is_order and run.tests:
        order = search_order(run, arguments, timeout_s=timeout_s, budget_s=max_seconds)
    audit = gather(run, arguments, here, order)
    if is_json:
        from tierwise.audit.as_data import as_data  # noqa: PLC0415  for --json

        # Escaped to ASCII, so that no test's name reaches a terminal as a command.
        click.echo(json.dumps(as_data(audit), indent=2).replace("\x7f", "\\u007f"))
    else:
        show(audit)
    if page is not None or not is_json:
        write_page(audit, page or here / _PAGE)
    if sarif is not None:
        write_findings(audit, sarif, here, is_part=bool(arguments))
    return exit_code_of(run, order)


def run_audited(arguments: tuple[str, ...], *, timeout_s: float, is_run: bool) -> RunFacts:
    """Run or collect the tests, and show how far it is."""
    from tierwise.audit.running import Asked, run_suite  # noqa: PLC0415  loads much

    asked = Asked(arguments=arguments, is_run=is_run, timeout_s=timeout_s)
    tell, end = open_meter()
    try:
        return run_suite(asked, os.environ, tell)
    finally:
        end()


def add_run(collected: RunFacts, name: str, here: Path) -> RunFacts:
    """Return the collected tests with the results of a recorded run."""
    from tierwise.audit.recorded import add_recorded  # noqa: PLC0415  for one option
    from tierwise.records import RunStore  # noqa: PLC0415

    config = load_config(Path(collected.session.rootdir or here))
    store = RunStore.open_existing(config.store_path)
    if store is None:
        raise MisuseError(
            f"--from-run: there is no run store at {config.store_path}. Leave the option out, and "
            "the tests are run; or run pytest once in a project with a [tool.tierwise] table."
        )
    with store:
        return add_recorded(collected, store, name)


def open_meter() -> tuple[Callable[[Progress], None], Callable[[], None]]:
    """Return what shows the progress on a terminal, and what takes it away again."""
    if not sys.stderr.isatty():
        return (lambda progress: None), (lambda: None)  # noqa: ARG005  called alike

    def tell(progress: Progress) -> None:
        what = f"{progress.n_begun:,} of {progress.n_wanted:,}" if progress.n_wanted else "..."
        sys.stderr.write(f"\rauditing {what}")
        sys.stderr.flush()

    def end() -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    return tell, end


def gather(
    run: RunFacts, arguments: tuple[str, ...], here: Path, order: OrderEvidence | None
) -> Audit:
    """Read the files of the project, and conclude."""
    from tierwise.audit.ci.project import ProjectFolder  # noqa: PLC0415  loads much
    from tierwise.audit.ci.reading import read_ci  # noqa: PLC0415
    from tierwise.audit.concluding import Evidence, conclude  # noqa: PLC0415
    from tierwise.audit.tree import read_test_files  # noqa: PLC0415

    root = Path(run.session.rootdir) if run.session.rootdir else here
    named = [here / argument.partition("::")[0] for argument in arguments]
    scopes = [path for path in named if path.exists()] or [here]
    project = ProjectFolder(root)
    return conclude(
        Evidence(
            project=root.name or str(root),
            run=run,
            files=read_test_files(root, scopes),
            ci=read_ci(project),
            exists=project.has,
            packages=find_packages(root),
            elsewhere="" if root.resolve() == here.resolve() else str(root),
            is_declared=is_declared(root),
            order=order,
        )
    )


def is_declared(root: Path) -> bool:
    """Tell whether the project has a table; one that cannot be read is there too."""
    try:
        return load_config(root).declared
    except ConfigError:
        return True


def show(audit: Audit) -> None:
    """Print the audit."""
    from tierwise.report.audit.lines import write_lines  # noqa: PLC0415  not for --json

    for line in write_lines(audit):
        click.echo(line)


def write_page(audit: Audit, path: Path) -> None:
    """Write the page; without the package that lays it out, say so and go on."""
    from tierwise.errors import MissingExtraError  # noqa: PLC0415  seldom
    from tierwise.report.audit.page import render_audit  # noqa: PLC0415  slow to load
    from tierwise.report.html.page import Rendered  # noqa: PLC0415
    from tierwise.report.html.writing import write_page as write  # noqa: PLC0415

    made_at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    try:
        html = render_audit(audit, made_at=made_at, version=__version__)
    except MissingExtraError:
        click.echo("no page was written: pip install 'tierwise[report]'", err=True)
        return
    write(Rendered(html=html), path)
    click.echo(f"written to {path}", err=True)


def exit_code_of(run: RunFacts, order: OrderEvidence | None = None) -> ExitCode:
    """Return how the command exits: findings are no failure."""
    if order is not None and order.is_interrupted:
        return ExitCode.INTERRUPTED
    if order is not None and order.unfinished:
        return ExitCode.UNDECIDED
    if run.is_complete:
        return ExitCode.OK if run.tests else ExitCode.NOTHING_COLLECTED
    if any(end.kind == "usage" for end in run.ends) and not run.tests:
        return ExitCode.USAGE
    return ExitCode.UNDECIDED
