"""A test changes the rights that new files are made without."""

import os


def test_polluter():
    os.umask(0o077)


def test_victim():
    before = os.umask(0o022)
    os.umask(before)
    assert before != 0o077
