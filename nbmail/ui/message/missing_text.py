"""Note on a text that is not stored here, or only in part."""

from collections.abc import Collection, Mapping

from nbmail.ui.texts.language import tr
from nbmail.values import AccountState, Phase
from nbmail.worker.protocol.messages import Body

AWAY = (Phase.OFFLINE, Phase.NEEDS_YOU, Phase.STOPPED)
"""Phases in which an account fetches nothing. An account without a phase isn't running."""


def missing_text(body: Body, accounts: Collection[str], states: Mapping[str, AccountState]) -> str:
    """Return what is missing of a text, "" for nothing.

    `accounts`: those that can load it. `states`: states of all accounts.
    """
    if body is Body.WHOLE:
        return ""
    if body is Body.PART and not accounts:
        return tr("Only the first part of this large message is loaded.")
    if body is Body.ABSENT or not accounts:
        return tr(
            "The text of this message is no longer available on this computer or in its account."
        )
    if all(_is_away(name, states) for name in accounts):
        return _offline_text(body).format(account=next(iter(accounts)))
    if body is Body.COMING:
        return tr("Loading the message again…")
    return tr("Loading the full message…")


def _is_away(account: str, states: Mapping[str, AccountState]) -> bool:
    return account not in states or states[account].phase in AWAY


def _offline_text(body: Body) -> str:
    if body is Body.COMING:
        return tr(
            "The text is no longer stored here and {account} is offline. nbmail loads it when the "
            "account is back online."
        )
    return tr("{account} is offline. nbmail loads the rest when it is back online.")
