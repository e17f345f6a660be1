"""The fixture that plays vendors: what a test of a client sees, and what fails it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

UNIT = """
    [tool.tierwise.tiers.unit]
    level = "unit"
    paths = ["tests/unit"]
    allow = []
"""
CLIENT = """
    from openai import OpenAI

    def ask(question, client=None):
        client = client or OpenAI(max_retries=0)
        reply = client.chat.completions.create(
            model="gpt-5", messages=[{"role": "user", "content": question}]
        )
        return reply.choices[0].message.content
"""


def test_clients_of_all_vendors_are_answered_in_a_tier_that_allows_nothing(
    project: Project, run_apart: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sync and async, plain and streamed, with no key, no socket and no file of the user's.

    One client is made at import, by a developer who has a key.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-developer")
    project(
        {
            "tests/unit/test_u.py": CLIENT
            + """
    import asyncio

    from anthropic import Anthropic, AsyncAnthropic
    from google import genai
    from openai import AsyncOpenAI

    EARLY = OpenAI()
    TURNS = [{"role": "user", "content": "The capital?"}]

    def test_openai(gateway):
        gateway.when(vendor="openai", last_user="capital").say("Paris it is")
        assert ask("The capital?") == ask("The capital?", EARLY) == "Paris it is"
        stream = EARLY.chat.completions.create(model="gpt-5", messages=TURNS, stream=True)
        parts = [c.choices[0].delta.content or "" for c in stream if c.choices]
        assert "".join(parts) == "Paris it is"
        assert sum(map(bool, parts)) > 1
        assert "sk-of-a-developer" not in str(gateway.requests[1].headers)

    def test_anthropic(gateway):
        gateway.when(vendor="anthropic", model="claude-*").say("Paris")
        told = Anthropic().messages.create(
            model="claude-sonnet-5-5", max_tokens=9, messages=TURNS
        )
        assert told.content[0].text == "Paris"

    def test_gemini(gateway):
        gateway.when(vendor="gemini").say("Paris")
        client = genai.Client()
        told = client.models.generate_content(model="gemini-2.5-flash", contents="The capital?")
        assert told.text == "Paris"
        client.close()

    def test_async(gateway):
        gateway.when().say("Paris")

        async def ask_all():
            async with AsyncOpenAI() as client:
                one = await client.chat.completions.create(model="gpt-5", messages=TURNS)
            async with AsyncAnthropic() as client:
                two = await client.messages.create(
                    model="claude-sonnet-5-5", max_tokens=9, messages=TURNS
                )
            client = genai.Client()
            three = await client.aio.models.generate_content(
                model="gemini-2.5-flash", contents="The capital?"
            )
            await client.aio.aclose()
            return one.choices[0].message.content, two.content[0].text, three.text

        assert asyncio.run(ask_all()) == ("Paris",) * 3
"""
        },
        UNIT,
    )
    result = run_apart()
    result.assert_outcomes(passed=4)


def test_a_request_that_nobody_expected_fails_the_test_although_it_was_swallowed(
    project: Project, run: Run
) -> None:
    """The message shows the nearest rule; so does the client's own error, at the first try."""
    project(
        {
            "tests/unit/test_u.py": CLIENT
            + """
    import contextlib

    def test_it(gateway):
        gateway.when(last_user="capital", model="gpt-4*", optional=True).say("Paris")
        with contextlib.suppress(Exception):
            ask("The capital?", OpenAI())
        assert len(gateway.requests) == 1
"""
        },
        UNIT,
    )
    result = run()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at teardown of test_it*",
            (
                "*The nearest is rule 0, when(model='gpt-4*', last_user='capital'): "
                "model is 'gpt-5', expected 'gpt-4*'."
            ),
        ]
    )
    result.stdout.no_fnmatch_line("*gateway_fixtures.py*")


def test_a_rule_that_nobody_used_fails_the_test(project: Project, run: Run) -> None:
    """Unless the test has failed on its way there: then it says nothing more."""
    project(
        {
            "tests/unit/test_u.py": """
    def test_unused(gateway):
        gateway.when(last_user="capital").say("Paris")

    def test_failed(gateway):
        gateway.when(last_user="river").say("Seine")
        assert False, "before"
"""
        },
        UNIT,
    )
    result = run()
    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines(["rule 0, when(last_user='capital') served 0 request(s)*"])
    result.stdout.no_fnmatch_line("rule 0, when(last_user='river')*")


def test_no_client_gets_out_and_no_except_hides_it(project: Project, run: Run) -> None:
    """In a tier that allows the network as well: nobody else is asked. It is told once."""
    project(
        {
            "tests/live/test_u.py": """
    import httpx2

    def test_it(gateway):
        try:
            httpx2.get("https://example.com/")
        except Exception:
            pass
"""
        },
        """
    [tool.tierwise.tiers.live]
    level = "acceptance"
    paths = ["tests/live"]
    allow = ["network"]
    deliberate = true
""",
    )
    result = run("--tier", "live")
    result.assert_outcomes(failed=1, errors=0)
    result.stdout.fnmatch_lines(["A client would leave the process for 'example.com'*"])


def test_each_test_has_a_gateway_of_its_own_under_xdist(project: Project, run_apart: Run) -> None:
    """Rules, journal and state of one are never another's, in whichever worker it runs."""
    project(
        {
            "tests/unit/test_u.py": CLIENT
            + """
    import pytest

    @pytest.mark.parametrize("n", range(8))
    def test_it(gateway, n):
        assert gateway.state == {} and gateway.requests == ()
        gateway.state["n"] = n
        gateway.when(last_user="capital").say(f"City {n}")
        assert ask("The capital?") == f"City {n}"
        assert gateway.requests.only().number == 1
"""
        },
        UNIT,
    )
    result = run_apart("-p", "xdist.plugin", "-n", "2")
    result.assert_outcomes(passed=8)


def test_what_the_gateway_took_over_is_back_after_a_test_that_failed(
    project: Project, run: Run
) -> None:
    """The next test sees the environment and the classes as they were."""
    project(
        {
            "tests/unit/test_u.py": """
    import os, httpx2
    BEFORE, KEY = httpx2.HTTPTransport.handle_request, os.environ.get("OPENAI_API_KEY")

    def test_a(gateway):
        assert httpx2.HTTPTransport.handle_request is not BEFORE
        assert os.environ["OPENAI_API_KEY"].startswith("sk-tierwise-fake")
        assert False

    def test_b():
        assert httpx2.HTTPTransport.handle_request is BEFORE
        assert os.environ.get("OPENAI_API_KEY") == KEY
"""
        },
        'order = "defined"\n' + UNIT,
    )
    run().assert_outcomes(passed=1, failed=1)
