"""A method of learning with its parameters, in the form "multinomial smoothing=0.01".

Settings, snapshots and model files contain this text. Parameters that it doesn't name have their
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

_TRIED_SMOOTHING = ("0", "0.001", "0.01", "0.1", "0.5", "2")
_TRIED_MODES = ("1", "1.01", "1.1", "1.5", "3")
_TRIED_MEANS = ("0.01", "0.1", "0.5")
_TRIED_VIRTUAL = ("0", "0.1", "1", "3", "10", "30")
# Texts of the values that a comparison tries, by the first parameter of a method.
_TRIED = {
    "smoothing": [f"smoothing={each}" for each in _TRIED_SMOOTHING],
    "beta": [
        *(f"beta={each},{each}" for each in _TRIED_MODES),
        *(f"beta={each},{each} estimate=mean" for each in _TRIED_MEANS),
    ],
    "virtual": [f"virtual={each}" for each in _TRIED_VIRTUAL],
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
        if not _is_between(0.0, self.smoothing) or not _is_between(0.0, self.virtual or 0.0):
            raise ValueError("smoothing and virtual: 0 or more")
        least = 1.0 if self.estimate == "mode" else math.ulp(0.0)
        if not all(_is_between(least, number) for number in self.beta):
            raise ValueError("beta: two numbers, 1 or more for the mode, above 0 for the mean")

    def changed(self) -> dict[str, object]:
        """Return the parameters that differ from their defaults."""
        found: dict[str, object] = {}
        for parameter in fields(self):
            value: object = getattr(self, parameter.name)
            if parameter.name != "name" and value != parameter.default:
                found[parameter.name] = value
        return found

    def __str__(self) -> str:
        parts = [self.name]
        for name, value in self.changed().items():
            numbers = value if isinstance(value, tuple) else (value,)
            text = ",".join(str(number).removesuffix(".0") for number in numbers)
            parts.append(f"{name}={text}")
        return " ".join(parts)

    @classmethod
    def parse(cls, text: str) -> "MethodSpec":
        name, *given = text.split(" ")
        values = dict(part.split("=", 1) for part in given if "=" in part)
        is_complete = len(values) == len(given)
        if not is_complete or not values.keys() <= set(PARAMETERS.get(name, ())):
            raise ValueError(f"{text!r} is no method with parameters")
        a, _, b = values.get("beta", "2,2").partition(",")
        return cls(
            name=name,
            smoothing=float(values.get("smoothing", 1)),
            beta=(float(a), float(b)),
            estimate=values.get("estimate", ESTIMATES[0]),
            virtual=float(values["virtual"]) if "virtual" in values else None,
        )


def _is_between(least: float, number: float) -> bool:
    """False for NaN, too."""
    return least <= number <= _LARGEST


def is_method(text: str) -> bool:
    """True if a text names a method, with valid parameters."""
    try:
        return bool(MethodSpec.parse(text))
    except ValueError:
        return False


def parameter_choices(name: str) -> tuple[str, ...]:
    """Return the method with each value that a comparison tries, the default first."""
    choices = [name]
    for parameter in PARAMETERS[name][:1]:
        choices += [f"{name} {values}" for values in _TRIED[parameter]]
    return tuple(choices)
