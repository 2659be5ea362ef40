"""Fields with results of sender checks (RFC 8601): Authentication-Results and Received-SPF."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

VALUE_CAP = 4000
# Words, quoted strings, and single signs. Comments are taken out before.
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s;=/"]+)|([;=/])')
_SIGN = re.compile(r'\\.?|["()]|[^\\"()]+', re.DOTALL)
_RESULT = re.compile(r"[a-z]{1,20}")
_METHODS = ("spf", "dkim", "dmarc", "arc")
_PROPERTIES = {
    "dkim": ("header.d", "header.i"),
    "dmarc": ("header.from",),
    "spf": ("smtp.mailfrom", "smtp.helo"),
}

Headers = Sequence[tuple[str, str]]


class MethodResult(NamedTuple):
    """Result of one check: `method` (spf, dkim, dmarc, arc), `result` (pass, fail, none, …) and its
    domain.
    """

    method: str
    result: str
    domain: str = ""


def server_id(value: str) -> str:
    """Return the authserv-id of an Authentication-Results field, in lower case; empty if the field
    has none.
    """
    tokens = _tokens(value)
    if len(tokens) > 1 and tokens[1] == "=":
        return ""
    return tokens[0].lower() if tokens and tokens[0] not in (";", "=", "/") else ""


def receiver_of(value: str) -> str:
    value = value[:VALUE_CAP]
    found = re.search(r"\breceiver\s*=\s*([\w.-]{1,253})", value) or re.search(
        r"\(([\w.-]{1,253}):", value
    )
    return found[1].lower() if found else ""


def results_in(value: str) -> list[MethodResult]:
    results: list[MethodResult] = []
    for is_sign, group in groupby(_tokens(value)[1:], ";".__eq__):
        part = list(group)
        if is_sign or len(part) < 3 or part[1] not in ("=", "/"):
            continue
        method = part[0].lower()
        # A version may stand behind the method: "dkim/1 = pass".
        rest = part[2:] if part[1] == "=" else part[4:]
        if method in _METHODS and rest and _RESULT.fullmatch(rest[0].lower()):
            results.append(MethodResult(method, rest[0].lower(), _domain(method, rest[1:])))
    return results


def _domain(method: str, tokens: list[str]) -> str:
    """Return the domain that the result is about, from `header.d`, `header.i`, `header.from` or
    `smtp.mailfrom`.
    """
    properties = {
        tokens[place].lower(): tokens[place + 2].lower()
        for place in range(len(tokens) - 2)
        if tokens[place + 1] == "="
    }
    found = next(
        (properties[name] for name in _PROPERTIES.get(method, ()) if name in properties), ""
    )
    return found.rpartition("@")[2].strip("<>. ")


def _tokens(value: str) -> list[str]:
    """Split a field into words and signs, without comments and with quoted strings as one word."""
    return [
        found[1].replace("\\", "") if found[1] is not None else found[0]
        for found in _TOKEN.finditer(_without_comments(value[:VALUE_CAP]))
    ]


def _without_comments(value: str) -> str:
    """Take out comments, which may be nested and may contain quoted signs."""
    kept: list[str] = []
    depth = 0
    quoted = False
    for sign in _SIGN.findall(value):
        if sign == '"' and not depth:
            quoted = not quoted
        elif sign == "(" and not quoted:
            depth += 1
        if not depth:
            kept.append(sign)
        elif sign == ")":
            depth -= 1
            kept.append(" ")
    return "".join(kept)
