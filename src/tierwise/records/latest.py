"""Which result of a test stands: the latest, and of several environments the worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def latest_tests(connection: sqlite3.Connection) -> str:
    """Return the beginning of a statement that defines `known`: one row for each test.

    It is the latest result of the test. Where the same state of the code was run on several
    Pythons (3.11 is one, whatever its patch) or platforms, each of them has a latest result and
    the worst of these stands. A test is gone when a whole run of its tier no longer saw it: one
    on the same Python and platform, or one of other code. `beside` says which results compete.
    """
    is_mixed = connection.execute(_IS_MIXED).fetchone()[0]
    return f"{_PLACES}, {_SEVERAL if is_mixed else _ONE} "


LATEST_VERDICTS = """verdicts.seq IN (SELECT verdicts.seq FROM verdicts
    JOIN (SELECT eval_id, expectation, run_id, max(seq) FROM verdicts
        GROUP BY eval_id, expectation) AS latest
    ON latest.run_id = verdicts.run_id AND latest.eval_id = verdicts.eval_id
        AND latest.expectation = verdicts.expectation)"""
"""Those of the last run that judged an expectation, one for each provider that it asked."""
ENVIRONMENT = "rtrim(rtrim(python, '0123456789'), '.') || ' on ' || platform"
_PLACES = f"""WITH placed AS (
        SELECT run_id, seq AS place, started_at, code_hash, {ENVIRONMENT} AS environment
        FROM runs),
    several AS (
        SELECT code_hash FROM placed WHERE code_hash <> ''
        GROUP BY code_hash HAVING count(DISTINCT environment) > 1),
    whole AS (
        SELECT tiers.value AS tier, placed.place, placed.code_hash, placed.environment
        FROM runs JOIN placed ON placed.run_id = runs.run_id,
        json_each(runs.complete_tiers) AS tiers),
    last_whole AS (SELECT tier, max(place) AS place, code_hash FROM whole GROUP BY tier),
    own_whole AS (
        SELECT tier, environment, max(place) AS place FROM whole GROUP BY tier, environment),
    other_whole AS (
        SELECT whole.tier, max(whole.place) AS place
        FROM whole JOIN last_whole ON last_whole.tier = whole.tier
        WHERE whole.code_hash <> last_whole.code_hash GROUP BY whole.tier)"""  # noqa: S608  words of ours
_IS_MIXED = f"{_PLACES} SELECT EXISTS (SELECT 1 FROM several)"  # noqa: S608  words of ours
_PLACE = """JOIN placed ON placed.run_id = tests.run_id
        LEFT JOIN last_whole ON last_whole.tier = coalesce(tests.tier, '')
        LEFT JOIN other_whole ON other_whole.tier = last_whole.tier
        LEFT JOIN own_whole ON own_whole.tier = last_whole.tier
            AND own_whole.environment = placed.environment"""
_SEEN = f"FROM tests {_PLACE}"
_STANDS = """(placed.place >= max(
        coalesce(own_whole.place, 0),
        coalesce(CASE WHEN placed.code_hash = last_whole.code_hash AND placed.code_hash <> ''
            THEN other_whole.place ELSE last_whole.place END, 0)))"""
_COLUMNS = (
    *("seq", "run_id", "nodeid", "tier", "level", "outcome", "duration_s", "message"),
    *("violations", "allowed", "attempts", "location", "requirements", "started_at", "code_hash"),
)
_OF_SEEN = ", ".join(
    f"{'placed' if name in ('started_at', 'code_hash') else 'tests'}.{name}" for name in _COLUMNS
)
# `IN` reads the rows by their place in the file: in the order of node ids it takes twice as long.
# Of two runs at once the one that began first may land a result last: the other's row stands.
_LATEST = f"""latest AS (SELECT max(seq) AS seq FROM tests GROUP BY nodeid),
    passed_by AS (
        SELECT DISTINCT placed.run_id FROM placed, last_whole
        LEFT JOIN other_whole ON other_whole.tier = last_whole.tier
        LEFT JOIN own_whole ON own_whole.tier = last_whole.tier
            AND own_whole.environment = placed.environment
        WHERE NOT {_STANDS}),
    lost AS (
        SELECT tests.nodeid FROM passed_by CROSS JOIN tests INDEXED BY tests_by_run
        ON tests.run_id = passed_by.run_id {_PLACE}
        WHERE tests.seq IN latest AND NOT {_STANDS}),
    found AS (
        SELECT seq FROM latest UNION ALL
        SELECT max(tests.seq) {_SEEN} WHERE tests.nodeid IN lost AND {_STANDS}
        GROUP BY tests.nodeid)"""  # noqa: S608  words of ours
_ONE = f"""{_LATEST},
    beside AS (SELECT seq FROM found),
    known AS (
        SELECT {_OF_SEEN}, 0 AS is_elsewhere {_SEEN}
        WHERE tests.seq IN beside AND {_STANDS})"""  # noqa: S608  words of ours
# What passed plainly in one environment makes nothing worse: the few others are looked up singly.
_SEVERAL = f"""{_LATEST},
    doubtful AS (
        SELECT tests.seq, tests.nodeid, placed.code_hash, placed.environment
        FROM tests JOIN placed ON placed.run_id = tests.run_id
        WHERE (outcome <> 'passed' OR attempts > 1 OR violations <> '[]')
        AND placed.code_hash IN several),
    competing AS (
        SELECT doubtful.seq, doubtful.nodeid FROM doubtful WHERE NOT EXISTS (
            SELECT 1 FROM tests AS later INDEXED BY tests_by_nodeid
            CROSS JOIN placed ON placed.run_id = later.run_id
            WHERE later.nodeid = doubtful.nodeid AND later.seq > doubtful.seq
            AND placed.code_hash = doubtful.code_hash
            AND placed.environment = doubtful.environment)
        AND doubtful.code_hash = (
            SELECT placed.code_hash FROM tests AS last INDEXED BY tests_by_nodeid
            CROSS JOIN placed ON placed.run_id = last.run_id
            WHERE last.nodeid = doubtful.nodeid ORDER BY last.seq DESC LIMIT 1)),
    beside AS (SELECT seq FROM found UNION SELECT seq FROM competing),
    seen AS (
        SELECT {_OF_SEEN} {_SEEN}
        WHERE tests.seq IN beside AND {_STANDS}),
    ranked AS (
        SELECT seen.*, max(seq) OVER (PARTITION BY nodeid) AS last,
            row_number() OVER (PARTITION BY nodeid ORDER BY
                CASE outcome WHEN 'failed' THEN 4 WHEN 'error' THEN 3 WHEN 'unobservable' THEN 2
                    WHEN 'not_run' THEN 1 ELSE 0 END DESC,
                violations <> '[]' DESC, attempts > 1 DESC, seq DESC) AS rank
        FROM seen WHERE nodeid IN (SELECT nodeid FROM competing)),
    known AS (
        SELECT {", ".join(_COLUMNS)}, 0 AS is_elsewhere FROM seen
        WHERE nodeid NOT IN (SELECT nodeid FROM competing)
        UNION ALL
        SELECT {", ".join(_COLUMNS)}, seq < last AND outcome <> 'passed'
        FROM ranked WHERE rank = 1)"""  # noqa: S608
