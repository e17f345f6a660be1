"""The live view over a real socket: its state while a run goes on, and whom it answers."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from report_world import make_project, row_of

from tierwise.domain import Exchange, Outcome, Usage
from tierwise.errors import MisuseError
from tierwise.records import PlanRow, RunInfo, RunStore, TrialRow
from tierwise.report.html.live import Watch, look
from tierwise.report.html.serving import LiveServer, open_server, serve_until_stopped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """Serve the live view of a store that need not be there yet."""
    opened = open_server(tmp_path / ".tierwise" / "records.db", project="bell")
    thread = threading.Thread(target=serve_until_stopped, args=(opened,), daemon=True)
    thread.start()
    yield opened
    opened.shutdown()
    thread.join()


PLAN = {
    "plan_hash": "p",
    "eval_id": "e",
    "tier": "evals",
    "provider": "x",
    "n_cases": 1,
    "trials": 4,
    "n_planned": 4,
}


def get(server: LiveServer, path: str, **headers: str) -> http.client.HTTPResponse:
    """Ask the server."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def state(server: LiveServer) -> dict[str, Any]:
    """Return the state as the page reads it."""
    found: dict[str, Any] = json.loads(get(server, "/state.json").body)  # type: ignore[attr-defined]
    return found


def trial(run: str, index: int, outcome: Outcome = Outcome.PASSED) -> TrialRow:
    said = Exchange(
        prompt=(), reply="yes", usage=Usage(input_tokens=7, output_tokens=3), cost_usd=0.25
    )
    return TrialRow(
        run_id=run,
        plan_hash="p",
        eval_id="e",
        case_id="c",
        index=index,
        key=f"{index}",
        seed=1,
        outcome=outcome,
        exchanges=(said,),
    )


def test_the_state_follows_the_run(server: LiveServer) -> None:
    """Waiting, running with each trial that lands, then finished with its verdicts."""
    assert state(server) == {"state": "waiting", "evals": []}
    with RunStore.open(server.store) as store:
        run = store.start_run(RunInfo())
        store.add_tests(run, [row_of("test_beside")])
        assert state(server)["state"] == "waiting"
        plan = {"run_id": run, "plan_hash": "p", "eval_id": "e", "tier": "evals", "provider": "x"}
        store.add_plan(PlanRow(**plan, n_cases=1, trials=4, n_planned=4))  # type: ignore[arg-type]
        assert (state(server)["state"], state(server)["evals"][0]["n_landed"]) == ("running", 0)
        store.add_trials([trial(run, 0), trial(run, 1)])
        assert state(server)["evals"][0]["outcomes"]["passed"] == 2
        store.add_trials([trial(run, 2, Outcome.ERROR)])
        (found,) = state(server)["evals"]
        assert (found["n_landed"], found["outcomes"]["error"]) == (3, 1)
        assert (found["calls"], found["tokens"], found["cost_usd"]) == (3, 30, 0.75)
        store.finish_run(run, exit_code=0)
    assert state(server)["state"] == "finished"
    assert state(server)["evals"][0]["n_landed"] == 3


def test_a_new_run_begins_at_nothing(server: LiveServer, tmp_path: Path) -> None:
    """Trials of the run before are not carried into the next one."""
    make_project(tmp_path)
    assert sum(one["n_landed"] for one in state(server)["evals"]) == 36
    with RunStore.open(server.store) as store:
        run = store.start_run(RunInfo())
        plan = {"run_id": run, "plan_hash": "p", "eval_id": "e", "tier": "evals", "provider": "x"}
        store.add_plan(PlanRow(**plan, n_cases=1, trials=4, n_planned=4))  # type: ignore[arg-type]
        assert [one["n_landed"] for one in state(server)["evals"]] == [0]


def test_a_new_run_is_not_quiet_since_the_one_before_was(tmp_path: Path) -> None:
    """How long nothing has landed is counted for each run alone."""
    now, watch = datetime.now(UTC), Watch()
    with RunStore.open(tmp_path / "records.db") as store:
        store.add_plan(PlanRow(run_id=store.start_run(RunInfo()), **PLAN))  # type: ignore[arg-type]
        assert look(store, watch, now)["state"] == "running"
        assert look(store, watch, now + timedelta(minutes=30))["state"] == "quiet"
        store.add_plan(PlanRow(run_id=store.start_run(RunInfo()), **PLAN))  # type: ignore[arg-type]
        assert look(store, watch, now + timedelta(minutes=31))["state"] == "running"


def test_trials_that_were_taken_over_count_from_the_start(server: LiveServer) -> None:
    """A run that goes on with another begins where that one stopped."""
    with RunStore.open(server.store) as store:
        plan = {"plan_hash": "p", "eval_id": "e", "tier": "evals", "provider": "x"}
        more = {"n_cases": 1, "trials": 4, "n_planned": 4}
        first = store.start_run(RunInfo())
        store.add_plan(PlanRow(run_id=first, **plan, **more))  # type: ignore[arg-type]
        store.add_trials([trial(first, 0), trial(first, 1)])
        places = [kept.seq for kept in store.each_kept_trial(first, "p")]
        second = store.start_run(RunInfo())
        store.add_plan(PlanRow(run_id=second, **plan, **more), reused=places)  # type: ignore[arg-type]
        (found,) = state(server)["evals"]
    assert (found["n_landed"], found["calls"]) == (2, 0)


def test_a_page_elsewhere_gets_no_answer(server: LiveServer) -> None:
    """Whoever has a name of their own point to this machine is refused; so is any other path."""
    port = server.server_port
    assert get(server, "/state.json", Host="attacker.example").status == 403
    assert get(server, "/state.json", Host=f"localhost:{port}").status == 200
    assert get(server, "/../records.db").status == 404
    assert server.server_address[0] == "127.0.0.1"


def test_the_page_may_ask_its_own_server_and_no_other(server: LiveServer) -> None:
    """The policy lets the page ask where it came from; headers keep it out of frames."""
    answer = get(server, "/")
    page = answer.body.decode()  # type: ignore[attr-defined]
    assert "connect-src &#39;self&#39;" in page or "connect-src 'self'" in page
    assert (answer.getheader("X-Frame-Options"), answer.getheader("Cache-Control")) == (
        "DENY",
        "no-store",
    )


def test_a_damaged_store_is_said_and_ends_nothing(server: LiveServer) -> None:
    """The view goes on, and says what is wrong."""
    server.store.parent.mkdir()
    server.store.write_bytes(b"no database at all, and longer than a header would be" * 9)
    found = state(server)
    assert found["state"] == "unreadable"
    assert "TW-STORE" in found["problem"]


def test_a_port_that_is_taken_is_named(server: LiveServer, tmp_path: Path) -> None:
    """The port that was asked for, and the way out."""
    with pytest.raises(MisuseError, match=rf"cannot listen on 127.0.0.1:{server.server_port}"):
        open_server(tmp_path / "r.db", project="bell", port=server.server_port)


def test_a_browser_that_goes_away_is_no_trouble(
    server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tab that is closed while it is answered leaves no traceback in the terminal."""
    for error in (BrokenPipeError(), ConnectionResetError(), TimeoutError()):
        try:
            raise error
        except OSError:
            server.handle_error(None, ("127.0.0.1", 1))
    assert capsys.readouterr().err == ""


def test_a_client_that_says_nothing_is_let_go(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection is not held for ever, and others are answered meanwhile."""
    monkeypatch.setattr(server.RequestHandlerClass, "timeout", 0.05)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as silent:
        assert get(server, "/").status == 200
        assert silent.recv(1) == b""


def test_a_client_has_some_seconds_to_ask(server: LiveServer) -> None:
    """The limit is there by default."""
    assert server.RequestHandlerClass.timeout == 10


def test_a_store_that_vanishes_is_waited_for(server: LiveServer, tmp_path: Path) -> None:
    """Without its store the view waits again; with a new one it begins at nothing."""
    make_project(tmp_path)
    assert state(server)["state"] == "finished"
    shutil.rmtree(tmp_path / ".tierwise")
    assert state(server) == {"state": "waiting", "evals": []}
    with RunStore.open(server.store) as store:
        store.add_plan(PlanRow(run_id=store.start_run(RunInfo()), **PLAN))  # type: ignore[arg-type]
    assert [one["n_landed"] for one in state(server)["evals"]] == [0]


def test_a_folder_in_the_place_of_the_store_is_said(server: LiveServer) -> None:
    """Whatever lies there, each question is answered."""
    server.store.mkdir(parents=True)
    assert state(server)["state"] == "unreadable"


def test_a_run_that_was_killed_long_ago_is_quiet_at_once(
    server: LiveServer, tmp_path: Path
) -> None:
    """The store was last written an hour ago: nothing runs."""
    with RunStore.open(server.store) as store:
        store.add_plan(PlanRow(run_id=store.start_run(RunInfo()), **PLAN))  # type: ignore[arg-type]
    for path in server.store.parent.glob("records.db*"):
        os.utime(path, (0, 0))
    assert state(server)["state"] == "quiet"


def test_the_usual_port_of_the_web_needs_no_number(server: LiveServer) -> None:
    """A browser leaves port 80 out of the name that it asks for; no other port may be missing."""
    assert not server.is_asked_by_name("localhost")
    server.server_port = 80
    assert server.is_asked_by_name("localhost")
    assert not server.is_asked_by_name("attacker.example")
