from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from omnia.cli import main

if TYPE_CHECKING:
    from pathlib import Path

TALKATIVE = ("--provider", "play_doubles:talkative")


def run(*argv: str, typed: str = "") -> tuple[int, str]:
    out = io.StringIO()
    code = main(list(argv), stdin=io.StringIO(typed), stdout=out)
    return code, out.getvalue()


def play(*lines: str, provider: str = "talkative", options: tuple[str, ...] = ()) -> str:
    typed = "".join(f"{line}\n" for line in lines)
    code, text = run("play", "--provider", f"play_doubles:{provider}", *options, typed=typed)
    assert code == 0
    assert "ent-" not in text
    assert "loc-" not in text
    return text


def test_a_walk_with_talk_deeds_and_thoughts() -> None:
    """Everything a person can do, read from a pipe, with answers by those spoken to."""
    text = play(
        "Mira, good evening", "*open the clock*", "(how odd)", "go to the pier", "hello?", "quit"
    )
    told = text.splitlines()
    assert "I said: 'Mira, good evening'" in told
    assert "Mira said: 'Ask me tomorrow.'" in told
    assert "I tried to open the clock. (Outcome: Succeeded)" in told
    assert "I thought: how odd" in told
    assert "You are at the pier." in told
    assert "An unfamiliar figure said: 'Ask me tomorrow.'" in told
    assert told[-1] == "You close your eyes, and the world is gone."


def test_only_those_spoken_to_answer() -> None:
    """A name in what is said picks who answers; without one, all here do, up to two."""
    assert play("Mira, hello").count("Ask me tomorrow") == 1
    assert play("hello").count("Ask me tomorrow") == 2


def test_the_end_of_the_pipe_ends_the_walk() -> None:
    """Without a quit the walk ends by itself, and empty lines mean nothing."""
    assert play("", "look").endswith("the world is gone.\n")


def test_a_model_that_babbles_is_an_event_and_never_a_crash() -> None:
    """Failures, silence and signs become a mutter; a reply cut off keeps its sentence."""
    text = play(*["Mira, hello"] * 7, provider="babbling")
    assert text.count("Mira muttered something.") == 6
    assert "Mira said: 'It is under the stair.'" in text


@pytest.mark.parametrize("line", ["go", "go moon", "go THE"])
def test_an_unclear_way_lists_the_ways(line: str) -> None:
    """Nowhere, an unknown place, or a word of several."""
    assert "Which way? There are: the pier, the loft above the inn" in play(line)


def test_what_a_person_reads_is_what_its_character_may_know() -> None:
    """The guest never sees Mira's key, and Mira does."""
    assert "honey jar" not in play("look")
    assert "honey jar" in play("look", options=("--you", "ent-mira"))


def test_help_says_what_can_be_done() -> None:
    """Every kind of line is listed."""
    assert "Everything else is said aloud" in play("help")


def test_a_saved_world_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """The same file, opened again, has the walker where it went and the time that passed."""
    options = ("--save", str(tmp_path / "world.db"))
    play("go pier", options=options)
    assert "You are at the pier." in play("look", options=options).splitlines()[:10]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("--scenario", "sunken_bel"), "there are: sunken_bell"),
        (("--you", "ent-gost"), "no entity 'ent-gost'"),
        (("--provider", "lokal"), "names no provider"),
    ],
)
def test_a_mistake_is_a_message_and_exit_code_4(argv: tuple[str, ...], says: str) -> None:
    """What was found and what there is, and no traceback."""
    code, text = run("play", *TALKATIVE, *argv)
    assert code == 4
    assert says in text


def test_the_audit_shows_red_and_green() -> None:
    """Both designs, their verdicts and what they rest on; 0 when it is as expected."""
    code, text = run("audit")
    assert code == 0
    assert "original design" in text
    assert "refuted. 48 leaks." in text
    assert "proven. No prompt carried a secret" in text
    assert "As expected" in text
