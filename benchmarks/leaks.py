"""How long does it take to search a text for secrets?

    python benchmarks/leaks.py

Prints milliseconds of processor time (the best of several runs, so that a busy machine counts
little) for 10,000 characters against 100 secrets, beside a floor that does next to nothing (one
normalisation and 100 plain `in`), then awkward texts of 50,000 and 100,000 characters, to show
that the work grows with the length and no faster.
"""

from __future__ import annotations

import base64
import random
import time
import unicodedata
from typing import TYPE_CHECKING

from tierwise.leaks import Detector, Secret, find_all_leaks

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET_MS = 50.0
VOCABULARY = (
    "the a heron blue water she said that morning boats left pier and door key under mat walked "
    "quickly into town where people gather every evening seventeen forty two 1984 March market "
    "castle knight answer question together sentence paragraph important different"
)
WORDS = VOCABULARY.split()


def best_ms(act: Callable[[], object], *, repeats: int = 15) -> float:
    """Return the shortest of several runs, in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        act()
        times.append(time.process_time() - start)
    return min(times) * 1000


def prose(chance: random.Random, size: int) -> str:
    """Return sentences of common words."""
    text = ""
    while len(text) < size:
        text += " ".join(chance.choices(WORDS, k=chance.randint(6, 15))).capitalize() + ". "
    return text[:size]


def hundred_secrets(chance: random.Random) -> list[Secret]:
    """Return 50 phrases with a number and 50 codes."""
    first, second = ("Silver", "Crimson", "Amber", "Quiet"), ("Falcon", "Otter", "Badger", "Lynx")
    phrases = [
        f"{chance.choice(first)} {chance.choice(second)} {chance.randint(10, 9999)}"
        for _ in range(50)
    ]
    return [
        Secret(value) for value in phrases + [f"zx-{chance.randbytes(4).hex()}" for _ in range(50)]
    ]


def floor(text: str, secrets: list[Secret]) -> int:
    """Do the least that could be called a search."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return sum(secret.value.casefold() in normal for secret in secrets)


def awkward(chance: random.Random, size: int) -> dict[str, str]:
    """Return texts made to cost as much as possible."""
    noise = base64.b64encode(chance.randbytes(size)).decode()
    letters = base64.b64encode(prose(chance, size).encode()).decode()
    return {
        "base64 of noise": noise[:size],
        "base64 of prose": letters[:size],
        "hex of noise": chance.randbytes(size).hex()[:size],
        "one letter": "a" * size,
        "letters and spaces": ("a " * size)[:size],
        "digits and spaces": ("1 2 3 4 5 6 7 8 9 " * size)[:size],
        "number words": ("one hundred and " * size)[:size],
        "Morse": (".- -... " * size)[:size],
        "percent escapes": ("%41" * size)[:size],
        "line breaks": ("a\n" * size)[:size],
        "half of a secret": ("Silver Falcon " * size)[:size],
    }


def main() -> None:
    """Print every figure."""
    chance = random.Random(1)  # noqa: S311  texts, not keys
    secrets = hundred_secrets(chance)
    detector = Detector(secrets)
    texts = {"English": prose(chance, 10_000)}
    texts["accented"] = texts["English"].replace("e", "é")
    print("10,000 characters, 100 secrets            ms")
    for name, text in texts.items():
        print(f"  floor, {name:<32} {best_ms(lambda t=text: floor(t, secrets)):6.2f}")
        print(f"  Detector.examine, {name:<21} {best_ms(lambda t=text: detector.examine(t)):6.1f}")
        whole = best_ms(lambda t=text: find_all_leaks(t, secrets))
        verdict = "under" if whole < TARGET_MS else "OVER"
        print(f"  find_all_leaks, {name:<23} {whole:6.1f}  {verdict} {TARGET_MS:.0f}")
    print(f"  making ready 100 secrets {'':<14} {best_ms(lambda: Detector(secrets)):6.1f}")
    reply = texts["English"][:400]
    one = secrets[0]
    print(f"  one secret in a reply of 400 {'':<10} {best_ms(lambda: one.in_text(reply)):6.2f}")
    print("\nawkward texts, 100 secrets            50,000   100,000   ratio (2 is linear)")
    small, large = awkward(chance, 50_000), awkward(chance, 100_000)
    for name in small:
        half, full = (
            best_ms(lambda t=text: detector.examine(t), repeats=3)
            for text in (small[name], large[name])
        )
        print(f"  {name:<33} {half:7.0f}   {full:7.0f}   {full / half:5.2f}")


if __name__ == "__main__":
    main()
