import json
import string

import pytest
from hypothesis import given, strategies as st

from tierwise.domain.masking import (
    Masker,
    mask_keys,
    mask_leaves,
    mask_values,
    secrets_of_environment,
)

KEYS = [
    "sk-" + "a1B2" * 8,
    "sk-ant-api03-" + "a1B2_" * 6,
    "sk-proj-" + "x9" * 12,
    "sk_live_" + "4eC3" * 6,
    "rk_test_" + "4eC3" * 6,
    "AIza" + "Sy0" * 12,
    "ASIA" + "IOSFODNN7EXAMPLE",
    *(f"gh{kind}_" + "0aZ" * 12 for kind in "ousr"),
    "AKIA" + "IOSFODNN7EXAMPLE",
    "ghp_" + "0aZ" * 12,
    "github_pat_" + "11AB_" * 8,
    "glpat-" + "abcd1234" * 3,
    "hf_" + "qW3" * 12,
    "xoxb-" + "123456-abcdef",
    "xoxp-" + "123456-abc",
    "eyJhbGciOiJIUzI1" + ".eyJzdWIiOiIxMjM0" + ".dozjgNryP4J3",
]


@pytest.mark.parametrize("key", KEYS)
def test_each_known_form_of_key_is_masked_wherever_it_stands(key: str) -> None:
    """A planted key is gone from the text, and what stands around it stays."""
    assert mask_keys(key) == "[masked key]"
    masked = mask_keys(f'{{"header": "{key}", "to": "Mira"}}')
    assert masked == '{"header": "[masked key]", "to": "Mira"}'


def test_a_bearer_token_is_masked_and_the_word_stays() -> None:
    """The scheme of an Authorization header stays readable, however it is written."""
    for word in ("Bearer", "bearer", "BEARER", "bEaReR"):
        masked = mask_keys(f"Authorization: {word} abcdefgh12345678==")
        assert masked == f"Authorization: {word} [masked key]"


def test_a_masker_takes_keys_and_values_longest_first() -> None:
    """What is masked again and again is prepared once, and comes out the same."""
    mask = Masker(["hunter22", "", "hunter22-and-more"])
    assert mask(f"hunter22-and-more, hunter22, {KEYS[0]}") == (
        "[masked value], [masked value], [masked key]"
    )
    assert mask("") == ""


@pytest.mark.parametrize(
    "text",
    [
        "The risk-averse skipper asked: sk-?",
        "task-oriented-conversation-with-a-long-name",
        "Mira keeps the blue heron of room 42.",
        "550e8400-e29b-41d4-a716-446655440000",
        "bearer of bad news",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Words that merely resemble a prefix are left alone."""
    assert mask_keys(text) == text


def test_a_longer_value_is_masked_before_a_shorter_one_inside_it() -> None:
    """No tail of a secret stays behind because a part of it was masked first."""
    assert mask_values("x=abcdef", ["abc", "abcdef", ""]) == "x=[masked value]"


@given(st.text(string.digits, min_size=1), st.text('ab \n"\\'), st.text('ab \n"\\'))
def test_a_masked_value_never_survives(value: str, before: str, after: str) -> None:
    """Whatever surrounds it, the value itself is gone and the rest stays."""
    masked = mask_values(before + value + after, [value])
    assert masked == before + "[masked value]" + after


def test_leaves_and_keys_of_nested_data_are_masked() -> None:
    """Masking reaches every string of JSON-like data and changes nothing else."""
    data = {"key abc": ["abc", 1, None, {"deep": ("abc", True)}]}
    masked = mask_leaves(data, lambda text: text.replace("abc", "#"))
    assert masked == {"key #": ["#", 1, None, {"deep": ["#", True]}]}


def test_secrets_of_an_environment_are_found_by_name() -> None:
    """Variables named like secrets count, short values and other names do not."""
    environ = {
        "OPENAI_API_KEY": "long-enough-1",
        "GITHUB_TOKEN": "long-enough-2",
        "APP_SECRET": "long-enough-3",
        "DB_PASSWORD": "short",
        "MONKEY": "not-a-secret",
        "PATH": "/usr/local/bin",
    }
    assert secrets_of_environment(environ) == ("long-enough-1", "long-enough-2", "long-enough-3")


@given(
    st.lists(st.text(min_size=1, max_size=6), max_size=3),
    st.lists(st.text(max_size=30) | st.sampled_from(KEYS), max_size=3),
)
def test_text_without_work_is_left_as_it_is_within_json_too(
    secrets: list[str], texts: list[str]
) -> None:
    """The cheap look may be wrong in one direction alone."""
    mask = Masker(secrets)
    if not mask.has_work(json.dumps(texts, ensure_ascii=False)):
        assert [mask(text) for text in texts] == texts


def test_a_secret_that_json_writes_in_another_way_is_work() -> None:
    """Quotes and line breaks do not hide it."""
    for secret in ('quoted "canary"', "two\nlines", "back\\slash"):
        assert Masker([secret]).has_work(json.dumps({"a": [f"x {secret}"]}))
    assert not Masker(["hunter22"]).has_work(json.dumps({"a": "nothing of the kind"}))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("https://ann:s3cr3t@example.com/a.git", "https://ann:[masked key]@example.com/a.git"),
        ("postgresql://ann:p%40ss:w@db:5432/x", "postgresql://ann:[masked key]@db:5432/x"),
        ("https://:only-a-password@host", "https://:[masked key]@host"),
        ("redis://ann:p@ss@host/0", "redis://ann:[masked key]@host/0"),
        ("https://0123456789abcdef0123@github.com/a/b", "https://[masked key]@github.com/a/b"),
        ("'http://a:b@c', ws://d:e@f", "'http://a:[masked key]@c', ws://d:[masked key]@f"),
        ("/clone?access_token=abcdefgh1234&x=1", "/clone?access_token=[masked key]&x=1"),
        ("/v1?x=1&API_KEY=abcdefgh1234 no", "/v1?x=1&API_KEY=[masked key] no"),
    ],
)  # fmt: skip
def test_what_an_address_carries_to_open_a_door_is_masked(text: str, masked: str) -> None:
    """A remote of Git or the address of a database holds its password in plain sight."""
    assert mask_keys(text) == masked
    assert mask_keys(masked) == masked
    assert Masker().has_work(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/a@b", "ssh://git@github.com/a/b.git", "http://127.0.0.1:8080/x@y",
        "git@github.com:a/b.git", "tests/a.py::test[x:y@z]", "http://host:80 mail a@b.c",
        "/search?token=short",
    ],
)  # fmt: skip
def test_an_address_without_a_password_stays(text: str) -> None:
    """A user's name alone opens nothing, and a port is no password."""
    assert mask_keys(text) == text


def test_a_value_is_masked_as_python_and_json_write_it() -> None:
    """An assertion shows the value as code, with its quotes and line breaks escaped."""
    secret = 'it\'s\\a "long"\nsecret-value'  # noqa: S105  planted
    mask = Masker([secret])
    for said in (repr(secret), json.dumps(secret), secret):
        assert "secret-value" not in mask(f"AssertionError: assert {said} == ''")
        assert mask.has_work(said)


def test_each_line_of_a_long_secret_is_masked() -> None:
    """The first line of a message may hold a part of a key that has many."""
    lines = [
        "-----BEGIN KEY-----",
        "MIIEpAIBAAKCAQEA0Z3VS5JJcds",
        "xfn3wrKCq",
        "-----END KEY-----",
    ]
    mask = Masker(["\n".join(lines)])
    assert mask(f"got {lines[1]}") == "got [masked value]"
    assert mask(f"{lines[0]} xfn") == f"{lines[0]} xfn"


def test_a_long_value_that_was_cut_is_masked() -> None:
    """Pytest shows the beginning and the end of what is long."""
    secret = "".join(f"{n:04}" for n in range(100))
    mask = Masker([secret])
    cut = f"assert '{secret[:118]}...{secret[-118:]}' == ''"
    assert mask(cut) == "assert '[masked value]' == ''"
    assert mask(f"...{secret[-118:]}'") == "[masked value]'"
    assert mask.has_work(cut)


@pytest.mark.parametrize(
    "name", ["PGPASSWORD", "DB_PASSWD", "MAPSAPIKEY", "OPENAI_API_KEY_2", "GITHUB_PAT", "A_TOKEN2"]
)
def test_a_variable_named_like_a_secret_is_one(name: str) -> None:
    """Names come without an underscore, or numbered."""
    assert secrets_of_environment({name: "long enough"}) == ("long enough",)


@pytest.mark.parametrize("name", ["KEYBOARD", "TOKENS_MAX", "MONKEY", "SECRETARY", "PATH", "XPAT"])
def test_a_variable_that_only_sounds_alike_is_none(name: str) -> None:
    """Masking what is no secret would tear ordinary text apart."""
    assert secrets_of_environment({name: "long enough"}) == ()
