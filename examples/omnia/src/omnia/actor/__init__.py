"""Characters: what they are told, who writes for them, what they mean to do."""

from omnia.actor.actor import (
    Actor as Actor,
    Mind as Mind,
    NotAnAgentError as NotAnAgentError,
    PromptBuilder as PromptBuilder,
)
from omnia.actor.prompt import build_actor_prompt as build_actor_prompt
from omnia.actor.reply import (
    Reply as Reply,
    build_reply_prompt as build_reply_prompt,
    form_reply_request as form_reply_request,
    reply as reply,
    salvage as salvage,
)
from omnia.actor.writers import (
    HumanWriter as HumanWriter,
    ModelWriter as ModelWriter,
    Prose as Prose,
    Writer as Writer,
)

__all__ = [
    "Actor",
    "HumanWriter",
    "Mind",
    "ModelWriter",
    "NotAnAgentError",
    "PromptBuilder",
    "Prose",
    "Reply",
    "Writer",
    "build_actor_prompt",
    "build_reply_prompt",
    "form_reply_request",
    "reply",
    "salvage",
]
