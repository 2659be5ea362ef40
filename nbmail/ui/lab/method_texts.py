"""Names of methods and their parameters."""

from nbmail.method_spec import MethodSpec
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import number_text


def method_text(method: str) -> str:
    """Return the name of a method with the parameters that differ from the defaults."""
    spec = MethodSpec.parse(method)
    name = dict(method_names())[spec.name]
    if spec.changed():
        name = name.partition(":")[0]
    parts = [name]
    if "smoothing" in spec.changed():
        parts.append(f"α = {number_text(spec.smoothing)}")
    if "beta" in spec.changed() or spec.estimate == "mean":
        a, b = spec.beta
        parts.append(f"Beta({number_text(a)}; {number_text(b)})")
        parts.append(tr("mean") if spec.estimate == "mean" else tr("mode"))
    if spec.virtual is not None:
        parts.append(f"m = {number_text(spec.virtual)}")
    return ", ".join(parts)


def method_names() -> tuple[tuple[str, str], ...]:
    """Return all methods with their names, the recommended one first."""
    return (
        ("balanced", tr("Balanced evidence (recommended)")),
        ("multinomial", tr("Multinomial: word frequency")),
        ("complement", tr("Complement: word frequency in the other class")),
        ("bernoulli", tr("Bernoulli (present words)")),
        ("bernoulli-complete", tr("Bernoulli (all words)")),
        ("categorical", tr("Categorical: facts only")),
        ("gaussian", tr("Gaussian: sizes and shares only")),
        ("tree", tr("Tree-augmented: pairs of related words")),
        ("logistic", tr("Logistic regression")),
    )
