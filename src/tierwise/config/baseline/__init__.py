"""The violations of today that a project accepts, so that those of tomorrow fail."""

from tierwise.config.baseline.counting import count_by_tier as count_by_tier
from tierwise.config.baseline.entries import (
    Baseline as Baseline,
    Entry as Entry,
    Seen as Seen,
    make_entries as make_entries,
)
from tierwise.config.baseline.file import (
    NAME as NAME,
    load_baseline as load_baseline,
    read_baseline as read_baseline,
    write_baseline as write_baseline,
)
from tierwise.config.baseline.judging import (
    Observed as Observed,
    Stale as Stale,
    find_stale as find_stale,
    say_moved as say_moved,
)
