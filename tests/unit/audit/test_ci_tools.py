from ci_project import TextProject

from tierwise.audit.ci.following import Following
from tierwise.audit.ci.shell import commands_of
from tierwise.audit.ci.tox import expand_names


def paths(script: str, **files: str) -> list[tuple[str, tuple[str, ...]]]:
    following = follow(script, **files)
    return [(found.folder, found.paths) for found in following.invocations]


def follow(script: str, **files: str) -> Following:
    names = {"makefile": "Makefile", "tox": "tox.ini", "nox": "noxfile.py", "just": "justfile"}
    texts = {names.get(name, name): text for name, text in files.items()}
    following = Following(TextProject(texts))
    following.follow(commands_of(script, "", "ci"))
    return following


MAKEFILE = """
PYTEST ?= python -m pytest
export DIR := tests/unit  # where
.PHONY: test unit

test: unit e2e

unit:
\t@$(PYTEST) $(DIR) -q

e2e: ; -cd app && ${PYTEST} e2e

all: test
\t$(MAKE) -C sub test
"""


def test_a_makefile_is_followed_through_its_needs_and_variables() -> None:
    """What a target needs runs first; a folder of make's own is another Makefile."""
    assert paths("make test", makefile=MAKEFILE) == [("", ("tests/unit",)), ("app", ("app/e2e",))]
    assert paths("make", makefile=MAKEFILE) == paths("make test", makefile=MAKEFILE)
    assert paths("make unit DIR=other", makefile=MAKEFILE) == [("", ("other",))]
    following = Following(TextProject({"Makefile": MAKEFILE, "sub/Makefile": "test:\n\tpytest\n"}))
    following.follow(commands_of("make all", "", "ci"))
    assert following.invocations[-1].folder == "sub"
    assert following.invocations[-1].where == "ci > Makefile: all > sub/Makefile: test"


def test_a_target_that_is_not_there_is_said() -> None:
    """A CI that calls it fails, or runs nothing."""
    (unread,) = follow("make tests", makefile=MAKEFILE).unread
    assert "Makefile has no target 'tests'" in unread.reason


TOX = """
[tox]
envlist = py{311,312}, lint

[testenv]
commands =
    coverage erase
    pytest {posargs:tests/unit}

[testenv:lint]
commands = ruff check

[testenv:e2e]
changedir = {toxinidir}/e2e
commands =
    py312: pytest --cov x \\
        slow
"""


def test_tox_runs_the_commands_of_its_environments() -> None:
    """The named one, the general one for names of Pythons, all of the list without a name."""
    assert paths("tox -e py312", tox=TOX) == [("", ("tests/unit",))]
    assert paths("tox -e lint", tox=TOX) == []
    assert paths("tox -e e2e", tox=TOX) == [("e2e", ("e2e/slow",))]
    assert paths("tox run -e py311 -- tests/other", tox=TOX) == [("", ("tests/other",))]
    assert len(paths("tox", tox=TOX)) == 2


def test_an_environment_of_tox_inherits_what_it_does_not_say() -> None:
    """Commands and folder of the general one."""
    text = "[testenv]\nchangedir = app\ncommands = pytest\n[testenv:slow]\ndeps = x\n"
    assert paths("tox -e slow", tox=text) == [("app", ())]


def test_tox_is_read_from_toml_too() -> None:
    """Commands are lists of words there, and `posargs` is a table."""
    text = """
[env_run_base]
commands = [["pytest", { replace = "posargs", default = ["tests"], extend = true }]]
[env.e2e]
commands = [["python", "-m", "pytest", "e2e"]]
"""
    assert paths("tox -e py", **{"tox.toml": text}) == [("", ("tests",))]
    assert paths("tox -e e2e", **{"tox.toml": text}) == [("", ("e2e",))]
    legacy = '[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ncommands = pytest old\n"""\n'
    assert paths("tox -e py", **{"pyproject.toml": legacy}) == [("", ("old",))]


def test_names_in_braces_are_written_out() -> None:
    """Each combination is one environment."""
    assert expand_names("py{311,312}-{a,b}, lint\n docs") == [
        "py311-a",
        "py311-b",
        "py312-a",
        "py312-b",
        "lint",
        "docs",
    ]


NOX = """
import nox
nox.options.sessions = ["tests", "lint"]

@nox.session(python=["3.11", "3.12"])
def tests(session):
    session.install("-e", ".")
    session.run("pytest", "tests/unit", *session.posargs)
    session.notify("e2e")

@nox.session
def lint(session):
    session.run("ruff", "check")

@nox.session(name="e2e", default=False)
def end_to_end(session: nox.Session) -> None:
    session.chdir("app")
    session.run("python", "-m", "pytest", *extra, env={"A": "1"})
"""


def test_nox_is_read_without_being_run() -> None:
    """Sessions by name, those that are notified, folders; what is worked out is not told."""
    found = follow("nox -s tests-3.12 -- -x tests/more", nox=NOX).invocations
    assert found[0].paths == ("tests/unit", "tests/more")
    assert found[1].folder == "app"
    assert "depends on a variable" in found[1].unknown
    assert len(follow("nox", nox=NOX).invocations) == 2
    assert follow("nox -s lint", nox=NOX).invocations == []


def test_a_noxfile_that_is_no_python_is_said() -> None:
    """Could-not-tell, not nothing."""
    (unread,) = follow("nox", nox="def (:").unread
    assert "cannot be read" in unread.reason


JUST = """
dir := "tests/unit"
# all of it
test: unit (e2e "fast")

unit *args='-q':
    @pytest {{dir}} {{args}}

e2e kind:
    cd app && pytest {{ kind }}
"""


def test_a_justfile_is_followed_through_its_needs_and_variables() -> None:
    """A parameter without a default is not told."""
    found = follow("just test", just=JUST).invocations
    assert found[0].paths == ("tests/unit",)
    assert found[1].folder == "app"
    assert "depends on a variable" in found[1].unknown
    assert paths("just unit", just=JUST) == [("", ("tests/unit",))]
