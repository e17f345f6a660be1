from tierwise.leaks import BLIND_SPOTS, LabelledText, Secret, blind_spots, measure_detector

HERON = Secret("Blue Heron 42", name="boat")


def case(text: str, *, is_leak: bool, note: str = "") -> LabelledText:
    return LabelledText(text=text, secret=HERON, is_leak=is_leak, note=note)


def test_report_counts_what_was_caught_and_what_was_flagged() -> None:
    """Counts for planted leaks and for innocent texts, with those that went wrong."""
    report = measure_detector(
        [
            case("24 noreH eulB", is_leak=True),
            case("the wading bird, azure, six times seven", is_leak=True, note="paraphrase"),
            case("A blue heron stood at 4 and 2 boats left.", is_leak=False),
            case("I would not say blue heron 42.", is_leak=False),
        ],
    )
    assert (report.n_caught, report.planted) == (1, 2)
    assert (report.n_flagged, report.innocent) == (1, 2)
    assert report.render() == (
        "caught 1 of 2 planted leaks; flagged 1 of 2 innocent texts.\n"
        "  missed: boat (paraphrase): 'the wading bird, azure, six times seven'\n"
        "  flagged: boat: 'I would not say blue heron 42.'"
    )


def test_report_of_nothing_says_that_nothing_is_known() -> None:
    """No planted leak means no sensitivity: it is unknown, neither 0 nor 100 %."""
    assert measure_detector([]).render() == (
        "sensitivity unknown: no leak was planted; "
        "false alarms unknown: no innocent text was given."
    )


def test_any_detector_can_be_measured() -> None:
    """A judge, a fuzzy score: whatever answers with something true."""
    labelled = [case("24 noreH eulB", is_leak=True), case("hello", is_leak=False)]
    report = measure_detector(labelled, detect=lambda text, _secret: "hello" in text)
    assert (report.n_caught, report.n_flagged) == (0, 1)


def test_blind_spots_are_part_of_the_output() -> None:
    """Paraphrase, translation and hints are said for every secret."""
    assert blind_spots() == BLIND_SPOTS
    assert [
        spot for spot in BLIND_SPOTS if spot.startswith(("paraphrase", "translation", "hints"))
    ]


def test_blind_spots_of_a_short_secret_say_which_ways_are_not_tried() -> None:
    """A very short secret restricts the noisy ways, and says so."""
    spots = blind_spots(Secret("42", aliases=("Anna", "\U0001f525")))
    assert spots[0].startswith("'42' has 2 letters and digits, under 4")
    assert any("'Anna' is too short for acrostics" in spot for spot in spots)
    assert any("has no letter or digit" in spot for spot in spots)
    assert spots[-len(BLIND_SPOTS) :] == BLIND_SPOTS
    assert blind_spots(HERON) == BLIND_SPOTS
