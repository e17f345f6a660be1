"""Every double keeps the contract of providers; the local model's side runs in tests/evals."""

from __future__ import annotations

from tierwise.contracts import ProviderContract, double_subjects


class TestDoubles(ProviderContract):
    """Mock, scripted, schema, simulated and recording."""

    implementations = double_subjects()
