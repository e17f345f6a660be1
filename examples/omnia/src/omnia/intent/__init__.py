"""What people mean to do, and text in which each reader meets people by its own names."""

from omnia.intent.decoder import (
    Decoded as Decoded,
    Decoder as Decoder,
    DecodingFailure as DecodingFailure,
    ModelDecoder as ModelDecoder,
    assemble as assemble,
    build_decoder_prompt as build_decoder_prompt,
)
from omnia.intent.dehydrate import (
    Dehydrated as Dehydrated,
    dehydrate as dehydrate,
    names_known_to as names_known_to,
)
from omnia.intent.hydrate import hydrate as hydrate
from omnia.intent.intents import Intent as Intent, IntentKind as IntentKind
from omnia.intent.plain import PlainDecoder as PlainDecoder
from omnia.intent.schema import IntentDraft as IntentDraft, IntentSequence as IntentSequence
from omnia.intent.tags import make_tag as make_tag, strip_tags as strip_tags
from omnia.intent.words import expand_contractions as expand_contractions

__all__ = [
    "Decoded",
    "Decoder",
    "DecodingFailure",
    "Dehydrated",
    "Intent",
    "IntentDraft",
    "IntentKind",
    "IntentSequence",
    "ModelDecoder",
    "PlainDecoder",
    "assemble",
    "build_decoder_prompt",
    "dehydrate",
    "expand_contractions",
    "hydrate",
    "make_tag",
    "names_known_to",
    "strip_tags",
]
