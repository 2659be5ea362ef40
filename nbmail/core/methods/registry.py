"""All methods by name."""

from collections.abc import Callable

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.logistic import Logistic
from nbmail.core.methods.method import Method
from nbmail.core.methods.naive_bayes import Bernoulli, Categorical, Complement, CompleteBernoulli, Gaussian, Multinomial
from nbmail.core.methods.tree_augmented import TreeAugmented

# What has to read the words themselves gets the vocabulary.
_METHODS: dict[str, Callable[[Vocabulary], Method]] = {
    "balanced": lambda _: Balanced(),
    "multinomial": lambda _: Multinomial(),
    "complement": lambda _: Complement(),
    "bernoulli": lambda _: Bernoulli(),
    "bernoulli-complete": lambda _: CompleteBernoulli(),
    "categorical": Categorical,
    "gaussian": lambda _: Gaussian(),
    "tree": TreeAugmented,
    "logistic": lambda _: Logistic(),
}
_READING_WORDS = ("categorical", "tree")
NAMES = tuple(_METHODS)
DEFAULT = "balanced"


def reads_words(name: str) -> bool:
    """True if the method needs the text of words, not only their numbers."""
    return name in _READING_WORDS


def create(name: str, vocabulary: Vocabulary) -> Method:
    """Return a new method of that name, remembering nothing yet."""
    if name not in _METHODS:
        raise ValueError(f"no method {name!r}; there are {', '.join(NAMES)}")
    return _METHODS[name](vocabulary)
