"""Phrases for features that are not words of the message."""

from nbmail.ui.texts.language import once_per_language, tr

TRANSPORTS = frozenset(
    (
        "smtp",
        "esmtp",
        "esmtps",
        "esmtpa",
        "esmtpsa",
        "lmtp",
        "lmtps",
        "http",
        "https",
        "imap",
        "pop3",
    )
)
"""Protocols between servers."""


def odd_feature_text(bare: str, place: str) -> str:
    """Return a phrase for a feature that is not a word of the message, "" for a word."""
    if (place, bare) in fixed_features():
        return fixed_features()[place, bare]
    texts = {
        "subject": _subject_text,
        "received": _route_text,
        "origin": _origin_text,
        "file": _file_text,
        "id": _id_text,
        "header": _header_text,
        "mime-version": _version_text,
    }
    return texts[place](bare) if place in texts else ""


@once_per_language
def fixed_features() -> dict[tuple[str, str], str]:
    return {
        ("link", "elsewhere"): tr("shows a different address than it opens"),
        ("link", "user@"): tr("address contains a user name"),
        ("link", "number"): tr("IP address instead of a server name"),
        ("html", "comment"): tr("hidden comments"),
        ("html", "hiding"): tr("hidden text"),
        ("text", "mixed-scripts"): tr("one word mixes several alphabets"),
        ("subject", "^ $"): tr("no words"),
    }


def _subject_text(bare: str) -> str:
    if bare.startswith("^ "):
        return tr("starts with “{value}”").format(value=bare[2:])
    if bare.endswith(" $"):
        return tr("ends with “{value}”").format(value=bare[:-2])
    return ""


def _route_text(bare: str) -> str:
    """Return the phrase of a step of the delivery route."""
    sender, arrow, receiver = bare.partition(">")
    if _is_network(bare):
        return tr("network {value}").format(value=bare)
    if arrow and sender == "nobody":
        return tr("from an unnamed server to {value}").format(value=receiver)
    if arrow:
        return tr("from {value}").format(value=f"{sender} → {receiver}")
    if bare in TRANSPORTS:
        return tr("transferred by {value}").format(value=bare.upper())
    if "." not in bare or "@" in bare:
        return tr("server note “{value}”").format(value=bare)
    return ""


def _origin_text(bare: str) -> str:
    """Return the phrase of the server that a message comes from."""
    if _is_network(bare):
        return tr("network {value}").format(value=bare)
    if bare.startswith("."):
        return tr("server name ending in {value}").format(value=bare)
    if bare.startswith("by "):
        return tr("received by {value}").format(value=bare[3:])
    return ""


def _file_text(bare: str) -> str:
    if bare.startswith("."):
        return tr("file name ending in {value}").format(value=bare)
    return ""


def _id_text(bare: str) -> str:
    """Return the phrase of the format of a message ID, "" for its server."""
    if bare.startswith("@"):
        return ""
    return tr("format {value}").format(value=bare)


def _header_text(bare: str) -> str:
    return tr("has {value}").format(value=bare)


def _version_text(bare: str) -> str:
    return tr("version contains {value}").format(value=bare)


def _is_network(bare: str) -> bool:
    return bare.replace(".", "").removesuffix("*").isdigit()
