import sys

import pytest
from ci_project import TextProject

from tierwise.audit.ci.reading import read_ci
from tierwise.audit.ci.values import Ci

WORKFLOW = """
name: ci
on: [push]
env: { WHERE: tests/unit }
defaults: { run: { working-directory: api } }
jobs:
  unit:
    strategy:
      matrix:
        suite: [a, b]
        include:
          - suite: c
    steps:
      - uses: actions/checkout@v4
      - run: pip install pytest
      - run: pytest $WHERE/${{ matrix.suite }}
  web:
    steps:
      - working-directory: web
        run: |
          make setup
          pytest ${{ inputs.what }}
  shared:
    uses: org/repo/.github/workflows/tests.yml@main
"""


def ci(**files: str) -> Ci:
    names = {"workflow": ".github/workflows/ci.yml", "gitlab": ".gitlab-ci.yml"}
    return read_ci(TextProject({names.get(name, name): text for name, text in files.items()}))


def test_a_workflow_tells_its_runs_of_pytest() -> None:
    """Folders and variables are inherited, a matrix is written out, also what it includes."""
    found = ci(workflow=WORKFLOW)
    assert [one.paths for one in found.invocations if not one.unknown] == [
        ("api/tests/unit/a",),
        ("api/tests/unit/b",),
        ("api/tests/unit/c",),
    ]
    assert found.invocations[0].where == ".github/workflows/ci.yml: unit"


def test_what_a_workflow_leaves_open_is_said() -> None:
    """Inputs, workflows of others, targets that are not there."""
    found = ci(workflow=WORKFLOW)
    assert [one.folder for one in found.invocations if one.unknown] == ["web"]
    reasons = " | ".join(one.reason for one in found.unread)
    assert "there is no Makefile in web" in reasons
    assert "a workflow of another repository" in reasons


def test_an_action_of_the_project_is_read_and_one_of_others_is_said() -> None:
    """Steps of a composite action run as those of the job do."""
    steps = (
        "jobs: {a: {steps: [{uses: ./.github/actions/check}, {uses: org/pytest-action@v1}, "
        "{uses: some/bench@v2, with: {run: pytest bench}}]}}"
    )
    action = "runs: {using: composite, steps: [{run: pytest tests, shell: bash}]}"
    found = ci(workflow=steps, **{".github/actions/check/action.yml": action})
    assert [one.paths for one in found.invocations] == [("tests",), ("bench",)]
    assert "whose commands are elsewhere" in found.unread[0].reason


PIPELINE = """
include:
  - local: /ci/more.yml
  - project: other/templates
variables: { DIR: tests }
default: { before_script: [cd api] }
.base:
  script: [pytest $DIR/base]
unit:
  extends: .base
e2e:
  before_script: []
  script:
    - - pytest e2e
    - !reference [.base, script]
"""


def test_a_pipeline_tells_its_runs_of_pytest() -> None:
    """Templates are extended, includes of the project read, those of others said."""
    found = ci(gitlab=PIPELINE, **{"ci/more.yml": "more: {script: [pytest more]}"})
    assert [(one.where, one.paths) for one in found.invocations] == [
        ("ci/more.yml: more", ("more",)),
        (".gitlab-ci.yml: unit", ("api/tests/base",)),
        (".gitlab-ci.yml: e2e", ("e2e",)),
    ]
    reasons = [one.reason for one in found.unread]
    assert "it includes project other/templates, which is not read" in reasons
    assert "a part of its script is taken from elsewhere" in reasons


@pytest.mark.parametrize("text", ["jobs: [", "- a\n- b", "jobs: 3", "name: x"])
def test_a_workflow_that_cannot_be_read_is_said(text: str) -> None:
    """A broken file is no file that runs nothing."""
    found = ci(workflow=text)
    assert [one.where for one in found.unread] == [".github/workflows/ci.yml"]


def test_services_that_are_not_read_are_said() -> None:
    """Their project has a CI, of which nothing is known."""
    found = ci(**{".circleci/config.yml": "x", "Makefile": "test:\n\tpytest\n"})
    assert found.files == (".circleci/config.yml",)
    assert "CircleCI" in found.unread[0].reason
    assert found.invocations == ()


def test_without_a_service_the_commands_of_the_project_are_followed() -> None:
    """All that make, tox, nox and just offer."""
    found = ci(Makefile="test:\n\tpytest a\n", justfile="test:\n  pytest b\n")
    assert (found.files, found.others) == ((), ("Makefile", "justfile"))
    assert [one.paths for one in found.invocations] == [("a",), ("b",)]


def test_without_the_package_for_yaml_a_workflow_is_said_to_be_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    (unread,) = ci(workflow=WORKFLOW).unread
    assert "pip install 'tierwise[evals]'" in unread.reason
