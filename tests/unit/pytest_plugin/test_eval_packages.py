from importlib.metadata import Distribution
from pathlib import Path

import pytest

from tierwise.pytest_plugin.eval_packages import name_and_version


class Installed(Distribution):
    """A package whose metadata is a text."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    def read_text(self, filename: str) -> str | None:
        """Return the text, whatever it is called."""
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        """Have no files."""
        raise NotImplementedError


@pytest.mark.parametrize(
    "text",
    [
        "Metadata-Version: 2.4\nName: shop\nVersion: 1.0\n\nVersion: 2.0 is planned\n",
        "metadata-version: 2.4\nVERSION:1.0\nname:  shop\nSummary: a Name: other\n\n",
        "Metadata-Version: 2.4\r\nName: shop\r\nVersion: 1.0\r\n\r\nName: other\r\n",
    ],
    ids=["plain", "other letters and order", "other ends of lines"],
)
def test_the_headers_say_name_and_version(text: str) -> None:
    """What stands above the description counts, as the library reads it."""
    found = Installed(text)
    assert name_and_version(found) == ("shop", "1.0")
    assert (found.name, found.version) == ("shop", "1.0")


def test_what_is_unusual_is_left_to_the_library() -> None:
    """A version that stands only in the description is none."""
    assert name_and_version(Installed("Name: shop\n\nVersion: 2.0\n")) == ("shop", "")


def test_headers_far_down_are_found_by_the_library() -> None:
    """One that goes on over lines is the library's to read."""
    found = Installed("Name: shop\nSummary: all\n \n goes on\nVersion: 2.0\n\n")
    assert name_and_version(found) == ("shop", "2.0")
