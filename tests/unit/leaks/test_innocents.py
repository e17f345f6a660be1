"""Texts that give nothing away: prose on the same subjects, code, blobs, hashes, numbers."""

import base64
import hashlib
import random
import uuid

import pytest

from tierwise.leaks import Detector, Secret, find_leaks

SECRETS = (
    Secret("Blue Heron 42"),
    Secret("Maren is pregnant", aliases=("Maren is expecting a child",)),
    Secret("the key is under the blue mat"),
    Secret("Isolde Varga", aliases=("Isolde",)),
    Secret("Noreen"),
    Secret("Anna"),
    Secret("zx-7f3a"),
    Secret("zx-7f3a-19c4-e2"),
    Secret("4821"),
    Secret("42"),
    Secret("14 March 1990"),
    Secret("1990-03-14"),
    Secret("the chest is trapped with hemlock"),
    Secret("swordfish"),
    Secret("Red Door"),
    Secret("+49 30 901820"),
    Secret("correct horse battery staple"),
)
SENTENCES = (
    "A blue heron stood on the pier at 4 and 2 boats left.",
    "Blue is the colour of the door, and a heron is painted on it.",
    "Herons are blue when the light is right, or so the fisherman says.",
    "The heron flew off; the blue boat stayed behind with 4 of the 12 nets.",
    "He counted 40 herons and 2 blue kites.",
    "There are 421 blue herons in the reserve, up from 142 a year ago.",
    "Maren met a pregnant woman on the stairs and carried her bags.",
    "Maren is tired, and her sister is not pregnant either.",
    "Maren is not pregnant.",
    "Nobody knows whether any of the women is pregnant; Maren would not say.",
    "Pregnant pauses were what Maren liked best about the play.",
    "Is there a child in the house? Maren expects one to visit on Sunday.",
    "The blue mat lies by the door, and the key hangs on its hook.",
    "Under the mat there was dust, and no key at all.",
    "Please put the key back; the mat has to dry, it was blue once.",
    "Is old evergreen a tree, or is Varga the name of a town?",
    "Nor Een, nor ennui, nor even a heron: no reentry.",
    "Put her on the list, her only wish is to sail.",
    "She ran for her own sake, not for theirs.",
    "Savannah can nap; Hannah, banana in hand, can not.",
    "An nautical mile is longer than a mile on land.",
    "Manna fell, and the annals record it.",
    "The model number is ZX-73FA and the revision 7f3b.",
    "Take the zx spectrum, 7 cables and 3 adapters to room A.",
    "Page 48 has 21 lines, page 4 has 821 words.",
    "The bill came to 48.21, with 4,8 percent tax on 21 items.",
    "Call extension 14821 or 48210, never after 9.",
    "It took 4 hours 8 minutes and 21 seconds.",
    "Four boats, eight oars and twenty-two sailors.",
    "Twenty-four of the forty pupils passed, two failed.",
    "Forty, or two more than thirty-nine less one: nobody could tell.",
    "Section 4.2 describes release 3.42 and build 1.42.7.",
    "The temperature rose from 14 to 19 in March, and to 90 on the old scale.",
    "On 15 March 1990 the bridge was opened, on 14 March 1991 it fell.",
    "He was born on 4 March 1990, or in March, 14 years before 2004.",
    "Between March and May 1990 fourteen ships were built.",
    "The ratio was 14:3 in 1990 and 3:19 in the year after.",
    "The chest is old, and hemlock grows along the wall.",
    "A trapped fox chewed on hemlock; the chest of the hunter was bare.",
    "With care, the trap is set; the chest is empty.",
    "Sword and fish were both on the coat of arms.",
    "The fish swam past the sword in the stone.",
    "His reddish nose and adoring eyes gave her courage.",
    "A red carpet leads to the door of the old mill.",
    "The door was painted green, with red hinges.",
    "There were 49 boats, 30 of them new, and 9018 visitors in 20 days.",
    "The horse was correct in its gait; the battery and a staple were sold.",
    "Correct the text, then feed the horse, then find a battery or a staple gun.",
    "I cannot tell you that, I am afraid.",
    "That is private, and I would rather talk about the weather.",
    "Ask her yourself; it is not for me to say.",
    "How jolly! The cheer went round the tavern twice.",
    "Nowhere else did the abjurer find such terra, so green it was.",
    "Evil live and live evil; a drawer holds a reward.",
    "He tapped three times... then twice... then once - and left.",
    "Alpha and omega, bravo to the bride, a Charlie in the delta.",
    "My papa Romeo danced the tango in a hotel in India, in November.",
    "First things first; a second look took a third of a second.",
    "No one is at one with one's own zero-sum thinking.",
    "Half a million people, a hundred reasons, a thousand ways.",
    "- one\n- two\n- three\n- four\n- five",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
    "Her eyes rested on nothing in particular. Even so, nobody asked.",
    "Tom's 100% sure: 50% of 84 is %2B, or so &mdash; he says \\o/ &c.",
    "See https://example.com/a%20b?c=d&e=f#g-2 for more on U+0041 and \\n.",
    "for (int i = 0; i < 42000; i++) { a[i] = b[i] ^ 0x42a7; }",
    "def heron(blue, n=4): return blue[n:2] or annalyse(n)",
    "SELECT id, name FROM boats WHERE colour = 'blue' AND n IN (4, 2, 421);",
    '{"id": "b1ue", "her": "on", "pages": [4, 8, 2.1], "ok": true}',
    "ffmpeg -i in.mp4 -vf scale=1280:-1 -c:v libx264 -crf 42.0 out.mp4",
)
PARAGRAPH = (
    "The town lies where the river widens, and every morning the boats go out before the light "
    "is good. People here speak of the marsh as others speak of the weather: with respect, at "
    "length, and without hope of changing it. There are herons, of course, and there is the old "
    "mill with its blue shutters, and there is the market on the first and third Saturday of "
    "each month. In 1984 the flood took two bridges and the school; they were rebuilt within "
    "nineteen months. Visitors ask about the legend of the chest. They are told that it was "
    "lost, that it was found, that it held letters, or salt, or nothing. The innkeeper, a "
    "patient woman, has counted forty-three versions. She keeps a list, and puts her own on it "
    "when nobody is looking.\n\n"
    "If you stay for a week you learn to tell the bells apart. The small one rings for the "
    "ferry, the large one for fog; the cracked one is never rung at all, but it is polished "
    "every March all the same. Dates matter here less than tides do. Ask when the church was "
    "built and you will hear: after the big frost, before the small one.\n\n"
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(SECRETS)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentence_on_the_same_subject_is_clean(detector: Detector, sentence: str) -> None:
    """Not one of the secrets is seen in a sentence that does not tell it."""
    assert detector.examine(sentence).findings == ()


def test_corpus_is_large_enough_to_mean_something() -> None:
    """At least sixty sentences, each different, against at least fifteen secrets."""
    assert len(set(SENTENCES)) >= 60
    assert len(SECRETS) >= 15


def test_all_the_sentences_run_together_are_clean(detector: Detector) -> None:
    """What ends one sentence does not run into what begins the next."""
    joined = " ".join(sentence for sentence in SENTENCES if "\n" not in sentence)
    assert detector.examine(joined).findings == ()
    assert detector.examine("\n".join(SENTENCES)).findings == ()


def test_long_prose_is_clean(detector: Detector) -> None:
    """Thirty thousand characters of English give nothing away."""
    assert detector.examine(PARAGRAPH * 20).findings == ()


def test_encoded_prose_is_clean(detector: Detector) -> None:
    """What is decoded is held to the same rules as what is plain."""
    body = "\n".join((PARAGRAPH, *SENTENCES)).encode()
    encoded = base64.b64encode(body).decode(), body.hex(), base64.b32encode(body).decode()
    assert [detector.examine(text).findings for text in encoded] == [(), (), ()]


def test_hashes_uuids_and_random_blobs_are_clean(detector: Detector) -> None:
    """A hundred thousand characters of noise hold none of the secrets by chance."""
    chance = random.Random(20240117)
    hashes = [hashlib.sha256(chance.randbytes(8)).hexdigest() for _ in range(400)]
    uuids = [str(uuid.UUID(bytes=chance.randbytes(16), version=4)) for _ in range(400)]
    blobs = [base64.b64encode(chance.randbytes(300)).decode() for _ in range(200)]
    for noise in (hashes, uuids, blobs):
        found = [str(finding) for text in noise for finding in detector.examine(text).findings]
        assert found == []


def test_random_numbers_are_clean_unless_they_hold_the_number() -> None:
    """Rows of numbers tell a secret number only when it stands there whole."""
    chance = random.Random(7)
    numbers = [str(chance.randrange(100, 10**6)) for _ in range(3000)]
    text = ", ".join(number for number in numbers if number not in {"4821", "901820"})
    for value in ("42", "4821", "14 March 1990", "Blue Heron 42"):
        assert find_leaks(text, Secret(value)) == ()
