"""All methods by name."""

from __future__ import annotations

from collections.abc import Callable

from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.bernoulli import Bernoulli, CompleteBernoulli
from nbmail.core.methods.method import Method
from nbmail.core.methods.multinomial import Multinomial

_METHODS: tuple[type[Method], ...] = (Balanced, Multinomial, Bernoulli, CompleteBernoulli)
_MAKERS: dict[str, Callable[[], Method]] = {method.name: method for method in _METHODS}

NAMES: tuple[str, ...] = tuple(_MAKERS)
DEFAULT = Balanced.name


def create(name: str) -> Method:
    """A new method of that name, remembering nothing yet."""
    if name not in _MAKERS:
        raise ValueError(f"no method {name!r}; there are {', '.join(NAMES)}")
    return _MAKERS[name]()
