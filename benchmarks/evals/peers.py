"""Make the environments: one for tierwise as its users have it, one for each peer in peers.txt."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

from engines import HERE, PEERS, ROOT

if TYPE_CHECKING:
    from pathlib import Path


def install_peers() -> None:
    """Install every peer that is not there yet; say which could not be, and go on."""
    peers = read_pins((HERE / "peers.txt").read_text(encoding="utf-8"))
    wanted = {folder_of(pins): pins for pins in peers}
    wanted["tierwise"] = ["--editable", f"{ROOT}[evals]"]
    for name, pins in wanted.items():
        folder = PEERS / name
        done = folder / "installed.txt"
        if done.exists() and done.read_text(encoding="utf-8") == " ".join(pins):
            continue
        print(f"installing {' '.join(pins)} ...", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            install(pins, folder)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"  not installed: {last_line(error)}", file=sys.stderr)
            shutil.rmtree(folder, ignore_errors=True)
        else:
            done.write_text(" ".join(pins), encoding="utf-8")


def read_pins(text: str) -> list[list[str]]:
    """Return the requirements of each environment."""
    lines = (line.strip() for line in text.splitlines())
    return [line.split() for line in lines if line and not line.startswith("#")]


def folder_of(pins: list[str]) -> str:
    """Return the name of the first requirement, without its version."""
    return re.split("==|@", pins[0])[0]


def install(pins: list[str], folder: Path) -> None:
    """Install Python packages into a virtual environment, npm's (name@version) beside it."""
    if "@" in pins[0]:
        folder.mkdir(parents=True)
        run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *pins])
        return
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", *pins])


def run(command: list[str]) -> None:
    """Run a command quietly; an error carries what it said."""
    subprocess.run(command, check=True, capture_output=True, text=True)


def last_line(error: Exception) -> str:
    """Return what an installer said last."""
    said = getattr(error, "stderr", "") or str(error)
    return said.strip().splitlines()[-1] if said.strip() else type(error).__name__
