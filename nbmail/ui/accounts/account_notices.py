"""Problems of an account in the banner, with their remedies."""

from functools import partial

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.state_texts import JUNK_FOLDER
from nbmail.ui.notices.banner import Remedy
from nbmail.ui.texts.error_texts import Notice, error_notice
from nbmail.ui.texts.language import tr
from nbmail.values import AccountState, Phase

LIMITATIONS = (ErrorCode.FOLDER_MISSING, ErrorCode.SERVER_REFUSED, ErrorCode.NO_KEYWORDS)
"""Errors of a synchronized account that the user must know about."""
PASSWORD = (ErrorCode.WRONG_PASSWORD, ErrorCode.NO_PASSWORD)
"""Errors that a password can end."""
SIGN_IN = (
    ErrorCode.SIGN_IN_AGAIN,
    ErrorCode.SIGN_IN_FAILED,
    ErrorCode.WRONG_SCOPE,
    ErrorCode.NO_CLIENT_ID,
)
"""Errors that a new sign-in at the provider can end."""


def is_limited(state: AccountState) -> bool:
    """True if the account is synchronized, except for something that the user must know."""
    return state.phase == Phase.SYNCED and state.error_code in LIMITATIONS


def is_refusal(state: AccountState) -> bool:
    """True if the server of a synchronized account refused to move a message."""
    return state.phase == Phase.SYNCED and state.error_code == ErrorCode.SERVER_REFUSED


def account_notice(state: AccountState) -> Notice:
    if is_refusal(state):
        return _refusal_notice(state)
    if is_limited(state) and state.error_code == ErrorCode.FOLDER_MISSING:
        return _missing_folder_notice(state)
    return error_notice(state.error_code, state.detail)


def _refusal_notice(state: AccountState) -> Notice:
    text = tr("The mail server of {account} refused to move a message.")
    advice = tr("The message stays where it is. Your marks are saved and learned.")
    return Notice(text.format(account=state.account), advice, state.detail, "folders")


def _missing_folder_notice(state: AccountState) -> Notice:
    if state.detail == JUNK_FOLDER:
        text = tr("nbmail can't move spam in {account}: no spam folder was found.")
        advice = tr(
            "nbmail can create one. You can also choose another folder in the account settings."
        )
    else:
        text = tr("The folder “{folder}” was not found in {account}.")
        advice = tr(
            "Choose another folder in the account settings. All other folders are up to date."
        )
    sentence = text.format(account=state.account, folder=state.detail)
    return Notice(sentence, advice, "", "folders")


def account_remedy(state: AccountState, actions: AccountActions) -> Remedy:
    """Return the button that helps most against a problem."""
    account = state.account
    if state.phase == Phase.OFFLINE:
        return Remedy(tr("Retry now"), actions.check_mail)
    if state.error_code in PASSWORD:
        return Remedy(tr("Enter &password…"), partial(actions.ask_password, account))
    if state.error_code in SIGN_IN:
        return Remedy(tr("Sign in again"), partial(actions.sign_in, account))
    if state.error_code == ErrorCode.FOLDER_MISSING and state.detail == JUNK_FOLDER:
        return Remedy(tr("Create “Junk”"), partial(actions.create_spam_folder, account))
    return Remedy(tr("Account settings…"), partial(actions.ask_change, account))
