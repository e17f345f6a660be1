"""`tierwise gateway` as a program: what it prints, serves, refuses, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.cli.gateway import read_upstreams
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHAT = {"model": "gpt-5", "messages": [{"role": "user", "content": "the capital?"}]}
SCENARIO = '[[rules]]\nwhen = { last_user = "capital" }\nsay = "Paris"\n'


@contextmanager
def started(folder: Path, *options: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tierwise", "gateway", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_first(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.stderr and process.stderr.read()
    return json.loads(line)


def post(url: str, body: Any = CHAT, *, key: str = "test-key") -> tuple[int, Any]:
    request = urllib.request.Request(  # noqa: S310  of loopback
        f"{url}/chat/completions",
        data=json.dumps(body).encode(),
        headers={"authorization": f"Bearer {key}", "content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def end(process: subprocess.Popen[str], number: int = signal.SIGTERM) -> tuple[int, str]:
    process.send_signal(number)
    told, _ = process.communicate(timeout=30)
    return process.returncode, told


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    (tmp_path / "s.toml").write_text(SCENARIO)
    return str(tmp_path / "s.toml")


def test_programs_are_answered_and_the_end_tells_of_them(tmp_path: Path, scenario: str) -> None:
    """The first line leads there, the page shows it, SIGTERM ends it with a summary and 0."""
    with started(tmp_path, "--scenario", scenario, "--port", "0", "--json") as process:
        first = read_first(process)
        base = first["base_urls"]["openai"]
        assert first["environment"]["OPENAI_BASE_URL"] == base == f"{first['url']}/v1"
        status, told = post(base)
        assert (status, told["choices"][0]["message"]["content"]) == (200, "Paris")
        with urllib.request.urlopen(first["page"], timeout=30) as page:  # noqa: S310
            assert b"the capital?" in page.read()
        code, last = end(process)
    assert code == 0
    summary = json.loads(last)
    assert (summary["event"], summary["n_requests"], summary["unmatched"]) == ("ended", 1, [])


def test_what_was_unmatched_is_the_exit_code(tmp_path: Path, scenario: str) -> None:
    """Ctrl-C ends it with 1 and with the reason when nothing was there for a request."""
    other = {"model": "gpt-5", "messages": [{"role": "user", "content": "the weather?"}]}
    with started(tmp_path, "--scenario", scenario, "--port", "0", "--json") as process:
        status, _ = post(read_first(process)["base_urls"]["openai"], other)
        code, last = end(process, signal.SIGINT)
    assert (status, code) == (400, 1)
    summary = json.loads(last)
    assert "the weather?" in summary["unmatched"][0]
    assert "rule 0" in summary["unused"][0]


def test_people_are_told_what_to_set(tmp_path: Path, scenario: str) -> None:
    """Base URLs, variables and the page stand there, with obviously fake keys."""
    with started(tmp_path, "--scenario", scenario, "--port", "0") as process:
        assert process.stdout is not None
        lines = []
        while not lines or not lines[-1].startswith("What was asked"):
            lines.append(process.stdout.readline())
            assert lines[-1]
        _, last = end(process)
    told = "".join(lines)
    assert "export OPENAI_BASE_URL=http://127.0.0.1:" in told
    assert "export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:" in told
    assert "fake-key" in told
    assert "0 request(s), 0 that nothing was there for" in last


def test_a_recording_is_replayed_by_another_run(tmp_path: Path, scenario: str) -> None:
    """One gateway plays the vendor, one records it with the real key, one replays."""
    key = "canary-real-key-55aa"
    with started(tmp_path, "--scenario", scenario, "--port", "0", "--json") as real:
        upstream = read_first(real)["url"]
        options = ("--record", "c.json", "--upstream", upstream, "--port", "0", "--json")
        with started(tmp_path, *options, OPENAI_API_KEY=key) as recorder:
            first = read_first(recorder)
            fake = first["environment"]["OPENAI_API_KEY"]
            assert post(first["base_urls"]["openai"], key=fake)[0] == 200
            assert end(recorder)[0] == 0
    assert key not in (tmp_path / "c.json").read_text()
    with started(tmp_path, "--replay", "c.json", "--port", "0", "--json") as replayer:
        base = read_first(replayer)["base_urls"]["openai"]
        told = [post(base)[1]["choices"][0]["message"]["content"] for _ in range(2)]
        assert end(replayer)[0] == 0
    assert told == ["Paris", "Paris"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "nothing to answer with"),
        (("--scenario", "s.toml", "--host", "0.0.0.0"), "--expose"),  # noqa: S104  refused
        (("--scenario", "none.toml"), "none.toml cannot be read"),
        (("--replay", "none.json"), "There is no cassette"),
        (("--scenario", "s.toml", "--record", "c.json"), "--record passes everything on"),
        (("--scenario", "s.toml", "--upstream", "http://x"), "add --record"),
        (("--record", "c.json", "--upstream", "ftp://x"), "expected http"),
        (("--record", "c.json", "--upstream", "opnai=http://x"), "Did you mean 'openai'"),
    ],
)
@pytest.mark.usefixtures("scenario")
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    """The exit code is that of misuse, and the message says what to do."""
    done = subprocess.run(
        [sys.executable, "-m", "tierwise", "gateway", *options, "--port", "0"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 4
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_no_sdk_is_loaded_before_the_port_is_open() -> None:
    """Starting takes what the command itself needs; SDKs come later, beside."""
    code = (
        "import sys, tierwise.cli.gateway, tierwise.doubles.gateway.serving.foreground;"
        "import tierwise.doubles.gateway.gateway as g; g.Gateway();"
        "print({'openai', 'anthropic', 'google.genai', 'pytest'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_an_upstream_without_a_name_is_for_all() -> None:
    """One address serves all vendors; a named one is for one; others are refused."""
    assert read_upstreams(["http://a"]) == dict.fromkeys(
        ("openai", "anthropic", "gemini"), "http://a"
    )
    assert read_upstreams(["gemini=http://b"]) == {"gemini": "http://b"}
    with pytest.raises(MisuseError):
        read_upstreams(["claude=http://b"])
