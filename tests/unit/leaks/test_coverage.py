import base64

import pytest

from tierwise.domain import Exchange, Message, Verdict
from tierwise.leaks import Detector, Secret, audit_context
from tierwise.leaks.budget import AT_LEAST, Budget
from tierwise.leaks.detector import MOST_PLACES
from tierwise.leaks.fitting import outline_of
from tierwise.leaks.folding import shape_char, squash_char

HERON = Secret("Blue Heron 42")


def test_coverage_says_how_much_was_looked_at() -> None:
    """Characters of the text, and characters that were decoded from it."""
    text = base64.b64encode(b"Blue Heron 42").decode()
    coverage = Detector([HERON]).examine(text).coverage
    assert coverage.characters == len(text)
    assert coverage.decoded_characters >= 13
    assert coverage.is_complete


def test_budget_refuses_beyond_its_limit_and_says_what_was_left_out() -> None:
    """The cap is never silent."""
    budget = Budget(10)
    assert budget.limit == AT_LEAST
    assert budget.take(AT_LEAST)
    assert budget.cut == ()
    assert not budget.take(7)
    assert budget.cut == (f"7 decoded characters were not searched, beyond the cap of {AT_LEAST}",)


def test_secret_in_very_many_places_is_listed_up_to_a_cap_that_is_said() -> None:
    """A text of nothing but the secret stays cheap, and the report says that it was cut."""
    examination = Detector([HERON]).examine("Blue Heron 42, " * (MOST_PLACES + 10))
    assert len(examination.findings) == MOST_PLACES
    assert examination.coverage.cut == (
        f"Blue Heron 42 stands in more than {MOST_PLACES} places; the rest is not listed",
    )


def test_audit_of_a_text_that_was_cut_short_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not everything was looked at, so nothing is proven."""
    monkeypatch.setattr("tierwise.leaks.budget.AT_LEAST", 5)
    monkeypatch.setattr("tierwise.leaks.budget.PER_CHARACTER", 0)
    code = base64.b64encode(b"nothing to see here").decode()
    exchange = Exchange(prompt=(Message(role="user", content=code),), reply="", viewer="mira")
    audit = audit_context([exchange], [HERON])
    assert audit.verdict is Verdict.UNDECIDED
    assert "Not everything was looked at: exchange #0" in audit.reason


@pytest.mark.parametrize(
    "text",
    [
        "a" * 20_000,
        "a b " * 5_000,
        "one hundred and " * 1_200,
        "-.- " * 5_000,
        "%41" * 6_000,
        "&a" * 10_000,
        "1 2 3 4 " * 2_500,
        "Blue Heron " * 1_800,
        "alpha " * 3_300,
        "14 March " * 2_200,
        "\\u0041" * 3_300,
        "0x41 " * 4_000,
        ". " * 10_000,
        base64.b64encode(bytes(range(256)) * 60).decode(),
    ],
)
def test_awkward_text_decodes_to_a_bounded_amount(text: str) -> None:
    """Decoding never multiplies a text: at most twelve characters for each one given."""
    coverage = Detector([HERON]).examine(text).coverage
    assert coverage.decoded_characters <= 12 * len(text)


def test_the_two_foldings_stay_apart() -> None:
    """A long s is an s when squashed and looks like an f: the second never follows the first."""
    assert squash_char("\u017f") == "s"
    assert shape_char("\u0430") == shape_char("a")
    assert shape_char("\u0131") == shape_char("l") == shape_char("1")
    assert squash_char("\u0664") == "4"
    assert squash_char("\ufffe") == squash_char("_") == squash_char(" ") == ""


def test_outline_remembers_where_the_secret_itself_has_breaks() -> None:
    """Breaks are places between folded characters; at the ends there are none."""
    outline = outline_of(" Blue-Heron  42! ", squash_char)
    assert (outline.size, outline.kind, outline.breaks) == (11, "mixed", frozenset({4, 9}))
    assert outline.reversed().breaks == frozenset({2, 7})
