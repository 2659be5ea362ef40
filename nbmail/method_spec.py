"""A method of learning with its parameters, and its text form: "multinomial smoothing=0.01".

Settings, snapshots and model files contain the text. Parameters that it doesn't name have their
defaults. Not in `core.methods` or `lab.methods`, which need numpy.
"""

import math
from dataclasses import dataclass, fields

PARAMETERS: dict[str, tuple[str, ...]] = {
    "balanced": (),
    "multinomial": ("smoothing",),
    "complement": ("smoothing",),
    "bernoulli": ("beta", "estimate"),
    "bernoulli-complete": ("beta", "estimate"),
    "categorical": ("virtual",),
    "gaussian": (),
    "tree": (),
    "logistic": (),
}
METHODS = tuple(PARAMETERS)
DEFAULT = METHODS[0]
ESTIMATES = ("mode", "mean")
_LARGEST = 1e6
_TRIED = {
    "smoothing": [f"smoothing={each}" for each in ("0", "0.001", "0.01", "0.1", "0.5", "2")],
    "beta": [
        *(f"beta={each},{each}" for each in ("1", "1.01", "1.1", "1.5", "3")),
        *(f"beta={each},{each} estimate=mean" for each in ("0.01", "0.1", "0.5")),
    ],
    "virtual": [f"virtual={each}" for each in ("0", "0.1", "1", "3", "10", "30")],
}


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """A method and its parameters. Raises `ValueError` for an impossible one.

    - `smoothing`: pseudo-count of each word in each class; 0 is maximum likelihood.
    - `beta`: parameters of the Beta prior of each word.
    - `estimate`: "mode" or "mean" of the posterior.
    - `virtual`: number of virtual examples of each fact; None for the number of its values.
    """

    name: str = DEFAULT
    smoothing: float = 1.0
    beta: tuple[float, float] = (2.0, 2.0)
    estimate: str = "mode"
    virtual: float | None = None

    def __post_init__(self) -> None:
        if self.name not in METHODS:
            raise ValueError(f"no method {self.name!r}; there are {', '.join(METHODS)}")
        for name in self.changed():
            if name not in PARAMETERS[self.name]:
                raise ValueError(f"the method {self.name} has no parameter {name}")
        if self.estimate not in ESTIMATES:
            raise ValueError(f"estimate: {' or '.join(ESTIMATES)}")
        if not all(0 <= number <= _LARGEST for number in (self.smoothing, self.virtual or 0.0)):
            raise ValueError("smoothing and virtual: 0 or more")
        least = 1.0 if self.estimate == "mode" else math.ulp(0.0)
        if not all(least <= number <= _LARGEST for number in self.beta):
            raise ValueError("beta: two numbers, 1 or more for the mode, above 0 for the mean")

    def changed(self) -> dict[str, object]:
        parameters = [each for each in fields(self) if each.name != "name"]
        values = {each.name: getattr(self, each.name) for each in parameters}
        return {
            each.name: values[each.name] for each in parameters if values[each.name] != each.default
        }

    def __str__(self) -> str:
        listed = {
            name: each if isinstance(each, tuple) else (each,)
            for name, each in self.changed().items()
        }
        texts = {
            name: [str(part).removesuffix(".0") for part in parts] for name, parts in listed.items()
        }
        return " ".join(
            [self.name, *(f"{name}={','.join(parts)}" for name, parts in texts.items())]
        )

    @classmethod
    def parse(cls, text: str) -> "MethodSpec":
        name, *given = text.split(" ")
        values = dict(one.split("=", 1) for one in given if "=" in one)
        if len(values) != len(given) or not values.keys() <= {*PARAMETERS.get(name, ())}:
            raise ValueError(f"{text!r} is no method with parameters")
        first, _, second = values.get("beta", "2,2").partition(",")
        virtual = float(values["virtual"]) if "virtual" in values else None
        smoothing = float(values.get("smoothing", 1))
        beta = (float(first), float(second))
        return cls(name, smoothing, beta, values.get("estimate", ESTIMATES[0]), virtual)


def is_method(text: str) -> bool:
    """True if a text names a method, with valid parameters."""
    try:
        return bool(MethodSpec.parse(text))
    except ValueError:
        return False


def parameter_choices(name: str) -> tuple[str, ...]:
    """Return the method with each value of its parameters that a comparison tries, the default
    first.
    """
    return (
        name,
        *(f"{name} {values}" for first in PARAMETERS[name][:1] for values in _TRIED[first]),
    )
