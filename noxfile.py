"""The matrix: every supported Python, no extras, and the lowest direct dependencies."""

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["tests", "bare", "lowest", "sdks"]

PROJECT = nox.project.load_toml("pyproject.toml")
GROUPS = nox.project.dependency_groups(PROJECT, "test")
HOW_TO = nox.project.dependency_groups(PROJECT, "how-to")


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run all default tiers with all extras."""
    session.install("-e", ".[all]", *GROUPS, *HOW_TO)
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs)


@nox.session(python="3.11")
def bare(session: nox.Session) -> None:
    """Collect and run what needs no extra, the example's evals included as collected."""
    session.install("-e", ".", *GROUPS)
    session.chdir("examples/omnia")
    session.run("python", "-m", "pytest", "-q", *session.posargs)


@nox.session(python="3.11", venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """Run the unit tier on the oldest versions that pyproject.toml allows."""
    session.install("-e", ".[all]", *GROUPS, "--resolution", "lowest-direct")
    session.run("python", "-m", "pytest", "--tier", "unit", "-q", *session.posargs)


@nox.session(python="3.11")
@nox.parametrize(
    ("vendor", "sdk"),
    [
        ("openai", "openai>=2,<3"),
        ("anthropic", "anthropic>=1,<2"),
        ("gemini", "google-genai>=2,<3"),
    ],
)
def sdks(session: nox.Session, vendor: str, sdk: str) -> None:
    """Run a vendor's conformance tests with the major of its SDK before the current one."""
    session.install("-e", ".[all]", *GROUPS)
    session.install(sdk)
    folder = f"tests/integration/doubles/{vendor}"
    session.run("python", "-m", "pytest", "-n", "2", folder, *session.posargs)
