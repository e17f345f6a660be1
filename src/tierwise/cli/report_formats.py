"""The report in the formats that programs read: JSON, JUnit, SARIF, GitHub Actions, a badge."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise._version import __version__
from tierwise.errors import ExitCode, MisuseError, suggest
from tierwise.records import RunStore, read_commit, read_fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.config import Config
    from tierwise.records import RunRow
    from tierwise.report.machine.values import Facts

FORMATS = ("json", "json-schema", "junit", "sarif", "github", "badge")
_NOTHING = (
    "Nothing is recorded that could be reported. Run `pytest` before, or take in what CI has "
    "recorded by `tierwise records import FILE`."
)
_NO_SARIF = " No SARIF was written: a file without results would close what is open."
_SUMMARY = "GITHUB_STEP_SUMMARY"


def write_report_as(
    config: Config, form: str, *, out: Path | None, run_name: str | None
) -> ExitCode:
    """Write the report in one of `FORMATS`, to a file or to stdout.

    Where there is nothing to report, that is said, and the exit code says it, too; SARIF is not
    even written, since a file without results closes what is open.

    Of `github` the annotations go to stdout, where GitHub reads them, and the summary to `out`,
    or else to the page of the job, or else to stdout too.
    """
    if form == "json-schema":
        from tierwise.report.machine.as_json import read_schema  # noqa: PLC0415  for one format

        _give(read_schema(), out)
        return ExitCode.OK
    facts = read_facts(config, run_name)
    is_empty = not facts.tests and not facts.evals
    if form == "github":
        _write_for_github(facts, out)
    elif form == "json":
        _give(write_facts(config, facts), out)
    elif not (is_empty and form == "sarif"):
        _give(render(facts, form), out)
    if is_empty:
        click.echo(_NOTHING + (_NO_SARIF if form == "sarif" else ""), err=True)
    return ExitCode.NOTHING_OBSERVED if is_empty else ExitCode.OK


def _give(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text(out, text)
        click.echo(f"written to {out}", err=True)


def read_facts(config: Config, run_name: str | None) -> Facts:
    """Return what the project's store holds, of one run or the latest of everything."""
    from tierwise.report.machine.gathering import gather, no_facts  # noqa: PLC0415  slow to load
    from tierwise.report.machine.values import Origin  # noqa: PLC0415

    now = datetime.now(UTC)

    def origin(run_id: str = "") -> Origin:
        return Origin(
            project=config.root.name,
            tierwise=__version__,
            made_at=now.isoformat(timespec="seconds"),
            commit=read_commit(config.root),
            run_id=run_id,
            folder=folder_in_repository(config.root),
        )

    store = RunStore.open_existing(config.store_path)
    if store is None:
        if run_name is not None:
            raise MisuseError(f"There is no run {run_name!r}: nothing is recorded. Run pytest.")
        return no_facts(config, origin=origin(), now=now)
    with store:
        run_id = "" if run_name is None else choose_run(run_name, store.runs())
        code_hash = read_fingerprint(config.root, whole=config.code_paths)
        return gather(store, config, origin=origin(run_id), code_hash=code_hash, now=now)


def choose_run(name: str, runs: Sequence[RunRow]) -> str:
    """Return the id of the run that is meant: `last`, an id, or a beginning that no other has."""
    ids = [run.run_id for run in runs]
    if not ids:
        raise MisuseError(f"There is no run {name!r}: nothing is recorded. Run pytest.")
    if name == "last":
        return ids[-1]
    found = [run_id for run_id in ids if name and run_id.startswith(name)]
    if name in found or len(found) == 1:
        return name if name in found else found[0]
    if found:
        raise MisuseError(f"{name!r} begins the ids of {len(found)} runs. Give more of the id.")
    raise MisuseError(f"There is no run {name!r}.{suggest(name, ['last', *ids[-5:]])}")


def folder_in_repository(root: Path) -> str:
    """Return the folder of the project within its Git repository; "" where it is the root."""
    for above in (root, *root.parents):
        if (above / ".git").exists():
            folder = root.relative_to(above).as_posix()
            return "" if folder == "." else folder
    return ""


def write_facts(config: Config, facts: Facts) -> str:
    """Return the facts as JSON; those of one run without what the page says of all runs."""
    from tierwise.cli.report import read_report  # noqa: PLC0415  it imports this file
    from tierwise.report.machine.as_json import write_json  # noqa: PLC0415  for one format

    return write_json(facts, None if facts.origin.run_id else read_report(config))


def render(facts: Facts, form: str) -> str:
    """Return the facts as the text of a format; that of `github` is the summary."""
    if form == "junit":
        from tierwise.report.machine.junit import write_junit  # noqa: PLC0415

        return write_junit(facts)
    if form == "sarif":
        from tierwise.cli.explain import find_pages, read_pages  # noqa: PLC0415
        from tierwise.report.machine.sarif import write_sarif  # noqa: PLC0415

        return write_sarif(facts, pages=read_pages(find_pages()), site=find_site())
    if form == "badge":
        from tierwise.report.machine.badge import write_badge  # noqa: PLC0415

        return write_badge(facts.levels)
    from tierwise.report.machine.job_summary import write_job_summary  # noqa: PLC0415

    return write_job_summary(facts)


def find_site() -> str:
    """Return where the documents are published, as the package itself says; "" if it does not."""
    try:
        links: list[str] = metadata("tierwise").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(link.split(", ", 1) for link in links if ", " in link)
    return named.get("Documentation", "")


def _write_for_github(facts: Facts, out: Path | None) -> None:
    from tierwise.report.machine.github import tame, write_annotations  # noqa: PLC0415

    click.echo(write_annotations(facts), nl=False)
    summary, page = render(facts, "github"), os.environ.get(_SUMMARY, "")
    if out is not None:
        write_text(out, summary)
    elif page:
        write_text(Path(page), summary, mode="a")
    else:
        click.echo(tame(summary), nl=False)


def write_text(path: Path, text: str, mode: str = "w") -> None:
    """Write a report to a file, and make its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise MisuseError(f"The report cannot be written to {path}: {error}.") from error
