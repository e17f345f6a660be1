"""Settings of Hypothesis for this tier."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no failure of the code under test.
settings.register_profile("omnia", deadline=None)
settings.load_profile("omnia")
