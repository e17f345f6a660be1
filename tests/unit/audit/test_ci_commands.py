import pytest
from ci_project import TextProject

from tierwise.audit.ci.following import Following, pytest_arguments, strip_runner
from tierwise.audit.ci.options import read_pytest
from tierwise.audit.ci.shell import commands_of
from tierwise.audit.ci.values import Command, Invocation


def split(script: str, **variables: str) -> list[tuple[str, str]]:
    found = commands_of(script, "", "ci", variables)
    return [(" ".join(command.words), command.folder) for command in found]


def invocation(text: str, *, folder: str = "", files: tuple[str, ...] = ()) -> Invocation:
    project = TextProject(dict.fromkeys(files, ""))
    words = tuple(text.split())
    return read_pytest(
        Command(words=("pytest", *words), folder=folder, where="ci"), words, project
    )


def follow(script: str, **files: str) -> Following:
    named = {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    following = Following(TextProject(named))
    following.follow(commands_of(script, "", "ci"))
    return following


def test_a_script_is_split_into_commands_with_their_folders() -> None:
    """Lines, `&&`, `;` and pipes; `cd` moves what comes after it."""
    assert split("cd api && pytest a; ls | cat\npytest \\\n  b") == [
        ("pytest a", "api"),
        ("ls", "api"),
        ("cat", "api"),
        ("pytest b", "api"),
    ]
    assert split("cd api\ncd ../web\npytest")[-1] == ("pytest", "web")
    assert split("# pytest old\npytest new # not old") == [("pytest new", "")]


def test_variables_that_are_known_are_put_in() -> None:
    """From the job, or set in the script; others are left to be seen."""
    assert split("pytest $WHERE ${WHAT}", WHERE="tests") == [("pytest tests ${WHAT}", "")]
    assert split("DIR=tests/unit\npytest $DIR") == [("pytest tests/unit", "")]
    assert split("pytest ${{ inputs.path }}") == [("pytest ${{ inputs.path }}", "")]


@pytest.mark.parametrize(
    "text",
    [
        "pytest tests",
        "py.test tests",
        "python -m pytest tests",
        "python3.12 -m pytest tests",
        "uv run pytest tests",
        "uv run --extra dev -- pytest tests",
        "poetry run pytest tests",
        "coverage run -m pytest tests",
        "python -m coverage run -m pytest tests",
        "A=1 B=2 pytest tests",
        "timeout 60 pytest tests",
        "xvfb-run -a pytest tests",
        ".venv/bin/python -m pytest tests",
        "sudo -E env X=1 pytest tests",
        "uvx --with x pytest tests",
        "pipx run pytest tests",
        "{envpython} -m pytest tests",
        "hatch test tests",
        "coverage run --branch -m pytest tests",
    ],
)
def test_pytest_is_seen_behind_what_runs_it(text: str) -> None:
    """All of these are one command."""
    assert pytest_arguments(strip_runner(text.split())) == ("tests",)


@pytest.mark.parametrize(
    "text", ["pip install pytest", "python -m unittest", "echo pytest", "coverage report -m"]
)
def test_what_only_names_pytest_is_none(text: str) -> None:
    """Installing it runs no test."""
    assert pytest_arguments(strip_runner(text.split())) is None


def test_the_options_of_pytest_are_told_from_its_paths() -> None:
    """Values of options are no paths, in either way of writing."""
    found = invocation(
        "-q -n auto --cov src --cov-report xml -m slow -knet --ignore=tests/old --tb short "
        "--deselect tests/a.py::x tests/a.py::y tests/b",
        files=("src/a.py", "tests/b/c.py"),
    )
    assert found.paths == ("tests/a.py::y", "tests/b")
    assert (found.marks, found.keyword) == ("slow", "net")
    assert (found.ignored, found.deselected) == (("tests/old",), ("tests/a.py::x",))
    assert not found.unknown


def test_the_value_of_an_option_that_nobody_knows_is_no_path_unless_it_is_there() -> None:
    """`--live tests` runs tests; `--level high` does not run `high`."""
    assert invocation("--level high tests", files=("tests/a.py",)).paths == ("tests",)
    assert invocation("--live tests", files=("tests/a.py",)).paths == ("tests",)


def test_paths_are_relative_to_the_project() -> None:
    """Whatever folder the command runs in, and patterns are looked up."""
    assert invocation("tests ../common", folder="api").paths == ("api/tests", "common")
    files = ("api/tests/test_a.py", "api/tests/test_b.py")
    assert invocation("tests/test_*.py", folder="api", files=files).paths == files


@pytest.mark.parametrize(
    "text", ["$PATHS", "-m $MARK", "-k ${{matrix.k}}", "{envsitepackagesdir}/x", "`find_tests`"]
)
def test_what_depends_on_a_variable_is_not_told(text: str) -> None:
    """Could-not-tell is never taken for the whole suite."""
    assert "depends on a variable" in invocation(text).unknown


def test_a_script_of_the_project_is_read() -> None:
    """From its own folder on; one that is not there is said."""
    found = follow("bash run_dot_sh && ./gone_tests.sh", run_dot_sh="")
    assert [unread.reason for unread in found.unread] == [
        "./gone_tests.sh: gone_tests.sh is not here to be read"
    ]
    following = Following(TextProject({"scripts/test.sh": "set -e\npytest tests/unit\n"}))
    following.follow(commands_of("./scripts/test.sh", "", "ci"))
    assert following.invocations[0].paths == ("tests/unit",)
    assert following.invocations[0].where == "ci > scripts/test.sh"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("python -m unittest", "unittest"),
        ("python tests/run_all.py", "a program of its own"),
        ("hatch run test", "what hatch runs is not read"),
        ("docker run image pytest tests", "in a container"),
        ("make test", "there is no Makefile"),
        ("tox", "no configuration of tox"),
        ("nox", "no noxfile.py"),
        ("just test", "no justfile"),
        ("tierwise eval run", "evals"),
    ],
)
def test_what_cannot_be_followed_is_said(text: str, reason: str) -> None:
    """A command that may run tests is never passed over in silence."""
    (unread,) = follow(text).unread
    assert reason in unread.reason


def test_a_target_that_calls_itself_is_followed_to_an_end() -> None:
    """And said."""
    following = Following(TextProject({"Makefile": "test:\n\tmake test\n"}))
    following.follow(commands_of("make test", "", "ci"))
    assert any("calls itself" in unread.reason for unread in following.unread)
