"""What pytest offers under no public name that a type checker can follow."""

from __future__ import annotations

from _pytest.outcomes import Failed

__all__ = ["Failed"]
