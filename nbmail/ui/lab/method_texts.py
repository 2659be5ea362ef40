"""Names of methods, and texts about their comparison."""

from nbmail.core.evaluation.tested_models import MethodChoice
from nbmail.method_spec import MethodSpec
from nbmail.ui.model.accuracy_texts import share_text
from nbmail.ui.texts.language import format_count, locale, tr
from nbmail.ui.texts.number_texts import number_text
from nbmail.ui.texts.plain_text import join_sentences

FEW_COMPARED = 500
"""Compared messages below which the accuracy of the best method is flattered noticeably."""


def comparison_text(comparison: MethodChoice, name: str) -> str:
    """Return how the methods were compared, and the test result of the best one, called `name`."""
    rates = comparison.best.rates
    spam = ""
    if rates.recall.count:
        spam = tr("It caught {caught} of the spam with {lost} false alarms.").format(
            caught=share_text(rates.recall), lost=share_text(rates.false_positives)
        )
    return join_sentences(
        _split_text(comparison), _best_text(comparison, name), spam, _flattered_text(comparison)
    )


def _split_text(comparison: MethodChoice) -> str:
    text = tr("Trained on {learned} older messages, compared on {compared} newer ones.")
    if comparison.seed is not None:
        text = tr(
            "Trained on {learned} messages, compared on {compared} others, drawn at random "
            "(seed {seed})."
        )
    return text.format(
        learned=format_count(comparison.learned),
        compared=format_count(comparison.compared),
        seed=comparison.seed,
    )


def _best_text(comparison: MethodChoice, name: str) -> str:
    text = tr("Best: {name}. On the newest {tested}, its accuracy is {accuracy}.")
    if comparison.seed is not None:
        text = tr("Best: {name}. On {tested} further messages, its accuracy is {accuracy}.")
    accuracy = comparison.best.rates.accuracy
    return text.format(
        name=name, tested=format_count(accuracy.count), accuracy=share_text(accuracy)
    )


def _flattered_text(comparison: MethodChoice) -> str:
    """Return how much the choice among several methods flatters the best one, "" if little."""
    count = len(comparison.candidates)
    if count < 2 or comparison.compared >= FEW_COMPARED:
        return ""
    text = tr(
        "The best of {count} on only {compared} messages looks about {points} points better "
        "there than it is."
    )
    points = locale().toString(100 * comparison.flattered, "f", 1)
    return text.format(count=count, compared=format_count(comparison.compared), points=points)


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
