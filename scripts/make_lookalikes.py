"""Write src/tierwise/leaks/lookalikes.py from the Unicode confusables (UTS 39).

    python scripts/make_lookalikes.py confusables.json > src/tierwise/leaks/lookalikes.py

The JSON file is the one inside the `confusable-homoglyphs` package, which holds Unicode's table.
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import json
import string
import sys
import unicodedata
from pathlib import Path

HEADER = '''"""Characters that look like an ASCII letter or digit, by what they look like.

Derived from the Unicode confusables of UTS 39 (Copyright Unicode, Inc., Unicode License v3);
written by scripts/make_lookalikes.py, do not edit. Characters that compatibility decomposition
already leads to the right letter are left out.
"""

from __future__ import annotations

LOOKALIKES = (
'''


def unfold(char: str) -> str:
    """Return what decomposition and case folding make of a character."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(part for part in folded if part.isalnum())


def collect(table: dict[str, list[dict[str, str]]]) -> dict[str, set[str]]:
    """Return the look-alikes of each ASCII letter and digit that folding alone does not catch."""
    found: dict[str, set[str]] = {}
    for letter in string.ascii_letters + string.digits:
        for entry in table.get(letter, []):
            char = entry["c"]
            if len(char) == 1 and not char.isascii() and unfold(char) != unfold(letter):
                found.setdefault(letter.lower(), set()).add(char)
    every = set().union(*found.values())
    return {
        letter: {c for c in chars if not is_reached(c, every)} for letter, chars in found.items()
    }


def is_reached(char: str, every: set[str]) -> bool:
    """Say whether decomposing the character leads to another entry, or to an ASCII character."""
    decomposed = unicodedata.normalize("NFKD", char)
    return decomposed != char and (decomposed in every or decomposed.isascii())


def main() -> None:
    """Write the module to standard output."""
    found = collect(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    sys.stdout.write(HEADER)
    for letter, chars in sorted(found.items()):
        escaped = [char.encode("unicode_escape").decode() for char in sorted(chars)]
        for at in range(0, len(escaped), 8):
            row = "".join(escaped[at : at + 8])
            sys.stdout.write(f'    ("{letter}", "{row}"),\n')
    sys.stdout.write(")\n")


if __name__ == "__main__":
    main()
