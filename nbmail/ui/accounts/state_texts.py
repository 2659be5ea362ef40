"""Texts and colors for the states of accounts."""

from nbmail.errors import ErrorCode
from nbmail.ui.texts.date_texts import age_text, duration_text
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import format_count, tr
from nbmail.values import AccountState, Phase

JUNK_FOLDER = "\\Junk"
"""Detail of an account state: there is spam to move, but no spam folder is known."""


def state_text(state: AccountState, now: float) -> str:
    synced = state.phase == Phase.SYNCED
    folder = state.folder or tr("mail")
    if needs_action(state):
        text = tr("Action needed: {why}")
        why = error_notice(state.error_code).sentence
        if state.error_code == ErrorCode.NO_PASSWORD:
            text = tr("Password needed")
        elif synced and state.detail == JUNK_FOLDER:
            why = tr("choose a spam folder")
        elif synced and state.detail:
            text = tr("Action needed: folder “{folder}” not found")
        return text.format(why=why, folder=state.detail)
    if state.phase == Phase.WORKING:
        text = tr("Reading training mail again: {done} of {total}")
        if not state.total:
            text = tr("Checking {folder}…")
        elif state.folder:
            text = tr("{folder}: {done} of {total}")
        return text.format(
            folder=folder, done=format_count(state.done), total=format_count(state.total)
        )
    if synced and state.error_code == ErrorCode.NO_KEYWORDS:
        return tr("Up to date; marks stay on this computer")
    if synced:
        return tr("Up to date ({when})").format(when=age_text(state.at, now))
    if state.phase == Phase.OFFLINE and state.retry_at > now:
        return tr("Offline, retrying in {span}").format(span=duration_text(state.retry_at - now))
    others = {Phase.CONNECTING: tr("Connecting…"), Phase.OFFLINE: tr("Offline, reconnecting…")}
    return others.get(state.phase, tr("Stopped"))


def needs_action(state: AccountState) -> bool:
    """True if only the user can continue: nothing works, or a configured folder doesn't exist."""
    missing = state.phase == Phase.SYNCED and state.error_code == ErrorCode.FOLDER_MISSING
    return missing or state.phase == Phase.NEEDS_YOU


def state_color(state: AccountState) -> str:
    return (
        "spam"
        if needs_action(state)
        else "ham"
        if state.phase in (Phase.SYNCED, Phase.WORKING)
        else "muted"
    )
