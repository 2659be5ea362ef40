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
    how = tr("Trained on {learned} older messages, compared on {compared} newer ones.")
    best = tr("Best: {name}. On the newest {tested}, its accuracy is {accuracy}.")
    if comparison.seed is not None:
        how = tr(
            "Trained on {learned} messages, compared on {compared} others, drawn at random "
            "(seed {seed})."
        )
        best = tr("Best: {name}. On {tested} further messages, its accuracy is {accuracy}.")
    rates = comparison.best.rates
    sizes = map(format_count, (comparison.learned, comparison.compared))
    spam = (
        tr("It caught {caught} of the spam with {lost} false alarms.") if rates.recall.count else ""
    )
    flattered = ""
    count = len(comparison.candidates)
    if count > 1 and comparison.compared < FEW_COMPARED:
        flattered = tr(
            "The best of {count} on only {compared} messages looks about {points} points "
            "better there than it is."
        )
        points = locale().toString(100 * comparison.flattered, "f", 1)
        flattered = flattered.format(
            count=count, compared=format_count(comparison.compared), points=points
        )
    return join_sentences(
        how.format(**dict(zip(("learned", "compared"), sizes, strict=True)), seed=comparison.seed),
        best.format(
            name=name,
            tested=format_count(rates.accuracy.count),
            accuracy=share_text(rates.accuracy),
        ),
        spam.format(caught=share_text(rates.recall), lost=share_text(rates.false_positives)),
        flattered,
    )


def method_text(method: str) -> str:
    """Return the name of a method with the parameters that differ from the defaults."""
    spec = MethodSpec.parse(method)
    parts = list[str]()
    name = dict(method_names())[spec.name]
    if spec.changed():
        name = name.partition(":")[0]
    if "smoothing" in spec.changed():
        parts.append(f"α = {number_text(spec.smoothing)}")
    if "beta" in spec.changed() or spec.estimate == "mean":
        estimate = tr("mean") if spec.estimate == "mean" else tr("mode")
        parts.append(f"Beta({number_text(spec.beta[0])}; {number_text(spec.beta[1])}), {estimate}")
    if spec.virtual is not None:
        parts.append(f"m = {number_text(spec.virtual)}")
    return ", ".join([name, *parts])


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
