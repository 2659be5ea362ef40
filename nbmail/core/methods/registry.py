"""All methods by name, with their parameters."""

from collections.abc import Callable
from functools import lru_cache

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.logistic import Logistic
from nbmail.core.methods.method import Method
from nbmail.core.methods.naive_bayes import Bernoulli, Categorical, Complement, CompleteBernoulli, Gaussian, Multinomial
from nbmail.core.methods.tree_augmented import TreeAugmented
from nbmail.method_spec import MethodSpec

# Methods that read the words themselves get the vocabulary.
_METHODS: dict[str, Callable[[MethodSpec, Vocabulary], Method]] = {
    "balanced": lambda _, __: Balanced(),
    "multinomial": lambda spec, _: Multinomial(spec.smoothing),
    "complement": lambda spec, _: Complement(spec.smoothing),
    "bernoulli": lambda spec, _: Bernoulli(*spec.beta, spec.estimate),
    "bernoulli-complete": lambda spec, _: CompleteBernoulli(*spec.beta, spec.estimate),
    "categorical": lambda spec, vocabulary: Categorical(vocabulary, spec.virtual),
    "gaussian": lambda _, __: Gaussian(),
    "tree": lambda _, vocabulary: TreeAugmented(vocabulary),
    "logistic": lambda _, __: Logistic(),
}
_spec_of = lru_cache(MethodSpec.parse)
_READING_WORDS = ("categorical", "tree")
NAMES = tuple(_METHODS)
DEFAULT = "balanced"


def reads_words(method: str) -> bool:
    """True if the method needs the text of words, not only their numbers."""
    return _spec_of(method).name in _READING_WORDS


def create(method: str, vocabulary: Vocabulary) -> Method:
    """Return a new method without state. `method`: text of a `MethodSpec`."""
    spec = _spec_of(method)
    return _METHODS[spec.name](spec, vocabulary)
