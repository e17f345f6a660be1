"""A test makes a temporary file."""

import tempfile


def test_touches():
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
