"""Every transform, and every two that may be combined, through the finder, in random company."""

import base64
import codecs
import html
import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings, strategies as st
from num2words import num2words

from tierwise.leaks import Detector, Secret, find_all_leaks, find_leaks
from tierwise.leaks.numerals import number_words

QUIET = settings(deadline=None, database=None)
"""A unit test keeps no files, and a busy machine is no failure."""

Transform = Callable[[str], str]

LOWER = "abcdefghijklmnopqrstuvwxyz"
MORSE_CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- "
    "-..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
NATO_WORDS = (
    "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar "
    "Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
)
MORSE = dict(zip(LOWER + "0123456789", MORSE_CODES.split(), strict=True))
NATO = dict(zip(LOWER, NATO_WORDS.split(), strict=True))
CYRILLIC = str.maketrans(
    "aceopxyABCEHKMOPTX",
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0410\u0412"
    "\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425",
)
LEET = str.maketrans("aeios", "43105")


def atbash(text: str) -> str:
    both = LOWER + LOWER.upper()
    return text.translate(str.maketrans(both, LOWER[::-1] + LOWER[::-1].upper()))


def caesar(text: str) -> str:
    moved = LOWER[7:] + LOWER[:7]
    return text.translate(str.maketrans(LOWER + LOWER.upper(), moved + moved.upper()))


def rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def utf16(text: str) -> list[int]:
    data = text.encode("utf-16-be")
    return [int.from_bytes(data[at : at + 2]) for at in range(0, len(data), 2)]


def spelled(text: str, alphabet: dict[str, str], between: str) -> str:
    return between.join(alphabet.get(c, c) for c in text.lower() if c.isalnum())


DRESSES: dict[str, Transform] = {
    "plain": lambda text: text,
    "upper": str.upper,
    "full width": lambda text: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text
    ),
    "zero width": "\u200b".join,
    "soft hyphen": "\u00ad".join,
    "spaced": " ".join,
    "dashed": lambda text: "-".join(c for c in text if c.isalnum()),
    "lines": lambda text: text.replace(" ", "\n"),
    "accents": lambda text: text.translate(str.maketrans("aeiou", "àéîöü")),
    "stacked marks": lambda text: "".join(c + "\u0301\u0323" for c in text),
    "cyrillic": lambda text: text.translate(CYRILLIC),
    "circled": lambda text: "".join(chr(0x24D0 + ord(c) - 97) if c.islower() else c for c in text),
    "bold": lambda text: "".join(chr(0x1D41A + ord(c) - 97) if c.islower() else c for c in text),
}
MOVES: dict[str, Transform] = {
    "reversed": lambda text: text[::-1],
    "words reversed": lambda text: " ".join(word[::-1] for word in text.split(" ")),
    "rot13": rot13,
    "caesar": caesar,
    "atbash": atbash,
    "leet": lambda text: text.translate(LEET),
}
CODES: dict[str, Transform] = {
    "base64": b64,
    "base64 unpadded": lambda text: b64(text).rstrip("="),
    "base64 url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64 at 1": lambda text: b64(f"?{text} and so on"),
    "base64 at 2": lambda text: b64(f"??{text} and so on"),
    "base64 cut": lambda text: b64(f"so {text} and so on")[2:],
    "base64 in short lines": lambda text: "\n".join(re.findall(".{1,12}", b64(text))),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "base32 in small letters": lambda text: base64.b32encode(text.encode()).decode().lower(),
    "hex": lambda text: text.encode().hex(),
    "hex parted": lambda text: text.encode().hex(":"),
    "hex prefixed": lambda text: " ".join(f"0x{byte:02X}" for byte in text.encode()),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "hex entities": lambda text: "".join(f"&#x{ord(c):x};" for c in text),
    "escapes": lambda text: "".join(f"\\u{unit:04x}" for unit in utf16(text)),
    "braced escapes": lambda text: "".join(f"\\u{{{ord(c):x}}}" for c in text),
    "byte escapes": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "code points": lambda text: " ".join(f"U+{ord(c):04X}" for c in text),
    "quoted printable": lambda text: "".join(f"={byte:02X}" for byte in text.encode()),
    "binary": lambda text: " ".join(f"{byte:08b}" for byte in text.encode()),
    "tags": lambda text: "".join(chr(0xE0000 + ord(c)) for c in text),
    "variation selectors": lambda text: "".join(
        chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in text.encode()
    ),
}
SPELLINGS: dict[str, Transform] = {
    "morse": lambda text: spelled(text, MORSE, " "),
    "nato": lambda text: spelled(text, NATO, " "),
    "nato with commas": lambda text: spelled(text, NATO, ", "),
    "initials of lines": lambda text: "\n".join(f"{c}... goes" for c in text if c.isalnum()),
    "initials of sentences": lambda text: " ".join(f"{c} went. " for c in text if c.isalnum()),
}
WRAPPERS = ("base64", "base32", "hex", "percent", "escapes", "base64 url", "binary")
EVERY = {**DRESSES, **MOVES, **CODES, **SPELLINGS}

WORDS = st.text(alphabet=LOWER, min_size=4, max_size=9).map(str.capitalize)
NUMBERS = st.integers(min_value=10, max_value=99_999).map(str)
SECRETS = st.builds("{} {} {}".format, WORDS, WORDS, NUMBERS)
PUNCTUATION = st.sampled_from(["", "\n\n", "... ", "[x] ", "So: ", "«»", "\U0001f600 "])


def surround(text: str, before: str, after: str) -> str:
    return f"{before}\n\n{text}\n\n{after}"


@pytest.mark.parametrize("name", EVERY)
@given(value=SECRETS, before=PUNCTUATION, after=PUNCTUATION)
@settings(QUIET, max_examples=12)
def test_transform_is_found_whatever_the_secret(
    name: str,
    value: str,
    before: str,
    after: str,
) -> None:
    """A secret of two words and a number is found under each transform, within its span."""
    disguised = EVERY[name](value)
    text = surround(disguised, before, after)
    findings = find_leaks(text, Secret(value))
    assert findings
    start, end = findings[0].span
    assert text[start:end].strip() in text
    assert find_leaks(text[start:end], Secret(value))


@pytest.mark.parametrize("outer", WRAPPERS)
@given(value=SECRETS)
@settings(QUIET, max_examples=3)
def test_encoding_around_any_transform_is_found(outer: str, value: str) -> None:
    """Whatever is found plain is found within one encoding, and one encoding within another."""
    secret = Secret(value)
    inner = {**DRESSES, **MOVES, **CODES}
    texts = {name: f"see {CODES[outer](hide(value))} ." for name, hide in inner.items()}
    assert [name for name, text in texts.items() if not find_leaks(text, secret)] == []


@pytest.mark.parametrize("outer", ["reversed", "rot13", "atbash"])
@pytest.mark.parametrize("inner", ["base64", "base64 url", "base32"])
@given(value=SECRETS)
@settings(QUIET, max_examples=10)
def test_encoding_with_its_letters_turned_is_found(outer: str, inner: str, value: str) -> None:
    """An encoded secret is found with its letters reversed or swapped."""
    assert find_leaks(f"see {MOVES[outer](CODES[inner](value).strip('='))} .", Secret(value))


@given(number=st.integers(min_value=10, max_value=10**9), word=WORDS)
@settings(QUIET, max_examples=200)
def test_number_words_are_read_as_an_independent_speller_writes_them(
    number: int,
    word: str,
) -> None:
    """Digits are found as words, words as digits, cardinal and ordinal, against num2words."""
    assume(word.lower() not in number_words())  # `Million fifty` is one number, not a word and 50
    cardinal, ordinal = num2words(number), num2words(number, to="ordinal")
    for spelling in (cardinal, ordinal, cardinal.replace("-", " ")):
        assert find_leaks(f"It was {spelling} then.", Secret(str(number)))
        assert find_leaks(f"It was {number} then.", Secret(spelling))
        assert find_leaks(f"{word} {spelling}", Secret(f"{word} {number}"))


@given(year=st.integers(min_value=1100, max_value=2099))
@settings(QUIET, max_examples=100)
def test_years_are_read_as_they_are_spoken(year: int) -> None:
    """Nineteen eighty-four is 1984."""
    assert find_leaks(num2words(year, to="year"), Secret(str(year)))


@given(number=st.integers(min_value=10_000, max_value=10**7), other=st.integers(min_value=10_000))
@settings(QUIET, max_examples=100)
def test_another_number_in_words_is_clean(number: int, other: int) -> None:
    """A number in words is not taken for a different one."""
    assume(str(number) not in str(other))
    assert find_leaks(f"It was {num2words(other)} then.", Secret(str(number))) == ()


ANY_TEXT = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("&#;%\\ux{}=.-_ \n0123456789abcdefABCDEF+/\uffff\u200b\U000e0041\ufe0f"),
    ),
    max_size=300,
)


@given(text=ANY_TEXT, value=ANY_TEXT.filter(str.strip))
@settings(QUIET, max_examples=400)
def test_finder_never_fails_and_its_spans_lie_in_the_text(text: str, value: str) -> None:
    """Any text against any secret: no error, spans within the text, the same answer twice."""
    secrets = (Secret(value), Secret("Blue Heron 42"), Secret("42"))
    findings = find_all_leaks(text, secrets)
    assert findings == find_all_leaks(text, secrets)
    assert all(0 <= f.span[0] < f.span[1] <= len(text) for f in findings)


@given(before=ANY_TEXT, after=ANY_TEXT, value=SECRETS)
@settings(QUIET, max_examples=200)
def test_plain_secret_is_found_in_any_company(before: str, after: str, value: str) -> None:
    """No text around it hides a secret that stands there as it is."""
    text = f"{before} {value} {after}"
    assert any(value in text[slice(*f.span)] for f in find_leaks(text, Secret(value)))


@given(text=st.text(alphabet="ghijklmopqruvwxyz .,\n", max_size=400))
@settings(QUIET, max_examples=200)
def test_text_that_shares_no_character_with_the_secret_is_clean(text: str) -> None:
    """Without any of its letters only a cipher could tell the secret, and here none can."""
    assume(not set("bcdefnst") & set(text))
    secret = Secret("sent bed tents 42")
    ways = {f.method.split()[0] for f in find_leaks(text, secret)}
    assert ways <= {"rot13", "caesar", "atbash"}


@given(value=st.text(min_size=1, max_size=40).filter(str.strip))
@settings(QUIET, max_examples=300)
def test_any_secret_is_found_in_itself(value: str) -> None:
    """Signs, scripts, spaces at the ends: a text that is the secret gives it away."""
    assert find_leaks(value, Secret(value))


def test_detector_is_the_same_as_one_secret_after_another() -> None:
    """Searching for many secrets at once finds what searching for each finds."""
    secrets = [Secret("Blue Heron 42"), Secret("zx-7f3a"), Secret("14 March 1990")]
    text = "24 noreH eulB, eng-7f3a, ZX7F3A and 1990-03-14; " + html.escape("<zx-7f3a>")
    together = Detector(secrets).examine(text).findings
    alone = [finding for secret in secrets for finding in find_leaks(text, secret)]
    assert sorted(map(str, together)) == sorted(map(str, alone))
