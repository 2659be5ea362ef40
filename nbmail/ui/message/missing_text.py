"""What is said where a message's text isn't there, or not all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nbmail.ui.kit.language import tr
from nbmail.worker.protocol import AccountState, Body, Phase

AWAY = (Phase.OFFLINE, Phase.NEEDS_YOU, Phase.STOPPED)
"""Phases in which an account fetches nothing. One that has none yet isn't running."""


def body_words(body: Body, asked: Iterable[str], states: Mapping[str, AccountState]) -> str:
    """One line on what is missing; empty where nothing is. `asked` are the accounts it is fetched from."""
    if body is Body.WHOLE:
        return ""
    names = list(asked)
    if body is Body.PART and not names:
        return tr("Only the first part of this large message was fetched.")
    if body is Body.ABSENT or not names:
        return tr("The text of this message isn't kept any more, and its mailbox doesn't have it either.")
    if all(name not in states or states[name].phase in AWAY for name in names):
        text = tr("{account} can't be reached just now. The rest is fetched as soon as it can.")
        if body is Body.COMING:
            text = tr("The text isn't kept any more and {account} can't be reached now. It is fetched when it can.")
        return text.format(account=names[0])
    return tr("Fetching it again…") if body is Body.COMING else tr("Fetching all of it…")
