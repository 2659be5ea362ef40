"""Texts and colors for the states of accounts."""

from nbmail.errors import ErrorCode
from nbmail.ui.texts.date_texts import age_text, duration_text
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import format_count, tr
from nbmail.values import AccountState, Phase

JUNK_FOLDER = "\\Junk"
"""Detail of an account state: there is spam to move, but no spam folder is known."""


def state_text(state: AccountState, now: float) -> str:
    if needs_action(state):
        return _action_text(state)
    if state.phase == Phase.WORKING:
        return _work_text(state)
    if state.phase == Phase.SYNCED:
        if state.error_code == ErrorCode.NO_KEYWORDS:
            return tr("Up to date; marks stay on this computer")
        return tr("Up to date ({when})").format(when=age_text(state.at, now))
    if state.phase == Phase.OFFLINE and state.retry_at > now:
        span = duration_text(state.retry_at - now)
        return tr("Offline, retrying in {span}").format(span=span)
    others = {Phase.CONNECTING: tr("Connecting…"), Phase.OFFLINE: tr("Offline, reconnecting…")}
    return others.get(state.phase, tr("Stopped"))


def _action_text(state: AccountState) -> str:
    """Return the text of an account that waits for the user."""
    if state.error_code == ErrorCode.NO_PASSWORD:
        return tr("Password needed")
    synced = state.phase == Phase.SYNCED
    if synced and state.detail and state.detail != JUNK_FOLDER:
        text = tr("Action needed: folder “{folder}” not found")
        return text.format(folder=state.detail)
    why = error_notice(state.error_code).sentence
    if synced and state.detail == JUNK_FOLDER:
        why = tr("choose a spam folder")
    return tr("Action needed: {why}").format(why=why)


def _work_text(state: AccountState) -> str:
    if not state.total:
        return tr("Checking {folder}…").format(folder=state.folder or tr("mail"))
    text = tr("Reading training mail again: {done} of {total}")
    if state.folder:
        text = tr("{folder}: {done} of {total}")
    return text.format(
        folder=state.folder, done=format_count(state.done), total=format_count(state.total)
    )


def needs_action(state: AccountState) -> bool:
    """True if only the user can continue: nothing works, or a configured folder doesn't exist."""
    missing = state.phase == Phase.SYNCED and state.error_code == ErrorCode.FOLDER_MISSING
    return missing or state.phase == Phase.NEEDS_YOU


def state_color(state: AccountState) -> str:
    if needs_action(state):
        return "spam"
    if state.phase in (Phase.SYNCED, Phase.WORKING):
        return "ham"
    return "muted"
