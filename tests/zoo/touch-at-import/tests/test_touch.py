"""A conftest connects while it is imported."""


def test_nothing():
    assert True
