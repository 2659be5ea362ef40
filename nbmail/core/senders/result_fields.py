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
_RECEIVER = re.compile(r"\breceiver\s*=\s*([\w.-]{1,253})")
_IN_COMMENT = re.compile(r"\(([\w.-]{1,253}):")
_METHODS = ("spf", "dkim", "dmarc", "arc")
_PROPERTIES = {
    "dkim": ("header.d", "header.i"),
    "dmarc": ("header.from",),
    "spf": ("smtp.mailfrom", "smtp.helo"),
}

Headers = Sequence[tuple[str, str]]


class MethodResult(NamedTuple):
    """Result of one check: `method` (spf, dkim, dmarc, arc), `result` (pass, fail, none, …)."""

    method: str
    result: str
    domain: str = ""


def server_id(value: str) -> str:
    """Return the authserv-id of an Authentication-Results field, in lower case.

    Empty if the field has none.
    """
    tokens = _tokens(value)
    if not tokens or tokens[0] in (";", "=", "/"):
        return ""
    is_result = len(tokens) > 1 and tokens[1] == "="
    return "" if is_result else tokens[0].lower()


def receiver_of(value: str) -> str:
    """Return the server that a Received-SPF field names; empty if it names none."""
    value = value[:VALUE_CAP]
    found = _RECEIVER.search(value) or _IN_COMMENT.search(value)
    return found[1].lower() if found else ""


def results_in(value: str) -> list[MethodResult]:
    """Return the results of an Authentication-Results field."""
    results: list[MethodResult] = []
    for is_separator, group in groupby(_tokens(value)[1:], ";".__eq__):
        if is_separator:
            continue
        found = _result_of(list(group))
        if found is not None:
            results.append(found)
    return results


def _result_of(tokens: list[str]) -> MethodResult | None:
    """Return the result that a part between two semicolons states, None if it states none."""
    if len(tokens) < 3:
        return None
    method = tokens[0].lower()
    # A version may stand behind the method: "dkim/1 = pass".
    starts = {"=": 2, "/": 4}
    start = starts.get(tokens[1])
    if method not in _METHODS or start is None or len(tokens) <= start:
        return None
    result = tokens[start].lower()
    if not _RESULT.fullmatch(result):
        return None
    return MethodResult(method, result, _domain(method, tokens[start + 1 :]))


def _domain(method: str, tokens: list[str]) -> str:
    """Return the domain that the result is about, from a property such as `header.d`."""
    properties: dict[str, str] = {}
    for name, sign, value in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if sign == "=":
            properties[name.lower()] = value.lower()
    for name in _PROPERTIES.get(method, ()):
        if name in properties:
            return properties[name].rpartition("@")[2].strip("<>. ")
    return ""


def _tokens(value: str) -> list[str]:
    """Split a field into words and signs, without comments and with quoted strings as one word."""
    tokens: list[str] = []
    for found in _TOKEN.finditer(_without_comments(value[:VALUE_CAP])):
        quoted = found[1]
        tokens.append(found[0] if quoted is None else quoted.replace("\\", ""))
    return tokens


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
