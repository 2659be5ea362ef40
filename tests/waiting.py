"""Waiting for what nothing tells of."""

import time


def wait_for(come, what="it", patience=20.0, every=0.01):
    """Wait until `come` answers something true, and return it."""
    deadline = time.monotonic() + patience
    while not (found := come()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(every)
    return found
