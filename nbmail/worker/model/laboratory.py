"""Loading of the laboratory, which a data folder with the default method does without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.core.methods.balanced import BALANCED
from nbmail.method_spec import DEFAULT

if TYPE_CHECKING:
    from nbmail.core.methods.method import MethodFactory
    from nbmail.lab.laboratory import Laboratory


def load_laboratory() -> type[Laboratory]:
    """Import the laboratory. No other function of the engine does."""
    from nbmail.lab.laboratory import Laboratory

    return Laboratory


def method_named(text: str) -> MethodFactory:
    """Return a method by the text of its `MethodSpec`. Only the default needs no laboratory."""
    if text == DEFAULT:
        return BALANCED
    return load_laboratory().method(text)
