"""Phrases for facts about a message."""

from nbmail.ui.texts.language import locale, once_per_language, tr

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def fact_text(name: str, value: str) -> str:
    """Return the phrase of a fact, as in “replies go to the sender”."""
    if (name, value) in fixed_facts():
        return fixed_facts()[name, value]
    if name == "weekday" and value in WEEKDAYS:
        day = locale().dayName(WEEKDAYS.index(value) + 1)
        return tr("sent on a {day}").format(day=day)
    if name in open_facts():
        return open_facts()[name].format(value=_value_text(name, value))
    if name in checks():
        return _check_text(checks()[name], value)
    return f"{name}: {value}"


def _value_text(name: str, value: str) -> str:
    """Return the value of a fact. That of the parts is a list of content types."""
    kinds = {"text/plain": tr("plain text"), "text/html": tr("HTML")}
    values = value.split("+") if name == "parts" else [value]
    return ", ".join(kinds.get(each, each) for each in values)


def _check_text(check: str, result: str) -> str:
    texts = {
        "pass": tr("passed the {check}"),
        "fail": tr("failed the {check}"),
        "none": tr("no {check}"),
    }
    text = texts.get(result, tr("{check}: {value}"))
    return text.format(check=check, value=result)


@once_per_language
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


@once_per_language
def open_facts() -> dict[str, str]:
    """Return the phrases of facts whose values are shown unchanged."""
    return {
        "charset": tr("character set {value}"),
        "type": tr("content type {value}"),
        "parts": tr("text parts: {value}"),
        "zone": tr("time zone {value}"),
        "unseen": tr("fewer than {value} words in parts that are not shown"),
    }


@once_per_language
def checks() -> dict[str, str]:
    return {
        "spf": tr("sender check (SPF)"),
        "dkim": tr("signature check (DKIM)"),
        "dmarc": tr("sender check (DMARC)"),
        "arc": tr("signature check (ARC)"),
    }
