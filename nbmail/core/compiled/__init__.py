"""Parts of this room that also exist in C, for speed alone: there is plain Python for each, with equal results."""

from importlib import import_module
from typing import Any


def compiled(name: str, version: int) -> Any:
    """Return the compiled module of this name, None if it wasn't compiled from this `version` of its source."""
    try:
        module = import_module(f"nbmail.core.compiled.{name}")
    except ImportError:
        return None
    return module if getattr(module, "VERSION", None) == version else None
