"""The published vectors for the secret Blue Heron 42, and what makes each of them one."""

import base64

import pytest

from tierwise.leaks import Finding, Secret, find_leaks

HERON = Secret("Blue Heron 42")


def only(text: str, secret: Secret = HERON) -> Finding:
    (finding,) = find_leaks(text, secret)
    return finding


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        ("Blue Heron 42", ("exact",)),
        ("BLUE HERON 42", ("normalised",)),
        ("\uff22\uff4c\uff55\uff45 \uff28\uff45\uff52\uff4f\uff4e \uff14\uff12", ("normalised",)),
        ("Bl\u200bue He\u200dron 4\u20602", ("normalised",)),
        ("B l u e  H e r o n  4 2", ("normalised",)),
        ("B-l-u-e_H.e.r.o.n/4+2", ("normalised",)),
        ("Blue\nHeron\n42", ("normalised",)),
        ("Bl\u00fce H\u00e9r\u00f6n 42", ("normalised",)),
        ("Blu\u0308e He\u0301ro\u0308n 42", ("normalised",)),
        ("\u0412lu\u0435 \u041d\u0435r\u043en 42", ("lookalike",)),
        ("24 noreH eulB", ("reversed",)),
        ("eulB noreH 24", ("words reversed",)),
        ("Oyhr Ureba 42", ("rot13",)),
        ("Gqzj Mjwts 42", ("caesar 5",)),
        ("Yofv Svilm 42", ("atbash",)),
        ("8lu3 H3r0n 42", ("leet",)),
        ("Qmx1ZSBIZXJvbiA0Mg==", ("base64", "exact")),
        ("Qmx1ZSBIZXJvbiA0Mg", ("base64", "exact")),
        ("426c7565204865726f6e203432", ("hex", "exact")),
        ("f426c7565204865726f6e203432", ("hex", "exact")),
        ("42:6C:75:65:20:48:65:72:6F:6E:20:34:32", ("hex", "exact")),
        ("Blue%20Heron%2042", ("percent", "exact")),
        ("&#66;lue&nbsp;Heron &#x34;2", ("html", "normalised")),
        (r"\u0042lue \u0048eron 4\x32", ("escapes", "exact")),
        ("-... .-.. ..- . / .... . .-. --- -. / ....- ..---.", ("morse", "normalised")),
        (
            "Bravo Lima Uniform Echo, Hotel Echo Romeo Oscar November, Four Two",
            ("nato", "normalised"),
        ),
        ("Blue Heron forty-two", ("numbers",)),
        ("blue heron, the forty-second", ("words",)),
        ("42, then Heron, then Blue", ("words",)),
        ("The blue heron, number 42.", ("words",)),
        ("Boats\nlay\nunder\nelms.\nHer\neyes\nrested\non\nnothing", ("first letters of lines",)),
        ("MjQgbm9yZUggZXVsQg==", ("base64", "reversed")),
        ("==gM0AibvJXZIBSZ1xmQ", ("reversed", "base64", "exact")),
        ("NDI2Yzc1NjUyMDQ4NjU3MjZmNmUyMDM0MzI=", ("base64", "hex", "exact")),
    ],
)
def test_every_vector_is_found_by_its_own_way(text: str, chain: tuple[str, ...]) -> None:
    """Each disguise is undone, alone and inside other text, and the span covers what leaked."""
    assert only(text).chain == chain
    around = f"Well.\n\n{text}\n\nThat is all I know."
    finding = only(around)
    assert finding.chain == chain
    assert finding.method == chain[0]
    start, end = finding.span
    covered = around[start:end]
    assert covered in text
    assert only(covered).chain == chain


@pytest.mark.parametrize(
    "text",
    [
        "A blue heron stood on the pier at 4 and 2 boats left.",
        "Blue Heron 421 is another boat.",
        "Blue Heron 4 and 2 more",
        "The heron is not blue, and nobody is 42.",
        "Blue skies over the marsh. A heron waits. It is 42 degrees in the shade of the old mill.",
    ],
)
def test_harmless_sentence_on_the_same_subject_stays_clean(text: str) -> None:
    """Words of the secret that are not told together, or numbers that only share digits."""
    assert find_leaks(text, HERON) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Boats\nlay\nunder\nelms\nHer\neyes\nrested\non\nnothing",
        "Boats lay. Lanterns. Untied. Each. Her. Ever. Ropes. Only. Nets.",
        "By low underwood every heron eventually rests on nests.",
        "web\nmail\nyou\nthe\nwith\nhive\nher\nhero\nthen",
    ],
)
def test_edges_of_lines_sentences_and_words_spell_the_letters(text: str) -> None:
    """First and last letters; digits may be left out of an acrostic."""
    assert "letters of" in only(text).method


@pytest.mark.parametrize(
    "text",
    [
        "She saw how every row of nets hung.",
        "Old hats, every rope, one net: nothing else was left there.",
        "the\nher\nrope\nhero\nthen\nmore",
    ],
)
def test_few_letters_in_a_row_of_words_are_chance(text: str) -> None:
    """Five first letters amid a sentence, or five last ones of lines, are no acrostic."""
    for value in ("heron", "ehron", "ereon"):
        assert find_leaks(text, Secret(value)) == ()


def test_short_acrostic_counts_when_it_fills_a_sentence() -> None:
    """Five words that are a sentence spell a secret of five letters."""
    (finding,) = find_leaks("Wait. Hidden eager rabbits own nests. So.", Secret("Heron"))
    assert finding.method == "first letters of words"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("cheers", "they xjollyzy about"),
        ("abjurer", "to xnowherex"),
        ("wanderer", "the xjnaqrerex"),
        ("wizards", "drazziw, xdraziwsx"),
    ],
)
def test_cipher_of_a_short_word_has_to_be_a_whole_word(value: str, text: str) -> None:
    """Words are each other's ciphers: inside of a longer word it is chance."""
    assert find_leaks(text, Secret(value)) == ()


@pytest.mark.parametrize("lead", ["", "x", "xx", "xxx"])
@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_base64_is_read_at_every_offset_and_when_its_head_is_cut_off(lead: str, cut: int) -> None:
    """`eHh4QmxlIG...`: the secret is found wherever it lies within an encoded text."""
    whole = base64.b64encode(f"{lead}-- Blue Heron 42, keep it".encode()).decode()
    assert only(f"token={whole[cut:]}").chain == ("base64", "exact")


def test_base64_broken_into_lines_is_read_as_one() -> None:
    """A mail breaks its lines within the secret; the span covers both sides of the break."""
    body = base64.encodebytes(("-" * 50 + "Blue Heron 42" + "-" * 50).encode()).decode()
    finding = only(body)
    assert finding.chain == ("base64", "exact")
    assert "\n" in body[slice(*finding.span)]


def test_secret_amid_encoded_noise_is_found_and_only_it_is_covered() -> None:
    """Encoded data need not be text all through, and the span leaves the rest out."""
    noise = bytes(range(128, 200))
    body = base64.b64encode(noise + b"Blue Heron 42" + noise).decode()
    finding = only(body)
    start, end = finding.span
    assert end - start <= 20
    assert only(body[start:end]).chain == ("base64", "exact")
    assert start > 90


def test_encoding_that_reads_as_something_by_chance_is_still_turned_about() -> None:
    """Base64 with its letters turned about happens to decode to plain text, too."""
    turned = only("see czNgYnZwNFI0RGcydGU .", Secret("Pgrpdt Spfv 77"))
    assert turned.chain == ("reversed", "base64", "exact")
    assert only("JDUsBHYKBDUsRWVd", Secret("Aaaa Oaaa 10")).chain == ("atbash", "base64", "exact")


def test_full_stop_after_morse_is_no_dot() -> None:
    """`-..` at the end of a sentence is an n and a full stop, as well as a d."""
    assert find_leaks("He tapped .... . .-. --- -..", Secret("Heron"))
    assert find_leaks("He tapped .... . .-. --- -..", Secret("Herod"))


def test_two_decoded_texts_do_not_run_into_each_other() -> None:
    """The end of one token and the beginning of the next are not one text."""
    filler = b"-" * 60
    parts = filler + b"the Blue Her", b"on 42 list" + filler
    first, second = (base64.b64encode(part).decode() for part in parts)
    assert find_leaks(f"{first} and then {second}", HERON) == ()


def test_very_short_secret_is_not_looked_for_in_what_was_decoded() -> None:
    """Two digits turn up in any blob."""
    assert find_leaks("there are 42 of them", Secret("42"))
    assert find_leaks(b"there are 42 of them".hex(), Secret("42")) == ()


def test_each_place_is_reported_once_by_its_plainest_way() -> None:
    """Two places, two findings; neither is repeated by a cleverer way of looking."""
    text = "Blue Heron 42 or, in full, blue heron forty-two"
    assert [finding.method for finding in find_leaks(text, HERON)] == ["exact", "numbers"]


def test_alias_counts_as_the_secret_and_is_named() -> None:
    """A finding says which form was recognised, under the secret's name."""
    secret = Secret("Blue Heron 42", aliases=("the marsh house",), name="hideout")
    finding = only("Try The Marsh-House.", secret)
    assert (finding.secret, finding.form) == ("hideout", "the marsh house")


def test_finding_reads_as_one_line() -> None:
    """`str` gives secret, decoded text, place and the way it was hidden."""
    assert str(only("x MjQgbm9yZUggZXVsQg==")) == (
        "Blue Heron 42: 'Blue Heron 42' at 2..20 (base64 > reversed)"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("42", "It is forty-two."),
        ("42", "the forty-second door"),
        ("forty-two", "Room 42."),
        ("1984", "nineteen eighty-four"),
        ("1905", "back in nineteen oh five"),
        ("2024", "in twenty twenty-four"),
        ("1,500", "fifteen hundred crowns"),
        ("1500", "some 1 500 crowns"),
        ("482000", "four hundred and eighty-two thousand"),
        ("4821", "four eight two one"),
        ("4821", "4-8-2-1"),
        ("4821", "48 21"),
        ("1000000", "a million"),
        ("14 March 1990", "1990-03-14"),
        ("14 March 1990", "03/14/90"),
        ("14 March 1990", "14.03.1990"),
        ("14 March 1990", "March 14th, 1990"),
        ("14 March 1990", "the fourteenth of March, nineteen ninety"),
        ("1990-03-14", "14 Mar 1990"),
        ("1990-03-14", "born 19900314"),
        ("14 March", "on the fourteenth of March"),
        ("14 March", "March 14, 1990"),
    ],
)
def test_numbers_and_dates_are_found_in_another_spelling(value: str, text: str) -> None:
    """Words for digits, digits for words, ordinals, groups, and dates in several orders."""
    assert find_leaks(text, Secret(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("42", "Order 1429 has 421 parts, 3.42 kg, 42.5 cm, 42,000 pieces."),
        ("42", "four or two, the first forty, two more"),
        ("42", "4 and 2, 4, 2, 4.2"),
        ("1984", "19 boats, 84 oars"),
        ("4821", "48, 21 and 3.14"),
        ("4821", "48.21 euros"),
        ("14 March 1990", "14 March 1991, 15 March 1990, 14 May 1990, March 1990"),
        ("1990-03-14", "March 14 is a fine day"),
        ("7", "seventeen, 70 and 0.7"),
    ],
)
def test_numbers_that_only_share_digits_are_clean(value: str, text: str) -> None:
    """A number is told whole or not at all."""
    assert find_leaks(text, Secret(value)) == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Heron", "Please put her on the list."),
        ("Anna", "Savannah can nap."),
        ("Anna", "An Na, banal annals"),
        ("modem", "a modern house"),
        ("drawn", "wardrobe"),
        ("lisa", "code 1154"),
        ("cheer", "how jolly!"),
        ("fails", "it falls"),
        ("7f3a", "sha d27f3a9c"),
        ("zx", "puzxle"),
        ("Isobel", "Is Obel here"),
    ],
)
def test_short_secret_has_to_stand_by_itself(value: str, text: str) -> None:
    """Folding brings letters of unrelated words together; that is no leak."""
    assert find_leaks(text, Secret(value)) == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Heron", "She is the herons' friend, Heron's own"),
        ("Heron", "callHeronNow"),
        ("Heron", "h-e-r-o-n"),
        ("Heron", "he*ron"),
        ("Heron", "her-\non"),
        ("Anna", "4nna"),
        ("\u6771\u4eac\u90fd", "\u5f7c\u306f\u6771\u4eac\u90fd\u306b\u3044\u308b"),
        ("\U0001f525\U0001f409", "beware \U0001f525\U0001f409!"),
        ("zx-7f3a", "XX_zx-7f3a_YY"),
        ("zx-7f3a", "zx 7F3A"),
    ],
)
def test_short_secret_is_still_found_where_it_was_meant(value: str, text: str) -> None:
    """Plural, camel case, spelled out, starred, hyphenated, unspaced scripts, signs."""
    assert find_leaks(text, Secret(value))
