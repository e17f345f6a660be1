"""What a real vendor answered, kept in a reviewed file, and played again."""

from tierwise.doubles.gateway.cassettes.cassette import (
    Cassette as Cassette,
    Interaction as Interaction,
)
from tierwise.doubles.gateway.cassettes.file import read_cassette as read_cassette

__all__ = ["Cassette", "Interaction", "read_cassette"]
