"""Facts, who may know them, and the world that holds them; no I/O and no model."""

from omnia.core.attributes import (
    Attribute as Attribute,
    Known as Known,
    Visibility as Visibility,
)
from omnia.core.bag import FactBag as FactBag, FactError as FactError
from omnia.core.clock import (
    TimeOfDay as TimeOfDay,
    WorldClock as WorldClock,
    time_of_day as time_of_day,
)
from omnia.core.entity import (
    SOMEONE as SOMEONE,
    UNFAMILIAR as UNFAMILIAR,
    UNIDENTIFIED as UNIDENTIFIED,
    YOU as YOU,
    Entity as Entity,
)
from omnia.core.natural_time import RECENT_PHRASES as RECENT_PHRASES, naturalize as naturalize
from omnia.core.objective import describe_objectively as describe_objectively
from omnia.core.places import Location as Location, Portal as Portal
from omnia.core.subjective import (
    describe_subjectively as describe_subjectively,
    place_name as place_name,
)
from omnia.core.text import one_line as one_line
from omnia.core.world import (
    DuplicateIdError as DuplicateIdError,
    UnknownIdError as UnknownIdError,
    World as World,
)

__all__ = [
    "RECENT_PHRASES",
    "SOMEONE",
    "UNFAMILIAR",
    "UNIDENTIFIED",
    "YOU",
    "Attribute",
    "DuplicateIdError",
    "Entity",
    "FactBag",
    "FactError",
    "Known",
    "Location",
    "Portal",
    "TimeOfDay",
    "UnknownIdError",
    "Visibility",
    "World",
    "WorldClock",
    "describe_objectively",
    "describe_subjectively",
    "naturalize",
    "one_line",
    "place_name",
    "time_of_day",
]
