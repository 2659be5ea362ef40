"""Wait for a condition without a signal."""

import time


def wait_for(condition, what="the condition", timeout=60.0, every=0.01):
    """Wait until `condition()` is true, and return its result."""
    deadline = time.monotonic() + timeout
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {timeout:g} s for {what}"
        time.sleep(every)
    return found
