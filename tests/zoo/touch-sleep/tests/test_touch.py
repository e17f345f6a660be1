"""A test waits by the real clock."""

import time


def test_touches():
    time.sleep(0.05)
