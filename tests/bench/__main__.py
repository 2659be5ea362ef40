"""Run a benchmark: `python -m tests.bench NAME [--json] …`, or all of them; without a name, list
them.
"""

import importlib
import pkgutil
import sys

from tests import bench
from tests.bench._frame import unless_missing


def main(arguments):
    name, *others = arguments or [""]
    known = [
        each.name for each in pkgutil.iter_modules(bench.__path__) if not each.name.startswith("_")
    ]
    if name == "all" or name.replace("-", "_") in known:
        wanted = known if name == "all" else [name.replace("-", "_")]
        return max(run(each, others) for each in wanted)
    for each in known:
        module = importlib.import_module(f"tests.bench.{each}")
        print(f"{each.replace('_', '-'):20}{module.__doc__.strip().splitlines()[0]}")
    return 2


def run(name, arguments):
    with unless_missing(name):
        return importlib.import_module(f"tests.bench.{name}").run(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
