"""Nothing here is live: a test that ends as unobservable has not seen the error it expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.contracts import UnobservableError

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Fail where tierwise would skip."""
    try:
        return (yield)
    except UnobservableError as error:
        pytest.fail(f"{pyfuncitem.name} was unobservable: {error}")
