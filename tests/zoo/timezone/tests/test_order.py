"""A test sets the time zone."""

import os
import time


def test_polluter():
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    del os.environ["TZ"]


def test_victim():
    assert time.tzname[0] != "JST"
