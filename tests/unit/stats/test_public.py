from __future__ import annotations

import dataclasses
import inspect
import re

import pytest

from tierwise import stats

FUNCTIONS = [name for name in stats.__all__ if inspect.isfunction(getattr(stats, name))]
VALUES = [name for name in stats.__all__ if dataclasses.is_dataclass(getattr(stats, name))]


def test_names_are_sorted_and_there() -> None:
    """Each public name exists, and the list is in order without doubles."""
    assert stats.__all__ == sorted(set(stats.__all__))
    assert all(hasattr(stats, name) for name in stats.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_says_what_it_rests_on(name: str) -> None:
    """Population, assumption, guarantee, reference and oracle stand in each docstring."""
    words = ("Population", "ssumption", "uarantee", "Reference", "Oracle")
    page = inspect.getdoc(getattr(stats, name))
    assert [word for word in words if not re.search(rf"{word}[a-z, ]*:", page)] == []


@pytest.mark.parametrize("name", VALUES)
def test_values_are_frozen_and_take_names_only(name: str) -> None:
    """Each result is immutable and cannot be built by position."""
    value = getattr(stats, name)
    kinds = {parameter.kind for parameter in inspect.signature(value).parameters.values()}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    assert value.__dataclass_params__.frozen
    assert "__slots__" in vars(value)
