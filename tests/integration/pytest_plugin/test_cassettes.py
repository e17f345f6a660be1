"""A test that replays a cassette: recorded on demand, then offline, and told when it is stale."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tierwise.gateway import Gateway

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

UNIT = """
    [tool.tierwise.tiers.unit]
    level = "unit"
    paths = ["tests/unit"]
    allow = []
"""
TEST = """
    import os
    from openai import OpenAI

    def ask(question):
        reply = OpenAI(max_retries=0).chat.completions.create(
            model="gpt-5", messages=[{"role": "user", "content": question}]
        )
        return reply.choices[0].message.content

    def test_it(gateway):
        gateway.replay("cassettes/capital.json", upstreams=%s)
        assert ask("The capital of %s?") == "Paris"
"""


def test_recorded_once_and_replayed_in_a_tier_that_allows_nothing(
    project: Project, run_apart: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--tierwise-record asks the vendor with the developer's key; after that nobody is asked."""
    monkeypatch.setenv("OPENAI_API_KEY", "canary-of-a-developer")
    real = Gateway()
    real.when(optional=True).say("Paris")
    with real.running() as server:
        upstreams = {"openai": server.url}
        made = project({"tests/unit/test_u.py": TEST % (upstreams, "France")}, UNIT)
        recorded = run_apart("--tierwise-record", "--tierwise-mode", "report")
        recorded.assert_outcomes(passed=1)
    sent = real.requests.only().raw.headers["authorization"]
    assert sent == "Bearer canary-of-a-developer"
    written = (made.path / "cassettes" / "capital.json").read_text()
    assert "canary" not in written
    run_apart().assert_outcomes(passed=1)
    assert len(real.requests) == 1


def test_another_question_fails_and_shows_the_difference(project: Project, run_apart: Run) -> None:
    """The prompt was changed after the recording: the test says in what, and how to go on."""
    real = Gateway()
    real.when(optional=True).say("Paris")
    with real.running() as server:
        upstreams = {"openai": server.url}
        made = project({"tests/unit/test_u.py": TEST % (upstreams, "France")}, UNIT)
        run_apart("--tierwise-record", "--tierwise-mode", "report").assert_outcomes(passed=1)
    project({"tests/unit/test_u.py": TEST % ({}, "Italy")}, UNIT)
    result = run_apart()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*recorded 'The capital of France?', asked*Italy*"])
    assert (made.path / "cassettes" / "capital.json").exists()


def test_a_test_that_fails_while_recording_keeps_the_old_cassette(
    project: Project, run_apart: Run
) -> None:
    """What was recorded lies beside it, whole."""
    real = Gateway()
    real.when(optional=True).say("Rome")
    with real.running() as server:
        made = project({"tests/unit/test_u.py": TEST % ({"openai": server.url}, "Italy")}, UNIT)
        old = made.path / "cassettes" / "capital.json"
        old.parent.mkdir()
        old.write_text("old")
        run_apart("--tierwise-record", "--tierwise-mode", "report").assert_outcomes(failed=1)
    assert old.read_text() == "old"
    assert "Rome" in old.with_name("capital.json.partial").read_text()
