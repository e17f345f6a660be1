"""A test sets the locale."""

import locale


def test_polluter():
    locale.setlocale(locale.LC_NUMERIC, "C.UTF-8")


def test_victim():
    assert locale.setlocale(locale.LC_NUMERIC) == "C"
