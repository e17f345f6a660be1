"""The tables of the run store, and the steps that lead from one version to the next."""

from __future__ import annotations

APPLICATION_ID = 0x54575253
"""Marks a SQLite file as ours (`PRAGMA application_id`)."""

# A published migration is never edited: a change of the schema is one more entry.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE runs (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL UNIQUE,
            started_at TEXT NOT NULL,
            finished_at TEXT NOT NULL DEFAULT '',
            exit_code INTEGER,
            complete_tiers TEXT NOT NULL DEFAULT '[]',
            command TEXT NOT NULL,
            mode TEXT NOT NULL,
            commit_hash TEXT NOT NULL,
            python TEXT NOT NULL,
            platform TEXT NOT NULL,
            config_hash TEXT NOT NULL,
            order_seed INTEGER,
            tierwise TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE tests (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            nodeid TEXT NOT NULL,
            tier TEXT,
            level TEXT,
            outcome TEXT NOT NULL,
            duration_s REAL NOT NULL,
            message TEXT NOT NULL,
            violations TEXT NOT NULL,
            allowed TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX tests_by_nodeid ON tests (nodeid, seq)",
        "CREATE INDEX tests_by_run ON tests (run_id)",
        """CREATE TABLE plans (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            plan_hash TEXT NOT NULL,
            eval_id TEXT NOT NULL,
            tier TEXT,
            n_cases INTEGER NOT NULL,
            trials INTEGER NOT NULL,
            n_planned INTEGER NOT NULL,
            provider TEXT NOT NULL,
            model TEXT NOT NULL,
            detail TEXT NOT NULL,
            UNIQUE (run_id, plan_hash)
        ) STRICT""",
        "CREATE INDEX plans_by_hash ON plans (plan_hash)",
        """CREATE TABLE trials (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            plan_hash TEXT NOT NULL,
            eval_id TEXT NOT NULL,
            arm TEXT NOT NULL,
            case_id TEXT NOT NULL,
            idx INTEGER NOT NULL,
            key TEXT NOT NULL,
            seed INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            scores TEXT NOT NULL,
            message TEXT NOT NULL,
            notes TEXT NOT NULL,
            duration_s REAL NOT NULL,
            UNIQUE (run_id, plan_hash, arm, case_id, idx)
        ) STRICT""",
        "CREATE INDEX trials_by_key ON trials (key)",
        """CREATE TABLE exchanges (
            seq INTEGER PRIMARY KEY,
            trial INTEGER NOT NULL REFERENCES trials (seq),
            position INTEGER NOT NULL,
            purpose TEXT NOT NULL,
            viewer TEXT,
            prompt TEXT NOT NULL,
            reply TEXT NOT NULL,
            data TEXT,
            failure TEXT,
            provider TEXT NOT NULL,
            model TEXT NOT NULL,
            input_tokens INTEGER NOT NULL,
            output_tokens INTEGER NOT NULL,
            latency_s REAL NOT NULL
        ) STRICT""",
        "CREATE INDEX exchanges_by_trial ON exchanges (trial)",
        """CREATE TABLE verdicts (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            plan_hash TEXT NOT NULL,
            eval_id TEXT NOT NULL,
            tier TEXT,
            expectation TEXT NOT NULL,
            metric TEXT NOT NULL,
            verdict TEXT NOT NULL,
            reason TEXT NOT NULL,
            n_scored INTEGER NOT NULL,
            n_planned INTEGER NOT NULL,
            run_number INTEGER NOT NULL,
            detail TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX verdicts_by_eval ON verdicts (eval_id, expectation, seq)",
    ),
    ("ALTER TABLE runs ADD COLUMN code_hash TEXT NOT NULL DEFAULT ''",),
    (
        "ALTER TABLE plans ADD COLUMN definition TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE exchanges ADD COLUMN attempts TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE exchanges ADD COLUMN source TEXT NOT NULL DEFAULT 'live'",
        "ALTER TABLE exchanges ADD COLUMN cost_usd REAL",
        "ALTER TABLE exchanges ADD COLUMN cached_input_tokens INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE exchanges ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0",
        # A trial that a later run took over instead of running it again.
        """CREATE TABLE reused (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            plan_hash TEXT NOT NULL,
            trial INTEGER NOT NULL REFERENCES trials (seq),
            UNIQUE (run_id, plan_hash, trial)
        ) STRICT""",
    ),
    ("ALTER TABLE exchanges ADD COLUMN tool_calls TEXT NOT NULL DEFAULT '[]'",),
    (
        # A run that goes on with an earlier one belongs to the same measurement.
        "ALTER TABLE plans ADD COLUMN measurement TEXT NOT NULL DEFAULT ''",
        "UPDATE plans SET measurement = run_id",
        "CREATE INDEX plans_by_eval ON plans (eval_id)",
        "CREATE INDEX trials_by_run ON trials (run_id)",
        "CREATE INDEX reused_by_run ON reused (run_id, plan_hash)",
        # Trials are looked up by the plan that they belong to; keys are only compared.
        "DROP INDEX trials_by_key",
    ),
    ("ALTER TABLE plans ADD COLUMN inputs_hash TEXT NOT NULL DEFAULT ''",),
    ("ALTER TABLE trials ADD COLUMN graders TEXT NOT NULL DEFAULT '{}'",),
    (
        # What the hash stands for, once for each state, so that a change can be named.
        """CREATE TABLE inputs (
            inputs_hash TEXT PRIMARY KEY,
            entries BLOB NOT NULL
        ) STRICT""",
        # Files of the project that a run's own output went to: they are no inputs of the next.
        """CREATE TABLE outputs (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            path TEXT NOT NULL
        ) STRICT""",
    ),
    # All of its replies came from the cache: it measured nothing.
    ("ALTER TABLE plans ADD COLUMN is_copied INTEGER NOT NULL DEFAULT 0",),
    (
        # What was to be tried, as it was collected; what came of it is in `clauses`.
        """CREATE TABLE contracts (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            contract TEXT NOT NULL,
            declared_by TEXT NOT NULL,
            clauses TEXT NOT NULL,
            implementations TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX contracts_by_place ON contracts (contract, declared_by, seq)",
        """CREATE TABLE clauses (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            contract TEXT NOT NULL,
            declared_by TEXT NOT NULL,
            clause TEXT NOT NULL,
            implementation TEXT NOT NULL,
            nodeid TEXT NOT NULL,
            outcome TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX clauses_by_cell ON clauses (contract, implementation, clause, nodeid, seq)",
    ),
    (
        # Empty for a run that was made here; else when another store's was taken in.
        "ALTER TABLE runs ADD COLUMN imported_at TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE tests ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE tests ADD COLUMN location TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE tests ADD COLUMN requirements TEXT NOT NULL DEFAULT '[]'",
        # Links as they were collected: a test that was left out has no row in `tests`.
        """CREATE TABLE requirements (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            nodeid TEXT NOT NULL,
            requirement TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE guards (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            nodeid TEXT NOT NULL,
            level TEXT,
            behaviour TEXT NOT NULL,
            sabotage TEXT NOT NULL,
            verdict TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE gates (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            gate TEXT NOT NULL,
            level TEXT,
            decision TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE gaps (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            nodeid TEXT NOT NULL,
            reason TEXT NOT NULL,
            ticket TEXT NOT NULL,
            is_over INTEGER NOT NULL
        ) STRICT""",
        *(
            f"CREATE INDEX {table}_by_run ON {table} (run_id)"
            for table in ("requirements", "guards", "gates", "gaps")
        ),
    ),
    (
        # Process state that a test, or the fixture `subject` that ended with it, did not put back.
        """CREATE TABLE left_behind (
            seq INTEGER PRIMARY KEY,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            nodeid TEXT NOT NULL,
            subject TEXT NOT NULL,
            watcher TEXT NOT NULL,
            owner TEXT NOT NULL,
            was TEXT NOT NULL,
            became TEXT NOT NULL,
            action TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX left_behind_by_run ON left_behind (run_id)",
    ),
)

SCHEMA_VERSION = len(MIGRATIONS)
