"""Child process of a test: import files as `nbmail import` does, with limits of time and memory."""

import json
import resource
import sys
import time
from pathlib import Path

from nbmail.chunks import drain
from nbmail.errors import KnownError
from nbmail.worker.model.model_import import import_model
from tests.store.helpers import fill, open_store

# Three times the documented limit, for slow machines.
SECONDS = 3
MEMORY = 300_000_000


def main(home, paths):
    """Print why each file was refused, or null if it was imported."""
    with open_store(home) as store:
        fill(store, 4)
        for path in paths:
            limit(resource.RLIMIT_CPU, int(time.process_time()) + 1 + SECONDS)
            limit(
                resource.RLIMIT_AS,
                int(Path("/proc/self/statm").read_text().split()[0]) * 4096 + MEMORY,
            )
            changes = store.connection.value("SELECT total_changes()")
            reason = None
            try:
                drain(import_model(store, path, 1.0))
            except KnownError as error:
                reason = error.detail
                assert store.connection.value("SELECT total_changes()") == changes
            sys.stdout.write(json.dumps(reason) + "\n")


def limit(what, most):
    resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), list(map(Path, sys.argv[2:])))
