"""Options for how messages are scored: method with parameters, trusted servers and costs."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from nbmail.cli.options import add_trust, number
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import ESTIMATES, METHODS, MethodSpec

Costs4 = tuple[float, float, float, float]
_PARAMETERS = ("smoothing", "beta", "estimate", "virtual")


def add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add all options of this module."""
    _add_method(parser)
    add_trust(parser)
    _add_costs(parser)


def _add_method(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        choices=METHODS,
        help=f"method of learning (default: the saved one, or {METHODS[0]})",
    )
    parser.add_argument(
        "--smoothing",
        type=float,
        metavar="A",
        help=(
            "multinomial, complement: pseudo-count of each word; 0 is maximum likelihood, 1 "
            "(default) is Laplace"
        ),
    )
    parser.add_argument(
        "--beta",
        type=float,
        nargs=2,
        metavar=("A", "B"),
        help="bernoulli: Beta prior of each word (default: 2 2)",
    )
    parser.add_argument(
        "--estimate", choices=ESTIMATES, help="bernoulli: of the posterior (default: mode)"
    )
    parser.add_argument(
        "--virtual",
        type=float,
        metavar="M",
        help="categorical: virtual examples (default: the number of values)",
    )


def _add_costs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cost",
        type=number(float, "must be 1 or more", 1),
        metavar="N",
        help=(
            "cost of a false alarm, in messages checked by hand; the spam threshold is "
            "(N-1)/(N+1), at least 50 %% (default: the saved setting, 100)"
        ),
    )
    parser.add_argument(
        "--costs",
        type=number(float, "must be 0 or more", 0),
        nargs=4,
        metavar=("LOST", "MISSED", "HAM", "SPAM"),
        help=(
            "the whole table of costs: ham called spam, spam called ham, unsure ham, unsure spam "
            "(default: the saved ones, 100 9 1 2; nbmail learn saves them)"
        ),
    )


def chosen_costs(arguments: argparse.Namespace, saved: Costs4) -> Costs4:
    """Return the costs of the options in the order of `Costs`.

    `saved`: those of the data folder.
    """
    table = getattr(arguments, "costs", None)
    if table is None:
        cost = getattr(arguments, "cost", None)
        return (cost or saved[0], *saved[1:])

    lost, missed, ham, spam = table
    if lost < 1 or spam < ham:
        raise KnownError(
            ErrorCode.BAD_INPUT, "--costs: LOST must be 1 or more, and SPAM not below HAM"
        )
    return lost, missed, ham, spam - ham


def chosen_method(arguments: argparse.Namespace, saved: str = METHODS[0]) -> str:
    """Return the method of the options.

    Without --method, parameters change those of the `saved` method.
    """
    given = _given_parameters(arguments)
    try:
        return str(replace(MethodSpec.parse(arguments.method or saved), **given))
    except ValueError as error:
        arguments.usage_error(str(error))
        raise


def has_method(arguments: argparse.Namespace) -> bool:
    """True if the options name a method or a parameter."""
    return arguments.method is not None or bool(_given_parameters(arguments))


def _given_parameters(arguments: argparse.Namespace) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name in _PARAMETERS:
        value = getattr(arguments, name)
        if isinstance(value, list):
            value = tuple(value)
        if value is not None:
            given[name] = value
    return given
