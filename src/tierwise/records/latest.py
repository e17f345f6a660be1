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
_PLACES = """WITH placed AS (
        SELECT run_id, seq AS place, started_at, code_hash,
            rtrim(rtrim(python, '0123456789'), '.') || ' ' || platform AS environment
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
        WHERE whole.code_hash <> last_whole.code_hash GROUP BY whole.tier)"""
_IS_MIXED = f"{_PLACES} SELECT EXISTS (SELECT 1 FROM several)"  # noqa: S608  words of ours
_SEEN = """FROM tests JOIN placed ON placed.run_id = tests.run_id
        LEFT JOIN last_whole ON last_whole.tier = coalesce(tests.tier, '')
        LEFT JOIN other_whole ON other_whole.tier = last_whole.tier
        LEFT JOIN own_whole ON own_whole.tier = last_whole.tier
            AND own_whole.environment = placed.environment"""
_STANDS = """placed.place >= max(
        coalesce(own_whole.place, 0),
        coalesce(CASE WHEN placed.code_hash = last_whole.code_hash AND placed.code_hash <> ''
            THEN other_whole.place ELSE last_whole.place END, 0))"""
# `IN` reads the rows by their place in the file: in the order of node ids it takes twice as long.
_ONE = f"""beside AS (SELECT max(seq) AS seq FROM tests GROUP BY nodeid),
    known AS (
        SELECT tests.*, placed.started_at, placed.code_hash, 0 AS is_elsewhere {_SEEN}
        WHERE tests.seq IN beside AND {_STANDS})"""  # noqa: S608  words of ours
_SEVERAL = f"""latest AS (
        SELECT tests.nodeid, max(tests.seq) AS seq, placed.code_hash
        FROM tests JOIN placed ON placed.run_id = tests.run_id GROUP BY tests.nodeid),
    competing AS (
        SELECT max(tests.seq) AS seq FROM tests JOIN placed ON placed.run_id = tests.run_id
        JOIN latest ON latest.nodeid = tests.nodeid
        WHERE placed.code_hash IN several AND placed.code_hash = latest.code_hash
        GROUP BY tests.nodeid, placed.environment),
    beside AS (SELECT seq FROM latest UNION SELECT seq FROM competing),
    ranked AS (
        SELECT tests.seq, placed.started_at, placed.code_hash,
            row_number() OVER (PARTITION BY nodeid ORDER BY
                CASE outcome WHEN 'failed' THEN 4 WHEN 'error' THEN 3 WHEN 'unobservable' THEN 2
                    WHEN 'not_run' THEN 1 ELSE 0 END DESC,
                violations <> '[]' DESC, attempts > 1 DESC, tests.seq DESC) AS rank,
            tests.seq < max(tests.seq) OVER (PARTITION BY nodeid)
                AND outcome <> 'passed' AS is_elsewhere {_SEEN}
        WHERE tests.seq IN beside AND {_STANDS}),
    known AS (
        SELECT tests.*, ranked.started_at, ranked.code_hash, ranked.is_elsewhere
        FROM ranked JOIN tests ON tests.seq = ranked.seq WHERE rank = 1)"""  # noqa: S608
