"""The benchmark of eval engines: what it says of its rows is what the server counted."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "evals"
PROMPTS = 50


def run_benchmark(*arguments: str) -> tuple[int, Any]:
    command = [sys.executable, str(BENCHMARK / "run.py"), "--json", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    return done.returncode, json.loads(done.stdout)


def test_each_engine_that_is_here_sends_every_prompt_once() -> None:
    """The floor, aiohttp and tierwise: as many requests as prompts, never more at once.

    The benchmark itself answers inspect_ai#3173, #2341 and httpx#3215: beyond 30 connections the
    log, the display and a pool of connections took more time than the model.
    """
    code, told = run_benchmark(
        *("--prompts", str(PROMPTS), "--latency", "0.01", "--concurrency", "10"),
        *("--only", "floor", "aiohttp", "tierwise"),
    )
    rows = {row["name"]: row for row in told["rows"]}
    assert [row["fault"] for row in told["rows"]] == ["", "", ""]
    assert rows.keys() == {"floor (raw sockets)", "aiohttp alone", "tierwise"}
    assert {row["measured"]["requests"] for row in rows.values()} == {PROMPTS}
    assert {row["measured"]["max_in_flight"] for row in rows.values()} == {10}
    assert code == 0


def test_an_engine_that_is_stopped_has_a_row_that_says_so() -> None:
    """A run that takes too long is a fault with an exit code, not a fast row."""
    code, told = run_benchmark(
        *("--prompts", "10", "--latency", "5", "--limit", "1", "--only", "floor")
    )
    assert [row["fault"] for row in told["rows"]] == ["stopped after 1 s"]
    assert code == 1


@pytest.fixture
def server() -> Any:
    process = subprocess.Popen(
        [sys.executable, str(BENCHMARK / "server.py"), "--latency", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def test_the_server_counts_what_is_no_chat_completion_apart(
    server: subprocess.Popen[str],
) -> None:
    """Another path is answered with 404 and never counted as a prompt."""
    assert server.stdout is not None
    url = f"http://127.0.0.1:{json.loads(server.stdout.readline())['port']}/v1"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{url}/chat/completions", data=b"{}", timeout=30) as reply:
        assert json.load(reply)["choices"][0]["message"]["content"] == "The answer is 42."
    with pytest.raises(urllib.error.HTTPError) as refused:
        opener.open(f"{url}/models", timeout=30)
    assert refused.value.code == 404
    refused.value.close()
    counted = json.loads(server.communicate(timeout=30)[0])
    assert (counted["requests"], counted["odd"], counted["max_in_flight"]) == (1, 1, 1)
