"""What every tier of our own suite shares."""

import sys
from pathlib import Path

pytest_plugins = ["pytester"]

# Test folders are no packages: `from fake_vendor import FakeVendor` works from all of them.
sys.path.insert(0, str(Path(__file__).parent / "vendor"))
