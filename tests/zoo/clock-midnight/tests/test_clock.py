"""Code that behaves otherwise on another day."""

import datetime


def is_open():
    return datetime.date.today() < datetime.date(2100, 1, 1)


def test_closes_in_the_next_century(clock):
    assert is_open()
    clock.advance(100 * 366 * 86400)
    assert not is_open()
