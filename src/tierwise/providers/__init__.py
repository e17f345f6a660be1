"""Talk to a model: one protocol, many implementations."""

from tierwise.providers.answering import AnswerLike as AnswerLike
from tierwise.providers.anthropic import AnthropicProvider as AnthropicProvider
from tierwise.providers.gemini import GeminiProvider as GeminiProvider
from tierwise.providers.http import HttpProvider as HttpProvider
from tierwise.providers.llama import ModelLoader as ModelLoader
from tierwise.providers.local import LocalProvider as LocalProvider
from tierwise.providers.log import Call as Call
from tierwise.providers.mock import MockProvider as MockProvider
from tierwise.providers.openai import OpenAIProvider as OpenAIProvider
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
from tierwise.providers.rules import Rule as Rule
from tierwise.providers.schema import SchemaProvider as SchemaProvider
from tierwise.providers.scripted import ScriptedProvider as ScriptedProvider
from tierwise.providers.simulated import SimulatedProvider as SimulatedProvider
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
