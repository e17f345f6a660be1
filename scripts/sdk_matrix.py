"""Runs the gateway's conformance tests with the vendors' SDKs of the major before the current one.

    python scripts/sdk_matrix.py [--quick] [FOLDER]

The earlier SDKs are installed into FOLDER alone, without their dependencies, and stand before the
environment's own on the path. `--quick` takes the files that show most for each vendor.
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
EARLIER = {"openai": 2, "anthropic": 1, "google-genai": 2}
TESTS = "tests/integration/doubles"
QUICK = (
    *("openai/test_chat.py", "openai/test_chat_streams.py", "openai/test_errors.py"),
    *("anthropic/test_messages.py", "anthropic/test_errors.py"),
    *("gemini/test_gemini_generation.py", "gemini/test_gemini_errors.py"),
)
_VERSIONS = """
import json, sys
from importlib.metadata import version
import openai, anthropic, google.genai
found = {"openai": openai, "anthropic": anthropic, "google-genai": google.genai}
print(json.dumps({name: [version(name), module.__file__] for name, module in found.items()}))
"""


def main() -> int:
    """Install, look at what is imported, run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / ".venv-earlier-sdks")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    install(folder)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    check_versions(folder, environment)
    files = (
        [f"{TESTS}/{file}" for file in QUICK]
        if options.quick
        else [f"{TESTS}/{vendor}" for vendor in ("openai", "anthropic", "gemini")]
    )
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *files]
    return subprocess.run(  # noqa: S603  our own tests
        [sys.executable, *words], cwd=ROOT, env=environment, check=False
    ).returncode


def install(folder: Path) -> None:
    """Install the earlier SDKs, unless they are there."""
    wanted = [f"{name}>={major},<{major + 1}" for name, major in EARLIER.items()]
    marker = folder / "installed.json"
    if marker.exists() and json.loads(marker.read_text()) == wanted:
        return
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run(  # noqa: S603  pip, of fixed names
        [sys.executable, *words, "--upgrade", "--target", str(folder), *wanted], check=True
    )
    marker.write_text(json.dumps(wanted))


def check_versions(folder: Path, environment: dict[str, str]) -> None:
    """Exit unless exactly the earlier SDKs are what a test would import."""
    done = subprocess.run(  # noqa: S603  our own lines
        [sys.executable, "-c", _VERSIONS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    for name, (version, file) in json.loads(done.stdout).items():
        print(f"{name} {version}", flush=True)  # noqa: T201  what is tested
        is_earlier = version.startswith(f"{EARLIER[name]}.")
        if not (is_earlier and Path(file).is_relative_to(folder)):
            raise SystemExit(f"{name} {version} of {file} is not what was to be tested")


if __name__ == "__main__":
    sys.exit(main())
