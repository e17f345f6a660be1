"""Turns: how intents become events, and who remembers them."""

from omnia.loop.focus import find_focus as find_focus
from omnia.loop.game import Game as Game
from omnia.loop.movement import Way as Way, find_ways as find_ways, walk as walk
from omnia.loop.turn import (
    Rules as Rules,
    Step as Step,
    TurnReport as TurnReport,
    get_to_know as get_to_know,
    hand_over as hand_over,
    take_turn as take_turn,
)
from omnia.loop.witness import Happening as Happening, record as record

__all__ = [
    "Game",
    "Happening",
    "Rules",
    "Step",
    "TurnReport",
    "Way",
    "find_focus",
    "find_ways",
    "get_to_know",
    "hand_over",
    "record",
    "take_turn",
    "walk",
]
