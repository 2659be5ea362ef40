"""The methods of the laboratory by name."""

from collections.abc import Callable

from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.methods.method import Method, MethodFactory
from nbmail.lab.methods.bernoulli import Bernoulli
from nbmail.lab.methods.bernoulli_complete import CompleteBernoulli
from nbmail.lab.methods.categorical import Categorical
from nbmail.lab.methods.complement import Complement
from nbmail.lab.methods.gaussian import Gaussian
from nbmail.lab.methods.logistic import Logistic
from nbmail.lab.methods.multinomial import Multinomial
from nbmail.lab.methods.tree import TreeAugmented
from nbmail.method_spec import MethodSpec

_CREATE: dict[str, Callable[[MethodSpec, Vocabulary], Method]] = {
    "multinomial": lambda spec, _: Multinomial(spec.smoothing),
    "complement": lambda spec, _: Complement(spec.smoothing),
    "bernoulli": lambda spec, _: Bernoulli(*spec.beta, spec.estimate),
    "bernoulli-complete": lambda spec, _: CompleteBernoulli(*spec.beta, spec.estimate),
    "categorical": lambda spec, vocabulary: Categorical(vocabulary, spec.virtual),
    "gaussian": lambda spec, _: Gaussian(),
    "tree": lambda spec, _: TreeAugmented(),
    "logistic": lambda spec, _: Logistic(),
}


def method_of_laboratory(text: str) -> MethodFactory:
    """Return a method by the text of its `MethodSpec`. Raises `ValueError` for an unknown one."""
    spec = MethodSpec.parse(text)
    create = _CREATE[spec.name]
    return MethodFactory(text, lambda vocabulary: create(spec, vocabulary))
