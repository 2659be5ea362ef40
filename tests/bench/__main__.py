"""Runs a bench: `python -m tests.bench NAME [--json] …`, or all of them; without a name it lists them."""

import importlib.util
import pkgutil
import sys

from tests import bench


def benches():
    """The modules of this folder that can be run, by their names on the command line."""
    names = [module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_")]
    loaded = {name.replace("_", "-"): importlib.import_module(f"tests.bench.{name}") for name in sorted(names)}
    return {name: module for name, module in loaded.items() if hasattr(module, "run")}


def main(arguments):
    """Run the bench that is named first with the arguments behind it."""
    name, *others = arguments or [""]
    module = name.replace("-", "_")
    if module.isidentifier() and importlib.util.find_spec(f"tests.bench.{module}"):
        return importlib.import_module(f"tests.bench.{module}").run(others)
    found = benches()
    if name == "all":
        return max((module.run(others) for module in found.values()), default=0)
    for known, module in found.items():
        print(f"{known:20}{(module.__doc__ or '').strip().splitlines()[0]}")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
