"""`tierwise init`: a first [tool.tierwise] table that fits the folders of this project."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.config import default_tiers, parse_config
from tierwise.config.defaults import usual_capabilities
from tierwise.domain import Allowance, Capability, Level, Mode, Tier
from tierwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TEST_FOLDERS = ("tests", "test")
_MONOREPO = "packages/*/tests"
_AUDITS = ("audit.json", "audit.html")
_HEADER = re.compile(r"^\s*\[+\s*([^\]#]+?)\s*\]")
_OURS = "tool.tierwise."


@click.command("init")
@click.option("--dry-run", is_flag=True, help="Print the table and write nothing.")
@click.option(
    "--mode",
    # Plain texts: click would show the names of an enum's members.
    type=click.Choice([str(Mode.ENFORCE), str(Mode.REPORT)], case_sensitive=False),
    default=str(Mode.ENFORCE),
    show_default=True,
    help="report: say what breaks the tiers without blocking it.",
)
@click.option(
    "--from-audit",
    "audit",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The audit that proposes the table; audit.json or audit.html of this folder unless said.",
)
@click.option(
    "--force", "is_forced", is_flag=True, help="Replace a [tool.tierwise] that is there."
)
def command(*, dry_run: bool, mode: str, audit: Path | None, is_forced: bool) -> None:
    """Write a first [tool.tierwise] table: the one that the last audit proposes, if there is one.

    Without an audit it goes by the folders found here. Appends to pyproject.toml; changes nothing
    that is there, and refuses when there is a table, unless --force replaces it.
    """
    root = Path.cwd()
    file = root / "pyproject.toml"
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if is_forced:
        before = without_table(before, file)
    refuse_second_table(before, file)
    audit = audit or find_last_audit(root)
    table = table_of_audit(audit, mode) if audit else table_of_folders(root, mode)
    source = f"from {audit.name}" if audit else "from the folders that are here"
    if dry_run:
        click.echo(table, nl=False)
        return
    check_appended(before, table, root)
    file.write_text(join(before, table), encoding="utf-8")
    verb = "Added [tool.tierwise] to" if before else "Wrote"
    click.echo(f"{verb} {file}, {source}:\n\n{table}")
    click.echo(
        "Next: run pytest. Each tier's tests are held to its `allow` list; tierwise baseline "
        "accepts what cannot be mended today."
    )


def table_of_folders(root: Path, mode: str) -> str:
    """Return the table that fits the names of the folders."""
    return write_table(find_tiers(find_test_folders(root)), find_packages(root), Mode(mode))


def table_of_audit(audit: Path, mode: str) -> str:
    """Return the table that an audit proposes."""
    from tierwise.audit.proposed import read_proposal  # noqa: PLC0415  not without an audit

    table = read_proposal(audit.read_text(encoding="utf-8"), audit.name)
    if Mode(mode) is Mode.ENFORCE:
        return table
    return table.replace("[tool.tierwise]\n", f'[tool.tierwise]\nmode = "{mode}"\n', 1)


def find_last_audit(root: Path) -> Path | None:
    """Return the audit that lies in the folder; its data before its page."""
    return next((root / name for name in _AUDITS if (root / name).is_file()), None)


def without_table(text: str, file: Path) -> str:
    """Return the text without its `[tool.tierwise]` tables, all else as it is."""
    kept, is_ours = [], False
    for line in text.splitlines(keepends=True):
        header = _HEADER.match(line)
        if header:
            name = header.group(1).replace('"', "").replace(" ", "").strip("[")
            is_ours = f"{name}.".startswith(_OURS)
        if not is_ours:
            kept.append(line)
    rest = "".join(kept)
    try:
        is_gone = "tierwise" not in tomllib.loads(rest).get("tool", {})
        is_rest = tomllib.loads(text) | {"tool": None} == tomllib.loads(rest) | {"tool": None}
    except tomllib.TOMLDecodeError:
        is_gone = is_rest = False
    if not (is_gone and is_rest):
        raise ConfigError(
            f"{file}: its tool.tierwise is written in a way that --force cannot take out. "
            "Nothing was written: take it out yourself, then run tierwise init again."
        )
    return rest


def refuse_second_table(text: str, file: Path) -> None:
    """Raise ConfigError when the file has a `[tool.tierwise]` table, or is no TOML."""
    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}. Nothing was written.") from error
    if "tierwise" in tool:
        raise ConfigError(
            f"{file} has a [tool.tierwise] table already. Nothing was written: edit that one, or "
            "replace it with tierwise init --force. docs/configuration.md lists its keys."
        )


def find_test_folders(root: Path) -> tuple[str, ...]:
    """Return the test folder, the folders right below it, and the pattern of packages' tests."""
    tests = next((name for name in _TEST_FOLDERS if (root / name).is_dir()), None)
    found = [_MONOREPO] if any(root.glob(_MONOREPO)) else []
    if tests is not None:
        below = sorted(folder.name for folder in (root / tests).iterdir() if folder.is_dir())
        found += [tests, *(f"{tests}/{name}" for name in below)]
    return tuple(found)


def find_packages(root: Path) -> tuple[str, ...]:
    """Return the project's own packages: below src, or at the top."""
    for base, prefix in ((root / "src", "src/"), (root, "")):
        found = sorted(p.parent.name for p in base.glob("*/__init__.py"))
        own = [f"{prefix}{name}" for name in found if name not in _TEST_FOLDERS]
        if own:
            return tuple(own)
    return ()


def find_tiers(folders: Sequence[str]) -> tuple[Tier, ...]:
    """Return a tier for each folder that has the name of a level or of a usual tier.

    Where no folder has, the unit tier takes the whole test folder, temporary files allowed. The
    evals tier is always there: the first eval should find its place.
    """
    known = {**{str(level): _tier_of_level(level) for level in Level}, **_usual_tiers()}
    claims: dict[str, list[str]] = {}
    for folder in folders:
        name = "unit" if folder == _MONOREPO else folder.rpartition("/")[2]
        if name in known:
            claims.setdefault(name, []).append(folder)
    if not claims and folders:
        claims["unit"] = list(folders[:1])
        known["unit"] = replace(known["unit"], allow=_allow(Capability.TMP))
    if not claims:
        claims["unit"] = []
    claims.setdefault("evals", [])
    top = next((folder for folder in folders if folder in _TEST_FOLDERS), _TEST_FOLDERS[0])
    return tuple(
        replace(known[name], paths=tuple(claims[name]) or (f"{top}/{name}",))
        for name in known
        if name in claims
    )


def _usual_tiers() -> dict[str, Tier]:
    return {tier.name: tier for tier in default_tiers()}


def _tier_of_level(level: Level) -> Tier:
    return Tier(name=level, level=level, allow=_allow(*usual_capabilities(level)))


def _allow(*capabilities: Capability) -> tuple[Allowance, ...]:
    return tuple(Allowance(capability=capability) for capability in capabilities)


def write_table(tiers: Iterable[Tier], packages: Sequence[str], mode: Mode) -> str:
    """Return the table as TOML."""
    lines = ["[tool.tierwise]"]
    if mode is not Mode.ENFORCE:
        lines.append(f'mode = "{mode}"')
    if packages:
        lines.append(f"packages = {json.dumps(list(packages))}")
    for tier in tiers:
        lines += ["", write_tier(tier)]
    return "\n".join(lines) + "\n"


def write_tier(tier: Tier) -> str:
    """Return the table of one tier as TOML."""
    lines = [f"[tool.tierwise.tiers.{tier.name}]"]
    if tier.question:
        lines.append(f"question = {json.dumps(tier.question)}")
    lines.append(f'level = "{tier.level}"')
    lines.append(f"paths = {json.dumps(list(tier.paths))}")
    lines.append(f"allow = {json.dumps([str(allowance) for allowance in tier.allow])}")
    if tier.deliberate:
        lines.append("deliberate = true  # not part of a bare pytest; run it with --tier")
    return "\n".join(lines)


def join(before: str, table: str) -> str:
    """Return the file's text with the table at its end, a blank line between."""
    return f"{before.rstrip()}\n\n{table}" if before.strip() else table


def check_appended(before: str, table: str, root: Path) -> None:
    """Raise ConfigError unless the file with the table in it reads as it should."""
    try:
        read = tomllib.loads(join(before, table))["tool"]["tierwise"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{root / 'pyproject.toml'} would not be valid TOML with the table at its end: "
            f"{error}. Nothing was written; paste the output of tierwise init --dry-run yourself."
        ) from error
    parse_config(read, root)
