import pytest

from tierwise.domain import Exchange, Message, ToolCall, Verdict
from tierwise.errors import MisuseError
from tierwise.leaks import Secret, audit_context

POISON = Secret("zx-7f3a", viewers=frozenset({"bob"}), name="poison")


def prompt(text: str, viewer: str | None = "mira", purpose: str = "actor") -> Exchange:
    return Exchange(
        prompt=(Message(role="system", content="Be brief."), Message(role="user", content=text)),
        reply="zx-7f3a",
        viewer=viewer,
        purpose=purpose,
    )


def test_prompt_with_a_secret_its_viewer_may_not_know_is_a_leak() -> None:
    """The leak says which secret reached which viewer, for what purpose, where and how."""
    audit = audit_context([prompt("hello"), prompt("the code is ZX 7F3A", "mira")], [POISON])
    assert audit.verdict is Verdict.REFUTED
    (leak,) = audit.leaks
    assert (leak.secret, leak.viewer, leak.purpose, leak.index) == ("poison", "mira", "actor", 1)
    assert leak.finding.method == "normalised"
    assert "ZX 7F3A" in leak.excerpt


def test_viewer_who_may_know_and_the_system_itself_leak_nothing() -> None:
    """Those in `viewers`, and the system (None), may read the secret; a reply is no prompt."""
    exchanges = [prompt("zx-7f3a", "bob"), prompt("zx-7f3a", None), prompt("hello", "mira")]
    audit = audit_context(exchanges, [POISON])
    assert audit.verdict is Verdict.PROVEN
    assert (audit.n_exchanges, audit.n_viewers, audit.n_secrets, audit.n_checked) == (3, 2, 1, 1)


def test_arguments_of_tool_calls_in_a_prompt_are_read_too() -> None:
    """What an earlier tool call carried is part of what the viewer's prompt holds."""
    call = ToolCall(name="open", arguments={"chest": {"code": "zx-7f3a"}})
    turn = Message(role="assistant", content="", tool_calls=(call,))
    audit = audit_context([Exchange(prompt=(turn,), reply="", viewer="mira")], [POISON])
    assert [leak.secret for leak in audit.leaks] == ["poison"]


@pytest.mark.parametrize(
    ("exchanges", "secrets", "reason"),
    [
        ([], [POISON], "Nothing was recorded"),
        ([Exchange(prompt=(), reply="", viewer="mira")], [POISON], "Nothing was recorded"),
        ([prompt("hello")], [], "No secret was given"),
        ([prompt("zx-7f3a", None)], [POISON], "No prompt names a viewer"),
        ([prompt("zx-7f3a", "bob")], [POISON], "Every viewer may know every secret"),
    ],
)
def test_audit_that_checked_nothing_is_undecided(
    exchanges: list[Exchange],
    secrets: list[Secret],
    reason: str,
) -> None:
    """Could-not-tell is never fine: the reason is said, and `assert_clean` fails with it."""
    audit = audit_context(exchanges, secrets)
    assert audit.verdict is Verdict.UNDECIDED
    with pytest.raises(AssertionError, match=reason):
        audit.assert_clean()


def test_recorder_is_read_through_its_exchanges() -> None:
    """Anything with `.exchanges` will do."""

    class Recorder:
        exchanges = (prompt("zx-7f3a"),)

    assert len(audit_context(Recorder(), [POISON]).leaks) == 1


def test_rendering_shows_every_leak_and_what_the_audit_rests_on() -> None:
    """The table names exchange, viewer, purpose, secret and how; the head names the counts."""
    exchanges = [prompt("zx-7f3a", "mira", "validator"), prompt("say zx 7f3a now", "tom", "")]
    audit = audit_context(exchanges, [POISON])
    assert audit.render() == (
        "context audit: refuted. 2 leaks. Rests on 2 prompts, 2 viewers, 1 secret, "
        "2 prompt-secret pairs.\n"
        "\n"
        "exchange  viewer  purpose    secret  how\n"
        "#0        mira    validator  poison  exact\n"
        "#1        tom     -          poison  normalised\n"
        "\n"
        "where:\n"
        "  #0: ...Be brief. zx-7f3a...\n"
        "  #1: ...Be brief. say zx 7f3a now..."
    )
    with pytest.raises(AssertionError, match="2 leaks"):
        audit.assert_clean()


@pytest.mark.parametrize("recorder", [None, "exchanges", 3, ["no exchange"]])
def test_something_that_is_no_recording_is_refused(recorder: object) -> None:
    """A wrong argument is misuse, never an audit of nothing."""
    with pytest.raises(MisuseError, match="audit_context"):
        audit_context(recorder, [POISON])


def test_one_secret_instead_of_several_is_refused() -> None:
    """A lone secret is refused with what to write."""
    with pytest.raises(MisuseError, match=r"write \[secret\]"):
        audit_context([prompt("hello")], POISON)  # type: ignore[arg-type]
