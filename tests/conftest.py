"""What every tier of our own suite shares."""

import signal
import sys
from pathlib import Path

pytest_plugins = ["pytester"]

# Test folders are no packages: `from fake_vendor import FakeVendor` works from all of them.
sys.path.insert(0, str(Path(__file__).parent / "vendor"))

# A shell without job control starts what it puts in the background deaf to Ctrl-C, with its
# children; tests that press Ctrl-C in a child mean one that hears it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The animals of the zoo are projects of their own, each wrong on purpose.
collect_ignore = ["zoo"]
