"""A thread that waits for hours."""

import threading
import time


def test_waits_by_the_clock(clock):
    seen = []

    def work():
        time.sleep(7200)
        seen.append(time.time())

    before = time.time()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert round(seen[0] - before) == 7200
