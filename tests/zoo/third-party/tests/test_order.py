"""A test leaves a client's global set."""

import openai


def test_polluter():
    openai.base_url = "http://127.0.0.1:9/v1"


def test_victim():
    assert openai.base_url is None
