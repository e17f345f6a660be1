"""The report in a real browser: filters, transcripts, colours, print, and hostile text."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import sync_playwright
from report_world import FILES, HOSTILE, make_project, row_of

from tierwise.domain import Exchange, Outcome
from tierwise.records import PlanRow, RunInfo, RunStore, TrialRow

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]

LONG_NUMBERS = {
    "Scored": "999 of 999",
    "Seen": "66.67 %",
    "Bound": ">= 59.12 %",
    "A": "60.71 %",
    "B": "60.71 %",
    "B - A": "-39.3 points",
    "p": "0.00064",
}
TORN = """(numbers) => Object.entries(numbers).filter(([label, number]) => {
  const cells = [...document.querySelectorAll(`[data-label='${label}']`)];
  return cells.length === 0 || cells.some((cell) => {
    cell.textContent = number;
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect().height > 30;
  });
}).map(([label]) => label)"""
"""Which of these numbers, put into their columns, take more than one line."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_RELOADS = 20


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the browser of this system; without one nothing can be seen."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"unobservable: none of {', '.join(BROWSERS)} is installed")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, start: Any) -> Path:
    """Write the report of the project that has everything, by the installed command."""
    root = make_project(tmp_path_factory.mktemp("bell"))
    done = start(root, "tierwise", "report")
    assert (done.returncode, done.stderr) == (0, "")
    return root / ".tierwise" / "report.html"


@pytest.fixture
def open_page(browser: Browser, written: Path) -> Iterator[Open]:
    """Open the report; at the end nothing may have been complained of, or asked of a network."""
    trouble: list[str] = []
    pages: list[Page] = []

    def open_report(path: Path = written, **options: Any) -> Page:
        page = browser.new_page(**options)
        pages.append(page)
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda asked: trouble.append(asked.url) if _is_far(asked.url) else None)
        page.goto(path.as_uri())
        return page

    yield open_report
    for page in pages:
        page.close()
    assert trouble == []


def _is_far(url: str) -> bool:
    return not url.startswith("file:")


def test_the_first_screen_says_what_the_build_proves(open_page: Open) -> None:
    """The headline and its numbers are there before anything is scrolled."""
    page = open_page(viewport={"width": 1280, "height": 800})
    title = page.locator("h1")
    assert title.inner_text() == (
        "4 tests fail, 1 test ends in an error, 1 expectation is refuted and more"
    )
    box = page.locator(".figures").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 800
    assert "Nothing is known of static" in page.locator(".lead").inner_text()


@pytest.mark.parametrize("width", [390, 1280])
def test_no_width_needs_scrolling_sideways(open_page: Open, width: int) -> None:
    """The page is as wide as the window, on a phone as on a desk."""
    page = open_page(viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [390, 1280])
def test_names_of_any_length_do_not_widen_the_page(
    browser: Browser, tmp_path: Path, start: Any, width: int
) -> None:
    """A tier, a test or a provider may be called anything."""
    long, root = "x" * 3000, make_project(tmp_path)
    with RunStore.open(root / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        row = replace(row_of(f"test_{long}", duration_s=99.0), tier=long, message=long)
        store.add_tests(run, [row])
        plan = replace(live_plan(run), eval_id=f"{FILES[2]}::test_{long}", provider=long)
        store.add_plan(plan)
        store.add_trials([replace(live_trial(run, 0), case_id=long, scores={long[:200]: 1.0})])
    assert start(root, "tierwise", "report").returncode == 0
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((root / ".tierwise" / "report.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


def test_each_row_ends_in_one_line_and_each_bound_stands_in_one(open_page: Open) -> None:
    """The rule below a row runs through all of its cells, and no number is torn from its unit."""
    page = open_page(viewport={"width": 1280, "height": 800})
    uneven = page.evaluate(
        "[...document.querySelectorAll('main tr')].filter((row) => new Set([...row.cells]"
        ".map((one) => Math.round(one.getBoundingClientRect().bottom))).size > 1).length"
    )
    torn = page.evaluate(TORN, LONG_NUMBERS)
    assert (uneven, torn) == (0, [])


def test_tests_are_found_by_words_outcome_and_tier(open_page: Open) -> None:
    """Search and both filters narrow the list together, and say how many are left."""
    page = open_page()
    rows, count = page.locator("#tests-rows tr"), page.locator("#tests-count")
    assert count.inner_text() == "25 of 88 tests"
    page.locator("#tests-search").fill("peal[7]")
    assert count.inner_text() == "1 of 1 tests"
    assert "test_peal[7]" in rows.first.inner_text()
    page.locator("#tests-search").fill("")
    page.locator("#tests-outcome").select_option("failed")
    page.locator("#tests-tier").select_option("integration")
    assert count.inner_text() == "1 of 1 tests"
    assert "test_it_forgets_on_request[broken]" in rows.first.inner_text()


def test_more_tests_are_shown_on_request(open_page: Open) -> None:
    """The button adds the next rows and goes away with the last of them."""
    page = open_page()
    for _ in range(3):
        page.locator("#tests-more").click()
    assert page.locator("#tests-count").inner_text() == "88 of 88 tests"
    assert not page.locator("#tests-more").is_visible()


def test_a_transcript_opens_with_its_finding_marked(open_page: Open) -> None:
    """Of the trials that speak against an expectation, one opens by keyboard and shows where."""
    page = open_page()
    page.locator("#trials-search").fill("honey jar")
    page.locator("#trials-against").check()
    assert page.locator("#trials-count").inner_text() == "4 of 36 trials in this page"
    found = page.locator("[data-trial]:visible").first
    found.locator("summary").press("Enter")
    assert found.locator("mark").inner_text() == "honey jar"
    assert "hidden key (exact)" in found.locator(".finding").inner_text()
    assert "Where is the silver key?" in found.locator(".turn").nth(1).inner_text()


def test_a_search_without_an_answer_leaves_nothing_and_says_so(open_page: Open) -> None:
    """No trial is left over when none fits, and the headings of their evals go too."""
    page = open_page()
    page.locator("#trials-search").fill("no such words")
    assert page.locator("#trials-count").inner_text() == "0 of 36 trials in this page"
    assert page.locator("[data-trials]:visible").count() == 0


def test_transcripts_beside_the_page_move_with_it(
    browser: Browser, tmp_path: Path, start: Any
) -> None:
    """Page and folder are found again elsewhere, whatever the page is called."""
    (tmp_path / "made").mkdir()
    root = make_project(tmp_path / "made")
    with RunStore.open(root / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        plan = replace(live_plan(run), eval_id=f"{FILES[2]}::test_much", trials=90, n_planned=90)
        store.add_plan(plan)
        said = Exchange(prompt=(), reply="la " * 2000)
        trials = (replace(live_trial(run, n), exchanges=(said,)) for n in range(90))
        store.add_trials(list(trials))
    done = start(root, "tierwise", "report", "--out", "out/100% #1 report?.html")
    assert (done.returncode, done.stderr) == (0, "")
    moved = (root / "out").rename(tmp_path / "mo ved")
    page = browser.new_page()
    page.goto((moved / "100% #1 report?.html").as_uri())
    links = page.locator("#trials .note a")
    first, last = links.first.inner_text().split(" to ")
    links.first.click()
    assert page.title() == f"Trials of {plan.eval_id}"
    assert page.locator("[data-trial]").count() == int(last) - int(first) + 1 > 10
    page.close()


def test_without_javascript_the_page_still_tells_all_but_the_rest_of_the_tests(
    browser: Browser, written: Path
) -> None:
    """No control is shown that would do nothing, and what is left out is said."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(written.as_uri())
    assert page.locator(".filters:visible, button:visible").count() == 0
    assert page.locator("#tests-rows tr").count() == 25
    assert page.get_by_text("25 of 88 tests are shown.").is_visible()
    page.locator("[data-trial] summary").first.click()
    assert page.locator(".transcript").first.is_visible()
    context.close()


def test_an_odd_address_is_no_error(open_page: Open) -> None:
    """A link to a place that is not in the page, or is no address at all, opens the page."""
    page = open_page()
    for odd in ("#%", "#%E0%A4%A", "#no-such-place", "#<b>"):
        page.evaluate("(odd) => { location.hash = odd; }", odd)
    assert page.locator("h1").is_visible()


def test_dark_and_light_are_switched_and_remembered(open_page: Open) -> None:
    """The system's choice comes first; the button's choice lasts over a reload."""
    page = open_page(color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.locator("[data-theme-button]").click()
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    for _ in range(_RELOADS):  # the browser writes its storage down when it finds the time
        page.reload()
        if page.evaluate(paper) != dark:
            break
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    page.locator("[data-theme-button]").click()
    assert page.evaluate(paper) == dark != "rgb(255, 255, 255)"


def test_print_is_light_and_leaves_out_what_only_a_screen_needs(open_page: Open) -> None:
    """On paper there are no buttons, no filters and no dark ground."""
    page = open_page(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for hidden in ("nav", "[data-theme-button]", "#tests-search", "#tests-more"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#tests-count").is_visible()  # a list that ends early says so
    assert page.locator("h1").is_visible()
    assert len(page.pdf()) > 1000


def test_no_text_takes_the_page_over(open_page: Open) -> None:
    """What a model or a name holds is shown as it is: nothing of it runs, loads or hides."""
    page = open_page()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.title() == "bell0: what the tests prove"
    assert page.locator("img, iframe, object, embed, form, base").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0
    assert page.locator("script").count() == 2
    assert page.locator("style").count() == 1
    text = page.locator("#trials").inner_text()
    assert HOSTILE[3] in text
    assert "a\\u202egnp.exe\\u2066" in text
    assert "49" not in page.locator("#tests").inner_text().split()


def test_a_script_that_got_in_would_not_run(browser: Browser, written: Path) -> None:
    """The page's own policy stops a script and a style that are not the page's."""
    planted = written.with_name("planted.html")
    evil = "<script>document.title='taken'</script><p id=evil style='display:none'>seen</p>"
    html = written.read_text(encoding="utf-8")
    planted.write_text(html.replace("<main", f"{evil}<main", 1), encoding="utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(planted.as_uri())
    assert page.title() == "bell0: what the tests prove"
    assert page.locator("#evil").is_visible()
    assert len(refused) == 2
    page.close()


def test_the_keyboard_reaches_content_and_landmarks(open_page: Open) -> None:
    """The first stop skips to the content; regions have names; headings leave out no level."""
    page = open_page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    names = page.evaluate(
        "[...document.querySelectorAll('main > section')].map((one) =>"
        " document.getElementById(one.getAttribute('aria-labelledby')).textContent)"
    )
    assert names[0] == "Map"
    assert len(names) == len(set(names)) == 15
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3')].map((one) => +one.tagName[1])"
    )
    assert all(later - level <= 1 for level, later in pairwise(levels))
    unnamed = "[...document.querySelectorAll('input,select,button,svg[role]')].filter((one) =>"
    unnamed += " !(one.ariaLabel || one.labels?.length || one.textContent.trim())).length"
    assert page.evaluate(unnamed) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(open_page: Open, scheme: str) -> None:
    """Every colour of text has a contrast of 4.5 to 1 with the grounds that it stands on."""
    page = open_page(color_scheme=scheme)
    colours = page.evaluate(
        "(() => { const all = getComputedStyle(document.documentElement);"
        " return Object.fromEntries(['paper', 'wash', 'ink', 'muted', 'accent', 'mark'].map("
        "(name) => [name, all.getPropertyValue(`--${name}`).trim()])); })()"
    )
    pairs = [(text, ground) for text in ("ink", "muted", "accent") for ground in ("paper", "wash")]
    poor = {
        pair: contrast(colours[pair[0]], colours[pair[1]])
        for pair in [*pairs, ("ink", "mark")]
        if contrast(colours[pair[0]], colours[pair[1]]) < 4.5
    }
    assert poor == {}


def contrast(one: str, other: str) -> float:
    """Return how far two colours stand apart, as WCAG counts it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_each_empty_section_names_the_command_that_fills_it(
    browser: Browser, tmp_path: Path, start: Any
) -> None:
    """A project without any result has the twelve gaps, and a way on in every other section."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    done = start(tmp_path, "tierwise", "report")
    assert (done.returncode, done.stderr) == (0, "")
    page = browser.new_page()
    page.goto((tmp_path / ".tierwise" / "report.html").as_uri())
    assert page.locator("h1").inner_text() == "Nothing is known yet"
    assert page.locator("#map tbody tr.gap").count() == 12
    empty = page.locator("main > section:not(:has(.empty code))")
    assert [one.get_attribute("id") for one in empty.all()] == []
    page.close()


def test_the_live_view_follows_a_run_and_ends_by_ctrl_c(
    browser: Browser, tmp_path: Path, begin: Any
) -> None:
    """The page shows what lands without a reload; Ctrl-C ends the server cleanly."""
    make_project(tmp_path)
    served = begin(tmp_path, "tierwise", "report", "--serve")
    url = served.stdout.readline().split()[2]
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(url)
    page.get_by_text("The run has ended").wait_for()
    assert page.locator("#n-landed").inner_text() == "36"
    assert page.locator("#evals article").count() == 3
    with RunStore.open(tmp_path / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        store.add_plan(live_plan(run))
        page.get_by_text("The first trial is on its way.").wait_for()
        store.add_trials([live_trial(run, 0), live_trial(run, 1)])
        page.get_by_text("2 of 8 trials: 2 passed").wait_for()
    assert page.title() == f"{tmp_path.name}: evals, live"
    assert page.locator("h3 .name").inner_text() == "<script>document.title='taken'</script>"
    assert complaints == []
    page.close()
    served.send_signal(signal.SIGINT)
    said, complained = served.communicate(timeout=20)
    assert (served.returncode, said, complained) == (0, "stopped\n", "")


def test_the_live_view_says_when_its_store_or_its_server_is_gone(
    browser: Browser, tmp_path: Path, begin: Any
) -> None:
    """It waits for a store that vanished, and tells when it was stopped itself."""
    make_project(tmp_path)
    served = begin(tmp_path, "tierwise", "report", "--serve")
    page = browser.new_page()
    page.goto(served.stdout.readline().split()[2])
    page.get_by_role("heading", name="The run has ended").wait_for()
    shutil.rmtree(tmp_path / ".tierwise")
    page.get_by_role("heading", name="Waiting for a run of evals").wait_for()
    assert page.locator("#lead").inner_text() == (
        "Start one in another terminal: tierwise eval run"
    )
    assert page.locator("#said").text_content() == "Waiting for a run of evals"
    assert not page.locator("#figures").is_visible()
    served.send_signal(signal.SIGINT)
    page.get_by_role("heading", name="The view was stopped").wait_for()
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map((one) => one.tagName)")
    assert levels == ["H1", "H2"]
    page.close()
    assert served.wait(timeout=20) == 0


def live_plan(run: str) -> PlanRow:
    return PlanRow(
        run_id=run,
        plan_hash="p",
        eval_id=f"tests/evals/test_live.py::{HOSTILE[0]}",
        tier="evals",
        n_cases=1,
        trials=8,
        n_planned=8,
        provider="x",
    )


def live_trial(run: str, index: int) -> TrialRow:
    return TrialRow(
        run_id=run,
        plan_hash="p",
        eval_id="e",
        case_id="c",
        index=index,
        key=f"{index}",
        seed=1,
        outcome=Outcome.PASSED,
    )
