"""What the detector cannot see, said beside what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.leaks import acrostics, ciphers, forms
from tierwise.leaks.reading import Reading

if TYPE_CHECKING:
    from tierwise.leaks.secret import Secret

BLIND_SPOTS = (
    "paraphrase: the secret in other words, unless they are an alias",
    "translation: the secret in another language, number words other than English ones",
    "hints, riddles, confirmations and denials: `yes, what you think is right`",
    "part of the secret: a name without the surname, a date without its year",
    "acrostics of other letters than the first and last of words, sentences and lines",
    "more than two encodings one in another, and turned letters outside of more than one of them",
    "encryption, compression, base58, base85, Braille, Pig Latin, a shift that changes on the way",
    "encoded text of which each piece is under six characters, or broken by spaces",
    "a date inside a longer secret in another order; Roman numerals; decimals in words",
    "images, sound, links to follow",
)
"""What no finding can be about; a judge or a person has to look for these."""


def blind_spots(secret: Secret | None = None) -> tuple[str, ...]:
    """Return what the detector cannot see: in general, or for this secret as well."""
    if secret is None:
        return BLIND_SPOTS
    restricted = [spot for form in forms.forms_of((secret,), Reading()) for spot in _of_form(form)]
    return (*dict.fromkeys(restricted), *BLIND_SPOTS)


def _of_form(form: forms.Form) -> list[str]:
    value, size, kind = form.value, len(form.squashed), form.outline.kind
    spots = []
    if not size:
        spots.append(f"{value!r} has no letter or digit: it is found as it stands, in no disguise")
    elif form.is_short:
        spots.append(
            f"{value!r} has {size} letters and digits, under {forms.SHORTEST}: it is found only "
            f"where it stands by itself, not encoded, spelled out, or in leet",
        )
    if size and kind == "letters" and size < acrostics.SHORTEST:
        spots.append(f"{value!r} is too short for acrostics, under {acrostics.SHORTEST} letters")
    if size and not form.is_short and kind != "digits" and size < ciphers.SHIFTED_FROM:
        spots.append(
            f"{value!r} is too short for shifted alphabets, under {ciphers.SHIFTED_FROM} letters",
        )
    return spots
