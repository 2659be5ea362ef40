"""An account's state in words."""

from nbmail.errors import ErrorCode
from nbmail.ui.kit import phrases
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import format_count, tr
from nbmail.values import AccountState, Phase

JUNK_FOLDER = "\\Junk"
"""What an account names as missing where it has mail to move and knows no folder for junk."""


def state_words(state: AccountState, now: float) -> str:
    """One short line."""
    if needs_you(state):
        return _needed(state)
    if state.phase == Phase.WORKING:
        return _working(state)
    if state.phase == Phase.SYNCED and state.error_code == ErrorCode.NO_KEYWORDS:
        return tr("In step, but marks stay here")
    if state.phase == Phase.SYNCED:
        return tr("In step, {when}").format(when=phrases.age_text(state.at, now))
    if state.phase == Phase.OFFLINE and state.retry_at > now:
        return tr("Offline, tries again in {span}").format(span=phrases.duration_text(state.retry_at - now))
    others = {Phase.CONNECTING: tr("Connecting…"), Phase.OFFLINE: tr("Offline, trying again")}
    return others.get(state.phase, tr("Stopped"))


def _needed(state: AccountState) -> str:
    if state.error_code == ErrorCode.NO_PASSWORD:
        return tr("Needs your password")
    if state.phase == Phase.SYNCED and state.detail == JUNK_FOLDER:
        return tr("Needs you: {why}").format(why=tr("which folder is for junk?"))
    if state.phase == Phase.SYNCED and state.detail:
        return tr("Needs you: no folder “{folder}”").format(folder=state.detail)
    return tr("Needs you: {why}").format(why=error_notice(state.error_code).sentence)


def needs_you(state: AccountState) -> bool:
    """Whether only the user can go on: nothing works, or a folder that was named isn't there."""
    return state.phase == Phase.NEEDS_YOU or (
        state.phase == Phase.SYNCED and state.error_code == ErrorCode.FOLDER_MISSING
    )


def _working(state: AccountState) -> str:
    folder = state.folder or tr("mail")
    if not state.total:
        return tr("Looking at {folder}…").format(folder=folder)
    return tr("{folder}: {done} of {total}").format(
        folder=folder, done=format_count(state.done), total=format_count(state.total)
    )


def state_shade(state: AccountState) -> str:
    """Which of the theme's colours its dot has."""
    return "junk" if needs_you(state) else "good" if state.phase in (Phase.SYNCED, Phase.WORKING) else "muted"
