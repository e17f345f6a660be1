"""Cases kept in a file, found beside the test that names it."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import CaseList, load_cases
from tierwise.evals.cases import gather_cases

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Question:
    """A case as a dataclass."""

    question: str
    id: str | None = None


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def write(folder: Path, name: str, *lines: Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_rows_come_in_their_order_as_dicts_or_models(tmp_path: Path) -> None:
    """A slice is a list of cases too."""
    path = write(tmp_path, "cases.jsonl", {"question": "b"}, {"question": "a"})
    assert list(load_cases(path)) == [{"question": "b"}, {"question": "a"}]
    loaded = load_cases(path, Question)
    assert list(loaded) == [Question("b"), Question("a")]
    assert isinstance(loaded[:1], CaseList)
    assert list(loaded[1:]) == [Question("a")]
    assert repr(load_cases(path)[:1]) == "CaseList([{'question': 'b'}])"


def test_a_path_is_relative_to_the_file_that_names_it(tmp_path: Path) -> None:
    """Wherever the run was started, and whichever other file has the name."""
    write(tmp_path, "cases.jsonl", {"question": "elsewhere"})
    write(tmp_path, "tests/evals/data/cases.jsonl", {"question": "beside"})
    code = write(
        tmp_path,
        "tests/evals/test_it.py",
        "from tierwise.evals import load_cases",
        'CASES = load_cases("data/cases.jsonl")',
    )
    spec = importlib.util.spec_from_file_location("test_it", code)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert list(module.CASES) == [{"question": "beside"}]


def test_code_without_a_file_looks_in_the_working_folder(tmp_path: Path) -> None:
    """As in an interactive session."""
    write(tmp_path, "cases.jsonl", {"question": "here"})
    scope: dict[str, Any] = {}
    exec("from tierwise.evals import load_cases\nfound = load_cases('cases.jsonl')", scope)  # noqa: S102
    assert list(scope["found"]) == [{"question": "here"}]


def test_a_missing_file_is_named_with_where_it_was_looked_for(tmp_path: Path) -> None:
    """The closest name beside it, and the same path seen from the working folder, are told."""
    path = write(tmp_path, "data/cases.jsonl", {"question": "a"})
    with pytest.raises(EvalUsageError, match=r"data/case\.jsonl does not exist.*'cases\.jsonl'"):
        load_cases(path.with_name("case.jsonl"))
    with pytest.raises(EvalUsageError, match=r"relative to test_case_files\.py.*There is one at"):
        load_cases("data/cases.jsonl")
    with pytest.raises(EvalUsageError, match="data is a folder"):
        load_cases(path.parent)
    with pytest.raises(EvalUsageError, match=r"not read from '\.txt'.*\.jsonl"):
        load_cases(write(tmp_path, "cases.txt", "a"))


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ({"id": 1, "question": "b"}, "line 2 has the id 1, which line 1 has already"),
        ({"id": "1 ", "question": "b"}, "line 2 has the id '1 ', which line 1 has already"),
        ({"id": 2, "question": "a"}, "line 2 is the same case as line 1 but for its id"),
        ({"question": "a", "id": 1}, "line 2 has the id 1, which line 1"),
    ],
)
@pytest.mark.parametrize("model", [None, Question])
def test_duplicates_are_refused_with_both_lines(
    tmp_path: Path, second: Any, reason: str, model: Any
) -> None:
    """The same id, or the same content, is no second case."""
    path = write(tmp_path, "cases.jsonl", {"id": 1, "question": "a"}, second)
    with pytest.raises(EvalUsageError, match=reason):
        load_cases(path, model)


def test_the_same_content_without_ids_is_refused(tmp_path: Path) -> None:
    """In whatever order its fields stand."""
    rows = ({"q": "a", "n": 1}, {"q": "b", "n": 1}, {"n": 1, "q": "a"})
    with pytest.raises(EvalUsageError, match=r"line 3 is the same case as line 1\. More runs"):
        load_cases(write(tmp_path, "cases.jsonl", *rows))


def test_cases_that_are_nothing_but_their_id_differ(tmp_path: Path) -> None:
    """There the id is the content."""
    assert len(load_cases(write(tmp_path, "cases.jsonl", {"id": 1}, {"id": 2}))) == 2


@pytest.mark.parametrize("n_right", [1, 5])
def test_a_field_that_looks_misspelt_is_refused_without_a_model(
    tmp_path: Path, n_right: int
) -> None:
    """One row that calls it otherwise would be a case without it."""
    rows = [{"question": str(n)} for n in range(n_right)]
    path = write(tmp_path, "cases.jsonl", *rows, {"qestion": "x"})
    with pytest.raises(EvalUsageError, match=r"'qestion'.*'question'|'question'.*'qestion'"):
        load_cases(path)


def test_fields_that_may_be_left_out_are_no_misspelling(tmp_path: Path) -> None:
    """Neither one like no other, nor two alike that stand side by side somewhere."""
    rows = (
        {"q": 1, "hint": "x"},
        {"q": 2},
        {"q": 3, "name1": 1, "name2": 2},
        {"q": 4, "name2": 2},
    )
    assert len(load_cases(write(tmp_path, "cases.jsonl", *rows))) == 4


def test_an_id_field_names_the_cases(tmp_path: Path) -> None:
    """Also in a part of the list; the content is hashed with it."""
    path = write(tmp_path, "cases.csv", "name,question", " first  one ,a", "2,b", "3,c")
    loaded = load_cases(path, id_field="name")
    assert loaded.ids == ("first one", "2", "3")
    cases = gather_cases(loaded[1:])
    assert [case.id for case in cases] == ["2", "3"]
    assert cases[0].value == {"name": "2", "question": "b"}
    assert [case.id.partition("-")[0] for case in gather_cases(load_cases(path))] == ["dict"] * 3


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{"key": "a", "q": 1}, {"key": "a", "q": 2}], "line 2 has the key 'a', which line 1"),
        ([{"q": 1}], r"line 1: 'key' names the case and is None.*Expected one of: q"),
        ([{"kee": "a", "q": 1}], "Did you mean 'kee'"),
        ([{"key": " ", "q": 1}], "is ' '; expected a text"),
        ([{"key": True, "q": 1}], "is True; expected a text"),
        ([{"key": ["a"], "q": 1}], r"is \['a'\]; expected a text"),
        ([{"key": "a", "q": 1}, {"key": "b", "q": 1}], "same case as line 1 but for its key"),
    ],
)
def test_an_id_field_has_to_name_each_case(tmp_path: Path, rows: Any, reason: str) -> None:
    """Once, by something that can be read in a table."""
    with pytest.raises(EvalUsageError, match=reason):
        load_cases(write(tmp_path, "cases.jsonl", *rows), id_field="key")


def test_a_tier_may_read_its_cases_while_it_is_collected(
    project: pytest.Pytester, write: Callable[..., None], run: Callable[..., pytest.RunResult]
) -> None:
    """Reading inside the project is free, and the rows are the eval's cases."""
    folder = project.path / "tests" / "evals"
    folder.mkdir(parents=True)
    (folder / "cases.csv").write_text("id,question\nq1,Where?\nq2,When?\n")
    write(
        """
        from tierwise.evals import load_cases

        @evaluate(cases=load_cases("cases.csv"), trials=2, expect=[at_least("asked", 0.1)])
        async def test_it(case, trial):
            trial.score(asked=case["question"].endswith("?"))
        """
    )
    result = run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*4 of 4*"])


def test_a_broken_file_of_cases_fails_the_collection_in_words(
    project: pytest.Pytester, write: Callable[..., None], run: Callable[..., pytest.RunResult]
) -> None:
    """Nothing runs, and the message is ours."""
    folder = project.path / "tests" / "evals"
    folder.mkdir(parents=True)
    (folder / "cases.jsonl").write_text('{"q": 1}\n{"q": \n')
    write(
        """
        from tierwise.evals import load_cases

        @evaluate(cases=load_cases("cases.jsonl"), trials=2, expect=[at_least("asked", 0.1)])
        async def test_it(case, trial):
            pass
        """
    )
    result = run()
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*TW-EVAL*tests/evals/cases.jsonl, line 2 is no JSON*"])
