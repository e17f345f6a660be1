"""Who perceives what, from where: fully mechanical, no model."""

from omnia.spatial.check import find_map_problems as find_map_problems
from omnia.spatial.events import (
    EventKind as EventKind,
    Loudness as Loudness,
    SpatialEvent as SpatialEvent,
    default_loudness as default_loudness,
)
from omnia.spatial.passages import (
    Containment as Containment,
    Passage as Passage,
    damp as damp,
    find_passages as find_passages,
)
from omnia.spatial.perception import (
    Clarity as Clarity,
    Perception as Perception,
    clarity_of as clarity_of,
    perceive as perceive,
)
from omnia.spatial.spread import Reach as Reach, spread as spread

__all__ = [
    "Clarity",
    "Containment",
    "EventKind",
    "Loudness",
    "Passage",
    "Perception",
    "Reach",
    "SpatialEvent",
    "clarity_of",
    "damp",
    "default_loudness",
    "find_map_problems",
    "find_passages",
    "perceive",
    "spread",
]
