"""Which line of pytest's traceback says why a file could not be collected."""

from tierwise.pytest_plugin.collection_errors import find_error


def test_an_error_is_named_by_its_first_line() -> None:
    """What an error says on further lines is no reason by itself."""
    assert find_error("t.py:1: in <module>\nE   ValueError: two\nE   lines") == "ValueError: two"


def test_of_errors_in_a_row_the_last_one_ended_the_import() -> None:
    """An error raised while another one was handled is the one that was not caught."""
    text = "E   KeyError: 'a'\n\nDuring handling:\nt.py:2: in f\nE   TypeError: no\n"
    assert find_error(text) == "TypeError: no"


def test_a_syntax_error_is_named_and_not_its_source() -> None:
    """The lines of source stand further in than the error."""
    text = 'E     File "t.py", line 1\nE       def x(\nE   \nE   SyntaxError: never closed'
    assert find_error(text) == "SyntaxError: never closed"


def test_where_pytest_says_it_in_plain_words_the_last_line_counts() -> None:
    """Misuse of a mark has no traceback, and an empty text no reason."""
    assert find_error("In t.py::test_x: function uses no argument 'a'\n").endswith("'a'")
    assert find_error("") == "no reason was given"


def test_a_key_in_an_error_is_masked() -> None:
    """What cannot be collected is told to others too."""
    said = find_error("E   ValueError: bad key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    assert "abcdefghijkl" not in said
