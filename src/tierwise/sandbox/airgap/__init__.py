"""A session cut off from the network: a namespace of its own, and a watch over what leaves it."""

from tierwise.sandbox.airgap.attempt import (
    Attempt as Attempt,
    say_source as say_source,
    touch_of as touch_of,
)
from tierwise.sandbox.airgap.client import Airgap as Airgap, join as join
from tierwise.sandbox.airgap.closing import close as close
