"""Parts of `core` that also exist in C, for speed alone. Each has a twin in Python with equal
results.
"""

from importlib import import_module
from typing import Any


def compiled(name: str, version: int) -> Any:
    """Return the compiled module of this name.

    None if it wasn't compiled, or from another version of its source.
    """
    try:
        module = import_module(f"nbmail.core.compiled.{name}")
    except ImportError:
        return None
    return module if getattr(module, "VERSION", None) == version else None
