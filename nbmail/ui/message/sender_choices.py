"""Choices of the user for all mail of a sender: plain text, pictures."""

from dataclasses import replace

from nbmail.text.web_addresses import domain_of
from nbmail.ui.texts.people import read_person
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.worker.protocol.messages import MessageText


def sender_address(message: MessageText) -> str:
    """Return the address of the sender, "" if there is none or more than one."""
    senders = [value for name, value in message.headers if name.lower() == "from"]
    if len(senders) != 1:
        return ""
    return read_person(senders[0]).address.lower()


def is_confirmed(message: MessageText) -> bool:
    """True if the mail server confirmed the domain of the sender's address."""
    domain = sender_address(message).rpartition("@")[2]
    confirmed = message.sender.domain
    return bool(confirmed) and domain_of(domain) == confirmed


def prefers_plain(settings: CurrentSettings, message: MessageText) -> bool:
    """True if the user wants to see the sender's messages as plain text."""
    return sender_address(message) in settings.value.plain_senders


def prefer_plain(settings: CurrentSettings, address: str, *, plain: bool) -> None:
    now = settings.value
    senders = _changed(now.plain_senders, address, contained=plain)
    settings.change(replace(now, plain_senders=senders))


def wants_pictures(settings: CurrentSettings, message: MessageText) -> bool:
    """True if the user wants the sender's pictures, and the sender's domain is confirmed."""
    is_chosen = sender_address(message) in settings.value.picture_senders
    return is_chosen and is_confirmed(message)


def want_pictures(settings: CurrentSettings, address: str, *, wanted: bool) -> None:
    now = settings.value
    senders = _changed(now.picture_senders, address, contained=wanted)
    settings.change(replace(now, picture_senders=senders))


def _changed(senders: tuple[str, ...], address: str, *, contained: bool) -> tuple[str, ...]:
    others = tuple(each for each in senders if each != address)
    if contained:
        return (*others, address)
    return others
