"""What a scenario file may say; a misspelt key is a problem, never a silence."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field


class Strict(BaseModel):
    """A part of a scenario file, read as written: nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FactFile(Strict):
    """A fact; private and known to nobody unless the file says so."""

    name: str = Field(min_length=1)
    value: str
    visibility: Literal["PUBLIC", "PRIVATE"] = "PRIVATE"
    allowed: list[str] = []


class PortalFile(Strict):
    """A way to another place."""

    target: str
    name: str = ""
    state: str = ""
    vision: int = Field(default=10, ge=0, le=10)
    sound: int = Field(default=10, ge=0, le=10)
    bidirectional: bool = True


class LocationFile(Strict):
    """A place."""

    id: str
    parent: str | None = None
    attributes: list[FactFile] = []
    portals: list[PortalFile] = []


class MemoryFile(Strict):
    """Something that an entity remembers when the story begins."""

    content: str = Field(min_length=1)
    importance: int = Field(default=5, ge=1, le=10)
    minutesAgo: int = Field(default=0, ge=0)  # noqa: N815  keys of the file are camelCase
    location: str | None = None
    involved: list[str] = []


class EntityFile(Strict):
    """Somebody or something."""

    id: str
    location: str | None = None
    isAgent: bool = True  # noqa: N815
    attributes: list[FactFile] = []
    aliases: dict[str, str] = {}
    initialMemories: list[MemoryFile] = []  # noqa: N815


class WorldFile(Strict):
    """Facts of the world as a whole."""

    attributes: list[FactFile] = []


class ScenarioFile(Strict):
    """A story's beginning. Its name and description are the system's, known to nobody in it."""

    id: str
    name: str
    description: str = ""
    startTime: AwareDatetime  # noqa: N815
    world: WorldFile = WorldFile()
    locations: list[LocationFile] = []
    entities: list[EntityFile] = []
