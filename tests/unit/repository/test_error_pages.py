"""Each slug that an error can show has a page, and each page a slug."""

from __future__ import annotations

import re
from pathlib import Path

from tierwise import errors
from tierwise.domain import Capability, Violation
from tierwise.sandbox import explain, slug_of

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "docs" / "errors"
SLUG = re.compile(r"\btw-[a-z]+(?:-[a-z]+)*\b", re.IGNORECASE)


def slugs() -> set[str]:
    """Return the slugs of all error classes and of a violation of each capability."""
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    known = {c.slug for c in classes if issubclass(c, errors.TierwiseError)}
    return known | {slug_of(capability) for capability in Capability}


def test_each_slug_has_a_page_and_each_page_a_slug() -> None:
    """A message that names errors/SLUG leads somewhere, and no page is left over."""
    assert {page.stem for page in PAGES.glob("*.md")} == slugs()


def test_each_slug_that_the_code_or_a_page_names_has_a_page() -> None:
    """Wherever a slug is written, in a message, a docstring or the docs, its page is there."""
    documents = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    named = {
        (slug.lower(), path.name)
        for path in documents
        for slug in SLUG.findall(path.read_text(encoding="utf-8"))
    }
    assert {slug for slug, _ in named} >= slugs()
    unknown = {pair for pair in named if not (PAGES / f"{pair[0]}.md").is_file()}
    assert unknown == {("tw-nte", "explain.md")}  # the example of one that is mistyped


def test_each_page_opens_with_its_slug() -> None:
    """The first line of a page repeats what the reader searched for."""
    wrong = [
        p.name for p in PAGES.glob("*.md") if not p.read_text("utf-8").startswith(f"# {p.stem}: ")
    ]
    assert wrong == []


def test_a_violation_is_explained_with_its_slug() -> None:
    """The message of a violation names the page of its capability."""
    violation = Violation(capability=Capability.SLEEP, target="1 s", subject="t", tier="unit")
    assert f"errors/{slug_of(Capability.SLEEP)}" in explain(violation)
