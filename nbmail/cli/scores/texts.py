"""Text of a scored message and its reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from nbmail.text.percentages import sharp_percentage
from nbmail.text.terminal_text import printable

if TYPE_CHECKING:
    from nbmail.cli.scores.objects import Object

_COUNTS = {"spam": "spam", "ham": "ham"}
_PRIORS = {
    "labels": "starting point: {share:.1%} of the learned messages",
    "mail": "starting point: about {share:.1%} of the mail is spam",
    "even odds": "starting point: even odds",
}


def score_text(found: Object) -> str:
    """Return the lines about a message. `found`: its JSON object."""
    lines = [_first_line(found), *_reason_lines(found, _COUNTS)]
    if "why" in found and found["posterior"] is not None:
        score = f"{_sharp_text(found['score'])} (log-odds {found['score']:+.2f})"
        lines.append(f"{'':12}before calibration, {found['method']} says {score}")
    if "class_why" in found:
        wanted = found["class"]
        other = found["class_why"]["against"]
        lines.append(f"{'':12}{wanted} rather than {other}:")
        lines += _reason_lines(found["class_why"], {"in_class": wanted, "in_other": other})
    return "\n".join(lines)


def _sharp_text(log_odds: float) -> str:
    """Return a probability as the window shows it, never as 0 % or 100 %."""
    found = sharp_percentage(log_odds)
    text = f"{found.value:.{found.places}f} %"
    return f"{found.sign} {text}" if found.sign else text


def _first_line(found: Object) -> str:
    """Return verdict, probability, log-odds, likeliest class and path."""
    probability = "-"
    if found["probability"] is not None:
        probability = f"{found['probability']:.4f}"
    own = ""
    if "class" in found:
        name = found["class"]
        own = f"  {printable(name)} {found['classes'][name]:.4f}"
    path = printable(found["path"])
    return f"{found['verdict']:7}{probability:>7}{found['log_odds']:9.2f}{own}  {path}"


def _reason_lines(found: Object, counts: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each term. `counts`: shown name of each number of messages."""
    for one in found.get("why", ()):
        word = printable(one["word"])
        figures = printable(_figures(one, counts))
        yield f"{one['adds']:+23.2f}  {word}  {figures}".rstrip()
    if found.get("weaker_count"):
        yield f"{found['weaker']:+23.2f}  {found['weaker_count']} weaker words"
    if "prior" in found:
        prior = _PRIORS[found["prior_from"]].format(share=found["prior_share"])
        yield f"{found['prior']:+23.2f}  {prior}"
    if found.get("calibration"):
        yield f"{found['calibration']:+23.2f}  calibration"


def _figures(one: Object, counts: Mapping[str, str]) -> str:
    """Return the numbers of messages with a word, or the values of a measure."""
    if one["occurrences"]:
        numbers = ", ".join(f"{name} {one[key]}" for key, name in counts.items())
        return f"({numbers}, log-ratio {one['log_ratio']:+.2f})"
    if "value" in one:
        means = []
        for name in _COUNTS:
            means.append(f"{name} {one[f'{name}_mean']:.1f} ± {one[f'{name}_deviation']:.1f}")
        return f"({one['value']}; {', '.join(means)})"
    return ""
