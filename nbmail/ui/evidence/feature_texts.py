"""Shown texts of the features of a message and of their places. Every feature of `core` has a text
here.
"""

from nbmail.core.explaining.explanation import Contribution
from nbmail.ui.texts.language import format_count, locale, tr
from nbmail.ui.texts.number_texts import THIN, size_text
from nbmail.ui.texts.plain_text import visible

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
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHARES = frozenset({"capitals", "digits", "exclamations", "foreign"})
"""Measures in letters per thousand."""

LONGEST_FEATURE = 200
"""Maximum number of shown letters of a feature."""
ODD_PLACES = frozenset(
    (
        "link",
        "html",
        "text",
        "subject",
        "received",
        "origin",
        "file",
        "header",
        "mime-version",
        "id",
    )
)
"""Places with features that are not words of the message."""


def place_text(place: str) -> str:
    """Return the shown name of a place, "" for facts and measures, whose texts include it."""
    return place_names().get(place, place)


def feature_text(word: str) -> str:
    """Return a feature without its place prefix; a phrase for features that are not plain words."""
    place, _, rest = word.partition(":") if ":" in word else ("", "", word)
    bare = visible(rest, LONGEST_FEATURE)
    name, _, value = bare.partition("=")
    if place == "fact":
        return _fact_phrase(name, value)
    if place == "measure":
        return _measure_phrase(name, value)
    if place == "absent":
        return tr("absent words")
    odd = place in ODD_PLACES and (
        place != "subject" or bare.startswith("^ ") or bare.endswith(" $")
    )
    return (_odd_feature(bare, place) if odd else "") or bare or tr("(empty)")


def contribution_text(each: Contribution) -> str:
    """Return the text of a part of a score: a feature, a pair of them, or a measure with its
    value.
    """
    if each.pair:
        one, other = map(feature_text, each.pair)
        return tr("{one} with {other}").format(one=one, other=other)
    if each.written and not each.word.endswith("=me"):
        # How often the user wrote to the sender, and what the mail server reports about the sender.
        one = tr("you wrote to this address once")
        many = tr("you wrote to this address %n times")
        if each.word.endswith("=verified"):
            one = tr("you wrote to this address once, and your mail server confirmed the sender")
            many = tr(
                "you wrote to this address %n times, and your mail server confirmed the sender"
            )
        return one if each.written == 1 else many.replace("%n", format_count(each.written))
    if each.measure is None:
        return feature_text(each.word)
    name = each.word.removeprefix("measure:")
    value = each.measure.value
    none, one, many = measures().get(name, ("", "", f"{name} {{n}}"))
    text = {0: none, 1: one}.get(value, "") or many
    return (tr("size {n}") if name == "size" else text).format(n=_quantity(name, value))


def class_texts(each: Contribution) -> tuple[str, str]:
    """Return what is known of a part of a score in spam and in good mail: counts, or mean and
    standard deviation.
    """
    if each.measure is None:
        return format_count(each.spam), format_count(each.ham)
    name = each.word.removeprefix("measure:")
    parts = each.measure
    spam, spam_spread, ham, ham_spread = (_quantity(name, float(number)) for number in parts[1:])
    return f"{spam} ± {spam_spread}", f"{ham} ± {ham_spread}"


def _quantity(name: str, value: float) -> str:
    if name == "size":
        return size_text(round(value))
    if name in SHARES:
        return f"{locale().toString(value / 10, 'f', 1)}{THIN}%"
    return format_count(value) if isinstance(value, int) else locale().toString(value, "f", 1)


def _odd_feature(bare: str, place: str) -> str:
    """Return a phrase for a feature that is not a word of the message, "" for a word."""
    fixed = {
        ("link", "elsewhere"): tr("shows a different address than it opens"),
        ("link", "user@"): tr("address contains a user name"),
        ("link", "number"): tr("IP address instead of a server name"),
        ("html", "comment"): tr("hidden comments"),
        ("html", "hiding"): tr("hidden text"),
        ("text", "mixed-scripts"): tr("one word mixes several alphabets"),
        ("subject", "^ $"): tr("no words"),
    }
    sender, arrow, receiver = bare.partition(">")
    network = bare.replace(".", "").removesuffix("*").isdigit()
    patterns = (
        (place == "subject" and bare.startswith("^ "), tr("starts with “{value}”"), bare[2:]),
        (place == "subject" and bare.endswith(" $"), tr("ends with “{value}”"), bare[:-2]),
        (place in ("received", "origin") and network, tr("network {value}"), bare),
        (
            place == "received" and arrow and sender == "nobody",
            tr("from an unnamed server to {value}"),
            receiver,
        ),
        (place == "received" and arrow, tr("from {value}"), f"{sender} → {receiver}"),
        (place == "received" and bare in TRANSPORTS, tr("transferred by {value}"), bare.upper()),
        (
            place == "received" and ("." not in bare or "@" in bare),
            tr("server note “{value}”"),
            bare,
        ),
        (place == "origin" and bare.startswith("."), tr("server name ending in {value}"), bare),
        (place == "origin" and bare.startswith("by "), tr("received by {value}"), bare[3:]),
        (place == "file" and bare.startswith("."), tr("file name ending in {value}"), bare),
        (place == "header", tr("has {value}"), bare),
        (place == "mime-version", tr("version contains {value}"), bare),
        (place == "id" and not bare.startswith("@"), tr("format {value}"), bare),
    )
    found = (pattern.format(value=value) for fits, pattern, value in patterns if fits)
    return fixed.get((place, bare)) or next(found, "")


def place_names() -> dict[str, str]:
    return {
        "fact": "",
        "measure": "",
        "body": tr("text"),
        "phrase": tr("phrase"),
        "text": tr("text"),
        "start": tr("start of the text"),
        "hidden": tr("hidden text"),
        "html": tr("HTML layout"),
        "link": tr("link"),
        "path": tr("link address"),
        "file": tr("attachment"),
        "attached": tr("text in an attachment"),
        "subject": tr("subject"),
        "from": tr("sender"),
        "to": tr("recipients"),
        "reply": tr("reply address"),
        "return": tr("bounce address"),
        "sender": tr("sending address"),
        "mailer": tr("mail program"),
        "list-id": tr("mailing list"),
        "id": tr("message ID"),
        "signed": tr("signed by"),
        "received": tr("route"),
        "origin": tr("origin"),
        "header": tr("header"),
        "organization": tr("organization"),
        "x-priority": tr("priority"),
        "x-msmail-priority": tr("priority"),
        "importance": tr("priority"),
        "precedence": tr("delivery class"),
        "auto-submitted": tr("automatic mail"),
        "mime-version": tr("MIME version"),
        "content-transfer-encoding": tr("encoding"),
        "content-language": tr("language"),
        "pair": tr("word pair"),
        "absent": "",
    }


# ----------------------------------------------------------------------------------------------------------
# facts


def _fact_phrase(name: str, value: str) -> str:
    fixed = fixed_facts()
    open_ended = open_facts()
    if (name, value) in fixed:
        return fixed[name, value]
    if name == "weekday" and value in WEEKDAYS:
        return tr("sent on a {day}").format(day=locale().dayName(WEEKDAYS.index(value) + 1))
    if name in open_ended:
        kinds = {"text/plain": tr("plain text"), "text/html": tr("HTML")}
        values = value.split("+") if name == "parts" else [value]
        return open_ended[name].format(value=", ".join(kinds.get(each, each) for each in values))
    if name in checks():
        patterns = {
            "pass": tr("passed the {check}"),
            "fail": tr("failed the {check}"),
            "none": tr("no {check}"),
        }
        return patterns.get(value, tr("{check}: {value}")).format(check=checks()[name], value=value)
    return f"{name}: {value}"


def fixed_facts() -> dict[tuple[str, str], str]:
    return {
        ("date", "none"): tr("no date"),
        ("date", "broken"): tr("unreadable date"),
        ("weekday", "none"): tr("date without a weekday"),
        ("zone", "none"): tr("date without a time zone"),
        ("hour", "0"): tr("sent between midnight and 4 am"),
        ("hour", "4"): tr("sent between 4 and 8 am"),
        ("hour", "8"): tr("sent between 8 am and noon"),
        ("hour", "12"): tr("sent between noon and 4 pm"),
        ("hour", "16"): tr("sent between 4 and 8 pm"),
        ("hour", "20"): tr("sent between 8 pm and midnight"),
        ("from", "none"): tr("no sender address"),
        ("from", "several"): tr("several sender addresses"),
        ("message-id", "same"): tr("message ID from the sender's server"),
        ("message-id", "other"): tr("message ID from another server"),
        ("reply-to", "same"): tr("replies go to the sender"),
        ("reply-to", "other"): tr("replies go to another address"),
        ("return-path", "same"): tr("bounces go to the sender"),
        ("return-path", "other"): tr("bounces go to another address"),
        ("sender", "same"): tr("sent from the sender's own domain"),
        ("sender", "other"): tr("sent on behalf of the sender"),
        ("reply", "yes"): tr("reply"),
        ("type", "text/plain"): tr("plain text only"),
        ("type", "text/html"): tr("HTML only"),
        ("type", "multipart/alternative"): tr("plain text and HTML"),
        ("type", "multipart/mixed"): tr("several parts"),
        ("type", "multipart/related"): tr("HTML with embedded pictures"),
        ("type", "none"): tr("no content type"),
        ("type", ""): tr("no content type"),
        ("parts", ""): tr("no text"),
        ("known", "verified"): tr(
            "you wrote to this address, and your mail server confirmed the sender"
        ),
        ("known", "written"): tr("you wrote to this address"),
        ("known", "me"): tr("claims to be from you"),
        ("known", "other"): tr("sender not known from your sent mail"),
        ("thread", "mine"): tr("answers your message"),
        ("thread", "ham"): tr("answers a message marked as not spam"),
        ("thread", "unknown"): tr("answers another message"),
        ("thread", "none"): tr("answers no message"),
    }


def open_facts() -> dict[str, str]:
    """Return the phrases of facts whose values are shown unchanged."""
    return {
        "charset": tr("character set {value}"),
        "type": tr("content type {value}"),
        "parts": tr("text parts: {value}"),
        "zone": tr("time zone {value}"),
    }


def checks() -> dict[str, str]:
    return {
        "spf": tr("sender check (SPF)"),
        "dkim": tr("signature check (DKIM)"),
        "dmarc": tr("sender check (DMARC)"),
        "arc": tr("signature check (ARC)"),
    }


# -------------------------------------------------------------------------------------------------------
# measures


def _measure_phrase(name: str, bits: str) -> str:
    """Return the phrase of a measure. Its value is a number of bits: "links=3" means 4 to 7
    links.
    """
    if name not in measures():
        return f"{name}={bits}"
    none, one, many = measures()[name]
    if not bits.isdecimal():
        return many.format(n="…")
    if not int(bits):
        return none
    low = 2 ** (int(bits) - 1)
    high = 2 ** int(bits) - 1
    if name == "size":
        return many.format(n=size_text(high + 1))
    if name in SHARES:
        digits = 1 if low < 32 else 0
        first, last = (
            locale().toString(each / 10, "f", digits) for each in (low, min(1000, high + 1))
        )
        return many.format(n=tr("{low} to {high} %").format(low=first, high=last))
    between = tr("{low} to {high}").format(low=format_count(low), high=format_count(high))
    return one if high == 1 else many.format(n=between)


def measures() -> dict[str, tuple[str, str, str]]:
    return {
        "size": (tr("empty"), "", tr("size up to {n}")),
        "words": (tr("no words"), tr("1 word"), tr("{n} words")),
        "links": (tr("no links"), tr("1 link"), tr("{n} links")),
        "link-hosts": (tr("no linked servers"), tr("1 linked server"), tr("{n} linked servers")),
        "images": (tr("no pictures"), tr("1 picture"), tr("{n} pictures")),
        "tags": (tr("no HTML tags"), tr("1 HTML tag"), tr("{n} HTML tags")),
        "files": (tr("no attachments"), tr("1 attachment"), tr("{n} attachments")),
        "headers": (tr("no header lines"), tr("1 header line"), tr("{n} header lines")),
        "hops": (tr("no relay servers"), tr("1 relay server"), tr("{n} relay servers")),
        "recipients": (tr("no recipients"), tr("1 recipient"), tr("{n} recipients")),
        "subject-length": (
            tr("no subject"),
            tr("1-character subject"),
            tr("subject of {n} characters"),
        ),
        "quoted-lines": (tr("no quoted lines"), tr("1 quoted line"), tr("{n} quoted lines")),
        "capitals": (tr("no capital letters"), "", tr("{n} capital letters")),
        "digits": (tr("no digits"), "", tr("{n} digits")),
        "exclamations": (tr("no exclamation marks"), "", tr("{n} exclamation marks")),
        "foreign": (tr("no non-English letters"), "", tr("{n} non-English letters")),
    }
