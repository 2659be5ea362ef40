"""All methods by name."""

from __future__ import annotations

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.bernoulli import Bernoulli, CompleteBernoulli
from nbmail.core.methods.categorical import Categorical
from nbmail.core.methods.gaussian import Gaussian
from nbmail.core.methods.logistic import Logistic
from nbmail.core.methods.method import Method
from nbmail.core.methods.multinomial import Complement, Multinomial
from nbmail.core.methods.names import DEFAULT, NAMES
from nbmail.core.methods.tree_augmented import TreeAugmented

__all__ = ["DEFAULT", "NAMES", "create"]

_METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (
        Balanced,
        Multinomial,
        Complement,
        Bernoulli,
        CompleteBernoulli,
        Categorical,
        Gaussian,
        TreeAugmented,
        Logistic,
    )
}


def create(name: str, vocabulary: Vocabulary) -> Method:
    """A new method of that name, remembering nothing yet."""
    if name not in _METHODS:
        raise ValueError(f"no method {name!r}; there are {', '.join(NAMES)}")
    return _METHODS[name].over(vocabulary)
