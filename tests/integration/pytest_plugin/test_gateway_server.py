"""The fixture that plays vendors on a port: clients here and in other processes, and its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

TIERS = """
    [tool.tierwise.tiers.integration]
    level = "integration"
    paths = ["tests/integration"]
    allow = ["loopback", "subprocess", "tmp"]

    [tool.tierwise.tiers.unit]
    level = "unit"
    paths = ["tests/unit"]
    allow = []
"""
HEAD = """
    import os
    import subprocess
    import sys

    from anthropic import Anthropic
    from google import genai
    from openai import OpenAI

    TURNS = [{"role": "user", "content": "The capital?"}]
"""


def test_sdk_clients_of_this_process_go_to_the_port(project: Project, run_apart: Run) -> None:
    """Each SDK reads its address from the environment, streams over the socket, and is believed.

    The vendor's own address is answered too, in process, by the same rules.
    """
    project(
        {
            "tests/integration/test_i.py": HEAD
            + """
    def test_openai(gateway_server):
        gateway_server.gateway.when(last_user="capital").say("Paris it is")
        client = OpenAI()
        assert str(client.base_url).startswith(gateway_server.url)
        stream = client.chat.completions.create(model="gpt-5", messages=TURNS, stream=True)
        parts = [c.choices[0].delta.content or "" for c in stream if c.choices]
        assert "".join(parts) == "Paris it is"
        assert gateway_server.gateway.requests.only().host == "127.0.0.1"

    def test_anthropic(gateway_server):
        gateway_server.gateway.when(vendor="anthropic").say("Paris")
        client = Anthropic()
        told = client.messages.create(model="claude-sonnet-5-5", max_tokens=9, messages=TURNS)
        assert told.content[0].text == "Paris"
        assert gateway_server.gateway.requests.only().host == "127.0.0.1"

    def test_gemini(gateway_server):
        gateway_server.gateway.when(vendor="gemini").say("Paris")
        client = genai.Client()
        told = client.models.generate_content(model="gemini-2.5-flash", contents="The capital?")
        assert told.text == "Paris"
        client.close()

    def test_the_rules_are_the_other_fixtures(gateway_server, gateway):
        assert gateway_server.gateway is gateway
        assert os.environ["OPENAI_BASE_URL"] == gateway_server.base_url("openai")

    def test_the_vendors_own_address(gateway_server):
        gateway_server.gateway.when().say("Paris")
        client = OpenAI(base_url="https://api.openai.com/v1")
        client.chat.completions.create(model="gpt-5", messages=TURNS)
        assert gateway_server.gateway.requests.only().host == "api.openai.com"

    def test_the_addresses_are_gone():
        assert "OPENAI_BASE_URL" not in os.environ
"""
        },
        TIERS,
    )
    run_apart().assert_outcomes(passed=6)


def test_a_client_in_another_process_is_led_there(project: Project, run_apart: Run) -> None:
    """A child inherits address and fake key; what it asks stands in the journal."""
    project(
        {
            "ask.py": """
    from openai import OpenAI

    turns = [{"role": "user", "content": "The capital?"}]
    reply = OpenAI().chat.completions.create(model="gpt-5", messages=turns)
    print(reply.choices[0].message.content)
""",
            "tests/integration/test_i.py": HEAD
            + """
    def test_it(gateway_server, monkeypatch):
        gateway_server.gateway.when(last_user="capital").say("Paris")
        done = subprocess.run([sys.executable, "ask.py"], capture_output=True, text=True)
        assert done.stdout == "Paris\\n", done.stderr
        assert gateway_server.gateway.requests.only().model == "gpt-5"
""",
        },
        TIERS,
    )
    run_apart().assert_outcomes(passed=1)


def test_what_another_process_asked_in_vain_fails_the_test(
    project: Project, run_apart: Run
) -> None:
    """The child's failure is its own; the test fails at its end all the same, and says why."""
    project(
        {
            "tests/integration/test_i.py": HEAD
            + """
    def test_it(gateway_server):
        gateway_server.gateway.when(last_user="weather", optional=True).say("Sunny")
        code = "from openai import OpenAI; OpenAI().chat.completions.create(model='gpt-5',"
        code += f"messages={TURNS!r})"
        subprocess.run([sys.executable, "-c", code], capture_output=True)
        assert len(gateway_server.gateway.requests) == 1
"""
        },
        TIERS,
    )
    result = run_apart()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*no rule for this request to openai*'The capital?'*rule 0*"])


def test_a_tier_without_loopback_has_no_server(project: Project, run_apart: Run) -> None:
    """The port is a touch like any other: the tier's policy forbids it, and says so."""
    project(
        {"tests/unit/test_u.py": "def test_it(gateway_server):\n    pass\n"},
        TIERS,
    )
    result = run_apart()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*loopback*"])


def test_a_missing_parser_is_named_without_our_traceback(project: Project, run_apart: Run) -> None:
    """The message has the command that installs it."""
    project(
        {
            "conftest.py": "import sys\nsys.modules['httptools'] = None\n",
            "tests/integration/test_i.py": "def test_it(gateway_server):\n    pass\n",
        },
        TIERS,
    )
    result = run_apart()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*pip install 'tierwise?gateway?'*"])
    result.stdout.no_fnmatch_line("*server.py*")
