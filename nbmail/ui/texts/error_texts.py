"""Texts for error codes: one sentence about the error and one about what to do."""

from dataclasses import dataclass

from nbmail.errors import ErrorCode
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.ticket import Failed

PAGES: dict[str, str] = {
    ErrorCode.FOLDER_MISSING: "folders",
    ErrorCode.NO_KEYWORDS: "several-computers",
    ErrorCode.BAD_MODEL_FILE: "model-files",
    ErrorCode.ALREADY_KNOWN: "model-files",
    ErrorCode.NOT_ENOUGH_YET: "first-steps",
}
"""Pages of the manual about errors. All others are on the page about trouble."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Error or event, and what the user can do.

    `detail`: technical cause. `page`: page of the manual, or empty.
    """

    sentence: str
    advice: str
    detail: str = ""
    page: str = ""


def error_notice(error_code: str | None, detail: str = "") -> Notice:
    """Return the texts of an error code. None means an error inside nbmail."""
    code = error_code or ""
    sentence = _sentences().get(code, tr("nbmail has run into an internal error."))
    report = tr("Try again. If it happens again, restart nbmail and report the error.")
    advice = _advice().get(code, report)
    page = PAGES.get(code, "trouble")
    return Notice(sentence, advice, detail, page)


def failure_text(failure: Failed) -> str:
    """Return what failed in a request, and what the user can do."""
    notice = error_notice(failure.error_code, failure.detail)
    return join_sentences(notice.sentence, notice.advice)


def _sentences() -> dict[str, str]:
    return {
        ErrorCode.NO_NETWORK: tr("Can't reach the mail server."),
        ErrorCode.SERVER_GONE: tr("The mail server closed the connection."),
        ErrorCode.SERVER_REFUSED: tr("The mail server refused the request."),
        ErrorCode.SERVER_BROKEN: tr("The mail server sent an invalid reply."),
        ErrorCode.CERTIFICATE: tr("The server's certificate can't be verified."),
        ErrorCode.NOT_ENCRYPTED: tr("The mail server doesn't offer an encrypted connection."),
        ErrorCode.MAILBOX_FULL: tr("Your account on the mail server is full."),
        ErrorCode.NO_KEYWORDS: tr("The mail server can't store marks."),
        ErrorCode.FOLDER_MISSING: tr("A folder no longer exists on the server."),
        ErrorCode.WRONG_PASSWORD: tr("The mail server rejected the user name or password."),
        ErrorCode.NO_PASSWORD: tr("nbmail needs the password for this account."),
        ErrorCode.SIGN_IN_AGAIN: tr("nbmail needs a new sign-in at your mail provider."),
        ErrorCode.SIGN_IN_LATER: tr(
            "The sign-in server of your mail provider can't renew your sign-in at the moment."
        ),
        ErrorCode.SIGN_IN_FAILED: tr("Signing in with your mail provider failed."),
        ErrorCode.NO_CLIENT_ID: tr("nbmail is not registered with this mail provider."),
        ErrorCode.WRONG_SCOPE: tr("The sign-in doesn't include access to mail over IMAP."),
        ErrorCode.DISK_FULL: tr("The disk is full."),
        ErrorCode.DISK_ERROR: tr("nbmail can't read from or write to the disk."),
        ErrorCode.READ_ONLY: tr("nbmail has no permission to write to its data folder."),
        ErrorCode.HOME_IN_USE: tr("nbmail is already running."),
        ErrorCode.OTHER_VERSION: tr("This data folder was made by another version of nbmail."),
        ErrorCode.SETTINGS_TOO_NEW: tr("These settings were saved by a newer version of nbmail."),
        ErrorCode.HOME_DELETED: tr(
            "The file with your marks was deleted while nbmail was running."
        ),
        ErrorCode.DATABASE_DAMAGED: tr("The file with your marks is damaged."),
        ErrorCode.BAD_INPUT: tr("The input is not valid."),
        ErrorCode.NOT_FOUND: tr("This item no longer exists."),
        ErrorCode.NO_KEYRING: tr("nbmail can't use the system keyring."),
        ErrorCode.KEYRING_FAILED: tr("The system keyring reported an error."),
        ErrorCode.BAD_MODEL_FILE: tr("nbmail can't use this model file."),
        ErrorCode.ALREADY_KNOWN: tr("This model is already included."),
        ErrorCode.NOT_ENOUGH_YET: tr("There are too few marked messages."),
    }


def _advice() -> dict[str, str]:
    return {
        ErrorCode.NO_NETWORK: tr(
            "Check your internet connection and the server name. nbmail keeps retrying."
        ),
        ErrorCode.SERVER_GONE: tr("nbmail will reconnect automatically."),
        ErrorCode.SERVER_REFUSED: tr("See the server's message below, or ask your mail provider."),
        ErrorCode.SERVER_BROKEN: tr("Check the server name and port, or try again later."),
        ErrorCode.CERTIFICATE: tr(
            "Your password was not sent. Check the server name, or choose the certificate "
            "file of your own server."
        ),
        ErrorCode.NOT_ENCRYPTED: tr(
            "Your password was not sent. Try TLS on port 993, or ask your mail provider."
        ),
        ErrorCode.MAILBOX_FULL: tr(
            "Delete or move some mail on the server. nbmail then continues automatically."
        ),
        ErrorCode.NO_KEYWORDS: tr(
            "Your marks are saved on this computer only. Other computers and mail programs "
            "won't see them."
        ),
        ErrorCode.FOLDER_MISSING: tr("Choose another folder in the account settings."),
        ErrorCode.WRONG_PASSWORD: tr(
            "Enter the password again. Many providers require an app password."
        ),
        ErrorCode.NO_PASSWORD: tr(
            "nbmail asks once if the system has a keyring, otherwise at every start. It has "
            "not connected yet."
        ),
        ErrorCode.SIGN_IN_AGAIN: tr("nbmail connects again after you sign in. No marks are lost."),
        ErrorCode.SIGN_IN_LATER: tr("nbmail keeps retrying."),
        ErrorCode.SIGN_IN_FAILED: tr("See the reason below, then try again."),
        ErrorCode.NO_CLIENT_ID: tr(
            "Use an app password if your provider offers one, or your own client ID."
        ),
        ErrorCode.WRONG_SCOPE: tr(
            "Turn on IMAP in the settings of your mail provider, then sign in again."
        ),
        ErrorCode.DISK_FULL: tr("Nothing can be saved until you free some space. Then try again."),
        ErrorCode.DISK_ERROR: tr("The disk may be failing, so back up your data now."),
        ErrorCode.READ_ONLY: tr(
            "Change the folder's permissions, or start nbmail with --home and another folder."
        ),
        ErrorCode.HOME_IN_USE: tr("Use the window that is already open."),
        ErrorCode.OTHER_VERSION: tr(
            "To take its marks along, put its file labels.log into an empty data folder and start "
            "nbmail there."
        ),
        ErrorCode.SETTINGS_TOO_NEW: tr(
            "Install that version or a later one. Your data was not changed."
        ),
        ErrorCode.HOME_DELETED: tr(
            "nbmail restored it and no marks were lost. Find out which program deletes files "
            "in the data folder."
        ),
        ErrorCode.DATABASE_DAMAGED: tr(
            "To recover what is readable, run `nbmail doctor --repair` in a terminal. The "
            "damaged file is kept."
        ),
        ErrorCode.BAD_INPUT: tr("Correct the part named below."),
        ErrorCode.NOT_FOUND: tr("It may have been moved or deleted by another program."),
        ErrorCode.NO_KEYRING: tr(
            "nbmail asks for passwords and sign-ins at every start and doesn't store them."
        ),
        ErrorCode.KEYRING_FAILED: tr(
            "See its message below. What it doesn't store, nbmail asks for again at the next start."
        ),
        ErrorCode.BAD_MODEL_FILE: tr("See the reason below. Nothing was changed."),
        ErrorCode.ALREADY_KNOWN: tr(
            "It was imported before or exported from here, so importing it would count "
            "everything twice. Nothing was changed."
        ),
        ErrorCode.NOT_ENOUGH_YET: tr("Mark more spam and more good messages, then try again."),
    }
