"""Memory of the program with 100,000 messages stored and scored, beside an empty PySide6 window."""

import json
import tempfile
from pathlib import Path

from tests.bench.big_home import make_home
from tests.bench.open import start

BUDGET_MB = 150.0


def run(arguments):
    """One process of each kind, at rest."""
    size = 1_000_000 if "--full" in arguments else 100_000
    with tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder:
        make_home(Path(folder), size)
        start("program", 3.0, folder)
        ours, theirs = start("program", 3.0, folder), start("empty", 1.0)
    more = round(ours["resident_mb"] - theirs["resident_mb"], 1)
    own = round(ours["anonymous_mb"] - theirs["anonymous_mb"], 1)
    if "--json" in arguments:
        found = {"messages": size, "program": ours, "empty": theirs, "more_mb": more, "more_anonymous_mb": own}
        print(json.dumps(found))
    else:
        print(
            f"memory, {size:,} messages: {ours['resident_mb']} MB, empty PySide6 window {theirs['resident_mb']} MB: "
            f"{more} MB more, of which {own} MB are no mapped files"
        )
    return int(more > BUDGET_MB)
