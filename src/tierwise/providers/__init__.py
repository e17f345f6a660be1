"""Talk to a model: one protocol, many implementations."""

from typing import TYPE_CHECKING

from tierwise._loading import load_from

if TYPE_CHECKING:
    from tierwise.providers.anthropic.provider import AnthropicProvider as AnthropicProvider
    from tierwise.providers.gemini.provider import GeminiProvider as GeminiProvider
    from tierwise.providers.http.provider import HttpProvider as HttpProvider
    from tierwise.providers.local.llama import ModelLoader as ModelLoader
    from tierwise.providers.local.provider import LocalProvider as LocalProvider
    from tierwise.providers.log import Call as Call
    from tierwise.providers.made_up.answering import AnswerLike as AnswerLike
    from tierwise.providers.made_up.mock import MockProvider as MockProvider
    from tierwise.providers.made_up.rules import Rule as Rule
    from tierwise.providers.made_up.schema import SchemaProvider as SchemaProvider
    from tierwise.providers.made_up.scripted import ScriptedProvider as ScriptedProvider
    from tierwise.providers.made_up.simulated import SimulatedProvider as SimulatedProvider
    from tierwise.providers.openai.provider import OpenAIProvider as OpenAIProvider
    from tierwise.providers.protocol import (
        Answer as Answer,
        Failure as Failure,
        FailureKind as FailureKind,
        Provider as Provider,
        Reply as Reply,
        Request as Request,
        Tool as Tool,
    )
    from tierwise.providers.recording import RecordingProvider as RecordingProvider
    from tierwise.providers.spec import provider_from_spec as provider_from_spec
    from tierwise.providers.tokens import count_tokens as count_tokens

__all__ = [
    "Answer",
    "AnswerLike",
    "AnthropicProvider",
    "Call",
    "Failure",
    "FailureKind",
    "GeminiProvider",
    "HttpProvider",
    "LocalProvider",
    "MockProvider",
    "ModelLoader",
    "OpenAIProvider",
    "Provider",
    "RecordingProvider",
    "Reply",
    "Request",
    "Rule",
    "SchemaProvider",
    "ScriptedProvider",
    "SimulatedProvider",
    "Tool",
    "count_tokens",
    "provider_from_spec",
]

_HOMES = {
    "Answer": "protocol",
    "AnswerLike": "made_up.answering",
    "AnthropicProvider": "anthropic.provider",
    "Call": "log",
    "Failure": "protocol",
    "FailureKind": "protocol",
    "GeminiProvider": "gemini.provider",
    "HttpProvider": "http.provider",
    "LocalProvider": "local.provider",
    "MockProvider": "made_up.mock",
    "ModelLoader": "local.llama",
    "OpenAIProvider": "openai.provider",
    "Provider": "protocol",
    "RecordingProvider": "recording",
    "Reply": "protocol",
    "Request": "protocol",
    "Rule": "made_up.rules",
    "SchemaProvider": "made_up.schema",
    "ScriptedProvider": "made_up.scripted",
    "SimulatedProvider": "made_up.simulated",
    "Tool": "protocol",
    "count_tokens": "tokens",
    "provider_from_spec": "spec",
}

if not TYPE_CHECKING:
    __getattr__ = load_from(__name__, _HOMES)
