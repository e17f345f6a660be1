from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from live_answers import answered, refused

from tierwise.domain import Outcome
from tierwise.errors import MisuseError
from tierwise.live import Observed, Signature, Standing, VerdictTable

S = Standing
TABLE = VerdictTable.known()
UNREGISTERED = "Method doesn't allow unregistered callers. Please use API Key."

# One row for each observation of the table that the live suites of others have learnt to need.
KNOWN = [
    (answered(), S.USABLE, "success"),
    (refused(410, "gone", code="ModelDeprecated"), S.RETIRED, "retired"),
    (refused(410), S.RETIRED, "gone"),
    (refused(400, "Upstream: Model is unavailable"), S.RETIRED, "gone_upstream"),
    (refused(400, "The model `x` has been decommissioned"), S.RETIRED, "said_to_be_retired"),
    (refused(404, "The model `x` does not exist"), S.RETIRED, "model_unknown"),
    (refused(404, "models/x is not found for API version v1"), S.RETIRED, "model_unknown"),
    (refused(400), S.OUR_FAULT, "bad_request"),
    (refused(400, "messages: field required"), S.OUR_FAULT, "bad_request"),
    (refused(422, "temperature is a number"), S.OUR_FAULT, "bad_request"),
    (refused(400, "no", code="ModelProtocolUnsupported"), S.OUR_FAULT, "protocol_unsupported"),
    (
        refused(400, "`temperature` is deprecated for this model."),
        S.OUR_FAULT,
        "parameter_deprecated",
    ),
    (
        refused(400, "For this model the parameter `top_k` was removed"),
        S.OUR_FAULT,
        "parameter_deprecated",
    ),
    (
        refused(400, "Invalid parameter: the model `x` has been deprecated"),
        S.RETIRED,
        "said_to_be_retired",
    ),
    (refused(403, "closed", code="FreeTierError"), S.CLOSED, "tier_closed"),
    (refused(403, "Model access is disabled"), S.NO_ENTITLEMENT, "access_disabled"),
    (refused(403, "no", code="permission_error"), S.NO_ENTITLEMENT, "no_entitlement"),
    (refused(402), S.NO_ENTITLEMENT, "payment_required"),
    (refused(429, "quota", code="insufficient_quota"), S.NO_ENTITLEMENT, "no_credit"),
    (
        refused(400, "Your credit balance is too low"),
        S.NO_ENTITLEMENT,
        "said_to_have_no_credit",
    ),
    (refused(429, "slow down"), S.BUSY, "rate_limit"),
    (refused(401, "Missing API key"), S.OUR_FAULT, "key_not_read"),
    (refused(401, "x-api-key header is required"), S.OUR_FAULT, "key_not_read"),
    (refused(403, UNREGISTERED, code="PERMISSION_DENIED"), S.OUR_FAULT, "key_not_read"),
    (refused(401, "Incorrect API key provided"), S.OUR_FAULT, "key_refused"),
    (refused(401, "Missing API key", sent_key=False), S.UNKNOWN, "keyless"),
    (refused(404, "Not Found"), S.OUR_FAULT, "path_moved"),
    (refused(405), S.OUR_FAULT, "path_moved"),
    (refused(500), S.UNREACHABLE, "broken_vendor"),
    (refused(529, "Overloaded"), S.UNREACHABLE, "broken_vendor"),
    (Observed(failure="TimeoutError"), S.UNREACHABLE, "no_answer"),
    (answered('{"error": {"message": "provider down"}}'), S.UNKNOWN, "error_in_success"),
    (refused(403), S.UNKNOWN, ""),
    (refused(418, "a teapot"), S.UNKNOWN, ""),
    (Observed.read(302, ""), S.UNKNOWN, ""),
]


@pytest.mark.parametrize(
    ("observed", "standing", "row"), KNOWN, ids=[f"{k[0].status}-{k[2]}" for k in KNOWN]
)
def test_each_known_answer_has_its_standing(
    observed: Observed, standing: Standing, row: str
) -> None:
    """What vendors answer is told apart as the live suites of others have learnt to."""
    verdict = TABLE.judge(observed)
    assert (verdict.standing, verdict.signature) == (standing, row)


@pytest.mark.parametrize("seed", range(10))
def test_a_table_in_another_order_tells_the_same(seed: int) -> None:
    """That bugs are looked for first, and statuses last, does not hang on the order given."""
    rows = list(TABLE.signatures)
    bugs = [row for row in rows if row.is_exact and row.standing is S.OUR_FAULT]
    moves = [row for row in rows if row.is_exact and row.standing is not S.OUR_FAULT]
    statuses = [row for row in rows if not row.is_exact]
    groups = [bugs, moves, statuses]
    random.Random(seed).shuffle(groups)
    table = VerdictTable(row for group in groups for row in group)
    assert [table.judge(k[0]).standing for k in KNOWN] == [k[1] for k in KNOWN]


def test_a_bug_that_speaks_of_entitlement_is_a_bug() -> None:
    """The text of a misroute may mention what an excuse looks for; it is no excuse."""
    text = "Missing API key: Model access is disabled, FreeTierError, Model is unavailable"
    observed = refused(403, text, code="FreeTierError")
    assert TABLE.judge(observed).standing is S.OUR_FAULT


def test_an_excuse_of_ones_own_hides_no_bug() -> None:
    """A signature that is added in front is still tried after those of faults of ours."""
    excuse = Signature(name="any", standing=S.BUSY, reason="closed at night", text=".")
    table = TABLE.extended(excuse)
    assert table.judge(refused(401, "Missing API key")).standing is S.OUR_FAULT
    assert table.judge(refused(403, "whatever")).standing is S.BUSY


def test_a_signature_of_ones_own_goes_before_the_known_ones_of_its_kind() -> None:
    """A vendor whose 500 means a wrong format can be told so, and one whose 503 means closed."""
    table = TABLE.extended(
        Signature(name="format", standing=S.OUR_FAULT, reason="wrong format", status=500),
        Signature(name="night", standing=S.CLOSED, reason="shut", status=503, text="night"),
    )
    assert table.judge(refused(500)).standing is S.OUR_FAULT
    assert table.judge(refused(503, "closed for the night")).standing is S.CLOSED
    assert table.judge(refused(503)).standing is S.UNREACHABLE


def test_a_signature_takes_the_place_of_the_one_with_its_name() -> None:
    """A known row can be changed for a vendor, and is not there twice."""
    row = Signature(name="rate_limit", standing=S.OUR_FAULT, reason="we flood it", status=429)
    table = TABLE.extended(row)
    assert table.judge(refused(429)).reason == "we flood it"
    assert len(table.signatures) == len(TABLE.signatures)


def test_two_signatures_of_one_name_are_refused() -> None:
    """A report names the row that decided, so that a name has one row."""
    row = Signature(name="a", standing=S.BUSY, reason="r", status=1)
    with pytest.raises(MisuseError, match=r"twice there: \['a'\]"):
        VerdictTable([row, row])


def test_a_signature_that_fits_everything_is_refused() -> None:
    """A row without any condition would excuse every bug."""
    with pytest.raises(MisuseError, match="'all' fits every answer"):
        Signature(name="all", standing=S.BUSY, reason="r")


def test_a_text_that_is_no_expression_is_refused() -> None:
    """A broken pattern is told where it is written, not when an answer comes."""
    with pytest.raises(MisuseError, match="no regular expression"):
        Signature(name="x", standing=S.BUSY, reason="r", text="(")


def test_all_conditions_of_a_signature_have_to_hold() -> None:
    """Status, word, text, key and `when` are one condition each, joined by and."""
    row = Signature(
        name="x",
        standing=S.BUSY,
        reason="r",
        status=(400, 429),
        word="Full",
        text="later",
        sent_key=True,
        when=lambda seen: "now" not in seen.message,
    )
    assert row.fits(refused(429, "come LATER", code="full"))
    assert not row.fits(refused(500, "come later", code="full"))
    assert not row.fits(refused(429, "come later", code="other"))
    assert not row.fits(refused(429, "come soon", code="full"))
    assert not row.fits(refused(429, "come later", code="full", sent_key=None))
    assert not row.fits(refused(429, "later than now", code="full"))


def test_the_standings_have_outcomes_of_which_one_is_a_pass() -> None:
    """Only what was seen to be usable passes; what could not be told is an error."""
    outcomes = {standing: standing.outcome for standing in Standing}
    assert [s for s, outcome in outcomes.items() if outcome is Outcome.PASSED] == [S.USABLE]
    moves = {s for s in Standing if s.is_vendors_move}
    assert moves == {S.RETIRED, S.CLOSED, S.NO_ENTITLEMENT, S.BUSY}
    assert (S.UNKNOWN.outcome, S.UNREACHABLE.outcome) == (Outcome.ERROR, Outcome.ERROR)
    assert S.OUR_FAULT.outcome is Outcome.FAILED


def test_a_verdict_says_standing_reason_and_what_was_seen() -> None:
    """The line of a report is enough to know what happened."""
    verdict = TABLE.judge(refused(410, "x is gone", code="ModelDeprecated"))
    assert str(verdict) == "retired: the vendor has retired it (410 modeldeprecated: x is gone)"
