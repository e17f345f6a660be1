"""What people live through, what they keep of it, and what comes to mind."""

from omnia.memory.chunks import (
    Chunk as Chunk,
    HandoffAnswer as HandoffAnswer,
    HandoffPlan as HandoffPlan,
    Refusal as Refusal,
    plan_handoff as plan_handoff,
)
from omnia.memory.entry import (
    Entry as Entry,
    Outcome as Outcome,
    in_order as in_order,
    render as render,
)
from omnia.memory.handoff import (
    Handoff as Handoff,
    HandoffReport as HandoffReport,
    build_handoff_prompt as build_handoff_prompt,
)
from omnia.memory.ledger import (
    Memory as Memory,
    Recall as Recall,
    Situation as Situation,
    Weights as Weights,
    find_relevant as find_relevant,
    recall as recall,
    score as score,
)
from omnia.memory.split import Split as Split, split_buffer as split_buffer
from omnia.memory.trigger import Trigger as Trigger, find_trigger as find_trigger

__all__ = [
    "Chunk",
    "Entry",
    "Handoff",
    "HandoffAnswer",
    "HandoffPlan",
    "HandoffReport",
    "Memory",
    "Outcome",
    "Recall",
    "Refusal",
    "Situation",
    "Split",
    "Trigger",
    "Weights",
    "build_handoff_prompt",
    "find_relevant",
    "find_trigger",
    "in_order",
    "plan_handoff",
    "recall",
    "render",
    "score",
    "split_buffer",
]
