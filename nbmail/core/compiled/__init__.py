"""Parts of this room that also exist in C, for speed alone: there is plain Python for each, with equal results."""

from importlib import import_module
from typing import Any


def compiled(name: str, version: int) -> Any:
    """The compiled module of this room, None if it wasn't compiled.

    One left over from another version of its source is not used: its `VERSION` tells.
    """
    try:
        module = import_module(f"nbmail.core.compiled.{name}")
    except ImportError:
        return None
    return module if getattr(module, "VERSION", None) == version else None
