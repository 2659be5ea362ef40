"""Balanced evidence, the default: the method that ranks held-out mail best."""

from __future__ import annotations

from typing import ClassVar

from nbmail.core.methods.bernoulli import Bernoulli


class Balanced(Bernoulli):
    """Present words with little smoothing."""

    name: ClassVar[str] = "balanced"
    source: ClassVar[str] = "measured on held-out mail"

    def __init__(self) -> None:
        super().__init__(heads=0.01, tails=0.01)
