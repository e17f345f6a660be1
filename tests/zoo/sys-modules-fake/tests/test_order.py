"""A test leaves a fake in sys.modules."""

import sys
from unittest.mock import Mock


def test_polluter():
    sys.modules["redis"] = Mock()


def test_victim():
    assert not isinstance(sys.modules.get("redis"), Mock)
