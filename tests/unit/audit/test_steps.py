from dataclasses import replace

from tierwise.audit.facts import EndFact, RunFacts, TestFact
from tierwise.audit.findings import KINDS, Finding
from tierwise.audit.steps import _ADVICE, choose_steps

RUN = RunFacts(tests=(TestFact(nodeid="a", path="a.py", outcome="passed"),))


def steps(*findings: Finding, packages: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    chosen = choose_steps(findings, RUN, packages=packages, is_declared=False)
    return [(step.text, step.command) for step in chosen]


def missing(name: str, packages: tuple[str, ...] = ()) -> tuple[str, str]:
    text = f"ModuleNotFoundError: No module named '{name}'"
    found = Finding(kind="collection_error", subject="tests/test_a.py", text=text)
    return steps(found, packages=packages)[0]


def test_what_hides_most_comes_first_and_there_are_three() -> None:
    """A test that kills the process goes before failures, CI and laxness."""
    found = [
        Finding(kind=kind, subject=subject, text="why", where="x", tests=("t.py::a",))
        for kind, subject in [
            ("xfail_not_strict", "t.py::x"),
            ("not_in_ci", "tests/e2e"),
            ("ended_session", "t.py::killer"),
            ("failing", "t.py::f"),
        ]
    ]
    texts = [text for text, _ in steps(*found)]
    assert texts[0].startswith("Mend t.py::killer")
    assert texts[1].startswith("Mend 1 test that fails")
    assert texts[2].startswith("Let CI run 1 test")
    assert len(texts) == 3


def test_a_project_with_nothing_found_is_told_to_declare_its_tiers() -> None:
    """And one that has is told nothing."""
    assert steps()[0][1] == "tierwise init"
    assert choose_steps((), RUN, packages=(), is_declared=True) == ()


def test_a_package_that_is_not_found_is_told_how_to_be() -> None:
    """The project's own below src, its own at the top, or somebody else's."""
    assert missing("shop.cart", ("src/shop",))[1] == "pip install -e .  # or: PYTHONPATH=src"
    assert missing("shop", ("shop",))[1].startswith("pytest -o pythonpath=.")
    assert missing("requests.auth")[1].startswith("pip install requests ")


def test_paths_are_quoted_for_a_shell() -> None:
    """A test's id may hold spaces and brackets."""
    found = Finding(kind="ended_session", subject="t.py::a[x y]", text="it hung")
    assert steps(found)[0][1] == "python -m pytest 't.py::a[x y]'"


def test_advice_is_about_kinds_that_there_are() -> None:
    """A kind that is renamed would never be advised on again."""
    assert {kind for advice in _ADVICE for kind in advice.kinds} <= set(KINDS)


def test_a_process_that_never_ends_goes_before_the_network_and_a_slow_end_does_not() -> None:
    """Every run in CI would wait until somebody kills it."""
    found = (
        Finding(kind="network", subject="example.com:443", text="why", tests=("t.py::a",)),
        Finding(kind="exit_hang", subject="thread poller", text="the process went on"),
    )

    def first_of(*ends: EndFact) -> str:
        run = replace(RUN, ends=ends)
        return choose_steps(found, run, packages=(), is_declared=True)[0].text

    hung = EndFact(kind="hung_at_exit", subject="after the last test", detail="killed")
    assert first_of(hung).startswith("Stop thread poller")
    assert first_of().startswith("Give 1 test a stand-in")
