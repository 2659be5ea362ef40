"""Run a benchmark: `python -m tests.bench NAME [--json] …`, or all of them; without a name, list them."""

import importlib
import pkgutil
import sys

from tests import bench


def main(arguments):
    name, *others = arguments or [""]
    known = [each.name for each in pkgutil.iter_modules(bench.__path__) if not each.name.startswith("_")]
    if name == "all" or name.replace("-", "_") in known:
        wanted = known if name == "all" else [name.replace("-", "_")]
        return max(importlib.import_module(f"tests.bench.{each}").run(others) for each in wanted)
    for each in known:
        module = importlib.import_module(f"tests.bench.{each}")
        print(f"{each.replace('_', '-'):20}{module.__doc__.strip().splitlines()[0]}")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
