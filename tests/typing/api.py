"""What users write most, as they would write it: type-checked, never run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, assert_type

from pydantic import BaseModel

import tierwise
from tierwise import contracts, leaks, providers
from tierwise.contracts import (
    ClauseResult,
    Contract,
    ContractReport,
    ProviderContract,
    ProviderSubject,
)
from tierwise.domain import Exchange, Message, Outcome, ToolCall, Usage, Verdict
from tierwise.evals import (
    Control,
    EvalDeclaration,
    Expectation,
    Trial,
    at_least,
    at_most,
    declaration_of,
    evaluate,
    must_refute,
    never,
    positive_control,
)
from tierwise.leaks import (
    ContextAudit,
    ContextLeak,
    Coverage,
    Detector,
    DetectorReport,
    Examination,
    Finding,
    LabelledText,
    Piece,
    Secret,
    SpreadLeak,
)
from tierwise.providers import (
    Answer,
    AnswerLike,
    AnthropicProvider,
    Call,
    Failure,
    FailureKind,
    GeminiProvider,
    HttpProvider,
    LocalProvider,
    MockProvider,
    ModelLoader,
    OpenAIProvider,
    Provider,
    RecordingProvider,
    Reply,
    Request,
    Rule,
    SchemaProvider,
    ScriptedProvider,
    SimulatedProvider,
    Tool,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

assert_type(tierwise.__version__, str)


class Note(BaseModel):
    text: str


SECRET = Secret("the blue heron", aliases=("blue heron",), viewers=frozenset({"mira"}))
HELLO = Message(role="user", content="hello")


@evaluate(
    cases=["a", "b"],
    trials=15,
    expect=[
        never("leak", below=0.05, population="cases_like_these"),
        at_least("helpful", 0.8, confidence=0.9),
        at_most("rude", 0.1, missing_ceiling=0),
    ],
    control=positive_control(cases=["c"], metric="leak", at_least=0.5, trials=20),
    timeout_s=30,
)
async def declared_async(case: str, provider: Provider, trial: Trial) -> None:
    reply = await provider.generate(Request(messages=(HELLO,), schema=Note))
    answer = trial.require(reply)
    assert_type(answer, Answer[Note])
    assert_type(answer.data, Note | None)
    trial.score(leak=SECRET.in_text(answer.text), helpful=True, mood="kind", length=3.5)
    trial.note(case)


@evaluate(cases=({"id": n} for n in range(3)), trials=1, expect=(at_least("passed", 0.5),))
def declared(trial: Trial, provider: Provider) -> int:
    reply = trial.wait(provider.generate(Request(messages=(HELLO,), schema=Note)))
    assert_type(reply, Answer[Note] | Failure)
    assert_type(trial.tmp_path, Path)
    assert_type(trial.scores, dict[str, bool | float | str])
    assert_type(trial.notes, tuple[str, ...])
    assert_type(trial.close(), dict[str, bool | float | str])
    return trial.index + trial.seed


def evals() -> None:
    assert_type(declared(Trial(index=0, seed=1, make_folder=Path), MockProvider()), int)
    asynchronous: Callable[[str, Provider, Trial], Awaitable[None]] = declared_async
    declaration = declaration_of(asynchronous)
    assert_type(declaration, EvalDeclaration | None)
    if declaration is not None:
        assert_type(declaration.expectations, tuple[Expectation, ...])
        assert_type(declaration.controls, tuple[Control, ...])
        assert_type(declaration.controls[0].metric, str)
    assert_type(must_refute(never("leak", below=0.05)), Expectation)
    assert_type(positive_control(cases=[1], metric="leak"), Control)


def misuse(trial: Trial) -> None:
    """Try what a type checker refuses before anything runs."""
    evaluate(cases=["a"], trials=1)  # type: ignore[call-arg]  # nothing is expected
    evaluate(cases=["a"], trials=1, expect=never("leak", below=0.1))  # type: ignore[arg-type]  # no list
    trial.score(leak=[True])  # type: ignore[arg-type]  # no list is an observation
    Failure(kind="busy", message="")  # type: ignore[arg-type]  # a kind, not its text
    Answer("text")  # type: ignore[call-arg]  # by name only


async def provide() -> None:
    request = Request(
        messages=(HELLO,),
        schema=Note,
        tools=(Tool(name="look", description="looks", parameters={"type": "object"}),),
        temperature=0.0,
        max_tokens=10,
        seed=1,
        purpose="intent",
        viewer="mira",
    )
    assert_type(request, Request[Note])
    made: Sequence[Provider] = (
        MockProvider([Note(text="x"), {"text": "y"}, "raw", ToolCall(name="look", arguments={})]),
        ScriptedProvider([Rule(purpose="intent", answer=scripted), Rule(answers=["a", "b"])]),
        SchemaProvider(seed=3, name="made up"),
        SimulatedProvider(leak_rate=0.1, failure_rates={FailureKind.BUSY: 0.1}),
        LocalProvider("smollm2", slots=2, loader=ModelLoader()),
        HttpProvider("http://127.0.0.1:8000/v1", "llama", timeout_s=None, options={"top_p": 0.9}),
        AnthropicProvider(
            "claude-opus-5", max_tokens=99, timeout_s=None, options={"speed": "fast"}
        ),
        AnthropicProvider("m", base_url="http://localhost", key_env="MY_KEY", real=False),
        AnthropicProvider("claude-sonnet-4-5", api_version="2023-06-01"),
        GeminiProvider("gemini-2.5-flash", options={"top_p": 0.9}, timeout_s=None),
        GeminiProvider("m", base_url="http://localhost", key_env="MY_KEY", real=False),
        HttpProvider("http://localhost", "m", max_tokens_as="max_completion_tokens", real=False),
        OpenAIProvider("gpt-4.1", options={"top_p": 0.9}, timeout_s=None),
        OpenAIProvider("m", base_url="http://localhost", max_tokens_as="max_tokens", real=False),
        providers.provider_from_spec("schema:seed=3"),
    )
    for provider in made:
        assert_type(provider.name, str)
        assert_type(provider.real, bool)
        reply = await provider.generate(request)
        assert_type(reply, Answer[Note] | Failure)
        assert_type(told(reply), str)
    assert_type(providers.count_tokens("a b"), int)


async def generics() -> None:
    """Each implementation hands the type of the schema on, not only the protocol."""
    request = Request(messages=(HELLO,), schema=Note)
    assert_type(await MockProvider().generate(request), Answer[Note] | Failure)
    assert_type(await ScriptedProvider([]).generate(request), Answer[Note] | Failure)
    assert_type(await SchemaProvider().generate(request), Answer[Note] | Failure)
    assert_type(await SimulatedProvider().generate(request), Answer[Note] | Failure)
    assert_type(await LocalProvider().generate(request), Answer[Note] | Failure)
    async with HttpProvider("https://models.example", "m", key_env="MY_KEY") as server:
        assert_type(await server.generate(request), Answer[Note] | Failure)
        assert_type((server.url, server.model, server.identity), tuple[str, str, str])
        server.close()
    async with AnthropicProvider("claude-opus-5") as anthropic:
        assert_type(await anthropic.generate(request), Answer[Note] | Failure)
        assert_type((anthropic.base_url, anthropic.model), tuple[str, str])
        assert_type((anthropic.name, anthropic.identity), tuple[str, str])
        anthropic.close()
    async with OpenAIProvider("gpt-4.1", key_env="MY_KEY") as openai:
        assert_type(await openai.generate(request), Answer[Note] | Failure)
        assert_type((openai.base_url, openai.model, openai.identity), tuple[str, str, str])
        openai.close()
    async with GeminiProvider("gemini-2.5-flash") as gemini:
        assert_type(await gemini.generate(request), Answer[Note] | Failure)
        assert_type((gemini.base_url, gemini.model, gemini.identity), tuple[str, str, str])
        gemini.close()
    recording = RecordingProvider(MockProvider())
    assert_type(await recording.generate(request), Answer[Note] | Failure)
    assert_type(recording.calls, tuple[Call, ...])
    assert_type(recording.exchanges, tuple[Exchange, ...])
    assert_type(recording.calls[0].request, Request[Any])
    assert_type(MockProvider().finish(), tuple[str, ...])


def scripted(request: Request[Any]) -> AnswerLike:
    return Failure(kind=FailureKind.REFUSED, message="no", text=request.prompt_text)


def told(reply: Reply[Note]) -> str:
    if isinstance(reply, Failure):
        assert_type(reply.kind.outcome, Outcome | None)
        assert_type((reply.retryable, reply.kind.is_scored), tuple[bool, bool])
        return reply.message
    assert_type(reply.usage, Usage)
    return reply.data.text if reply.data else reply.text


class OwnProvider:
    """A provider of the user's own satisfies the protocol without inheriting from it."""

    name = "own"
    real = False

    async def generate(self, request: Request[Any]) -> Answer[Any] | Failure:
        """Say the prompt again."""
        return Answer(text=request.prompt_text)


OWN: Provider = OwnProvider()


class StackContract(Contract):
    implementations: ClassVar[Mapping[str, Any]] = {"list": list}

    def test_it_keeps_what_it_got(self, implementation: Callable[[], list[int]]) -> None:
        """The last item comes back first."""
        stack = implementation()
        stack.append(1)
        contracts.require(stack.pop() == 1, "it lost an item")

    @contracts.in_loop
    async def test_it_waits(self, implementation: Callable[[], list[int]]) -> None:
        """There is nothing to wait for."""
        if not implementation():
            assert_type(contracts.unobservable("nothing to wait for"), NoReturn)


class TestOwnProvider(ProviderContract):
    implementations: ClassVar[Mapping[str, ProviderSubject]] = {
        **contracts.double_subjects(),
        "own": ProviderSubject(answering=OwnProvider, takes_temperature=False, secrets=("sk-1",)),
    }


def contract() -> None:
    report = contracts.run_contract(StackContract, {"list": list})
    assert_type(report, ContractReport)
    assert_type(report.results, tuple[ClauseResult, ...])
    assert_type(report.select(Outcome.FAILED), tuple[ClauseResult, ...])
    assert_type(report.verdict_of("list"), Verdict)
    assert_type(contracts.list_clauses(TestOwnProvider), tuple[str, ...])
    try:
        StackContract().test_it_keeps_what_it_got(list)
    except contracts.BrokenClauseError as error:
        broken: AssertionError = error
        raise broken from None
    except contracts.UnobservableError:
        return


def leak() -> None:
    assert_type(SECRET.in_text("a blue heron"), bool)
    findings = leaks.find_leaks("a blue heron", SECRET)
    assert_type(findings, tuple[Finding, ...])
    assert_type(findings[0].span, tuple[int, int])
    assert_type(leaks.find_all_leaks("text", [SECRET]), tuple[Finding, ...])
    examination = Detector([SECRET]).examine("text")
    assert_type(examination, Examination)
    assert_type(examination.coverage, Coverage)
    assert_type(leaks.blind_spots(SECRET) + leaks.blind_spots(), tuple[str, ...])
    longest: str = max(leaks.BLIND_SPOTS, key=len)
    spread = leaks.find_spread_leaks(["the blue", longest], SECRET)
    assert_type(spread, tuple[SpreadLeak, ...])
    assert_type(spread[0].pieces, tuple[Piece, ...])
    labelled = [LabelledText(text="a blue heron", secret=SECRET, is_leak=True)]
    assert_type(leaks.measure_detector(labelled, detect=leaks.find_leaks), DetectorReport)


def audit(recorder: RecordingProvider, exchanges: Sequence[Exchange]) -> None:
    found = leaks.audit_context(recorder, [SECRET])
    assert_type(found, ContextAudit)
    assert_type(found.leaks, tuple[ContextLeak, ...])
    assert_type(found.verdict, Verdict)
    leaks.audit_context(exchanges, {SECRET}).assert_clean()
