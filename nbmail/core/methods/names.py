"""The names of all methods, apart from the methods themselves: a command line shows them before numpy is loaded."""

NAMES = (
    "balanced", "multinomial", "complement", "bernoulli", "bernoulli-complete", "categorical", "gaussian", "tree",
    "logistic",
)  # fmt: skip
DEFAULT = "balanced"
