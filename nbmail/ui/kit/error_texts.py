"""Texts for error codes: one sentence about the error and one about what to do."""

from dataclasses import dataclass

from nbmail.errors import ErrorCode
from nbmail.ui.kit.language import tr


@dataclass(frozen=True, slots=True)
class Notice:
    """Error or event, and what the user can do. `detail` is the technical cause, for example the server's reply."""

    sentence: str
    advice: str
    detail: str = ""


def error_notice(error_code: str | None, detail: str = "") -> Notice:
    """Return the texts of an error code. None means an error inside nbmail."""
    known = _texts().get(error_code or "")
    if known is None:
        return Notice(
            tr("Something went wrong inside nbmail."),
            tr("Your mail and your marks are safe. Please try again; if it stays, restart nbmail and report it."),
            detail,
        )
    return Notice(*known, detail)


def _texts() -> dict[str, tuple[str, str]]:
    return {**_server_texts(), **_sign_in_texts(), **_machine_texts(), **_model_texts()}


def _server_texts() -> dict[str, tuple[str, str]]:
    return {
        ErrorCode.NO_NETWORK: (
            tr("The mail server can't be reached."),
            tr("Check your internet connection and the server's name. nbmail keeps trying by itself."),
        ),
        ErrorCode.SERVER_GONE: (
            tr("The mail server closed the connection."),
            tr("Nothing is lost. nbmail connects again by itself in a moment."),
        ),
        ErrorCode.SERVER_REFUSED: (
            tr("The mail server refused to do that."),
            tr("Look at what it said below; your mail provider may have to allow it."),
        ),
        ErrorCode.SERVER_BROKEN: (
            tr("The mail server said something that makes no sense."),
            tr("Check the server's name and port. If they are right, try again later."),
        ),
        ErrorCode.CERTIFICATE: (
            tr("The mail server can't prove that it is the one you asked for."),
            tr("Nothing was sent to it. Check the server's name; if it is your own server, name its certificate file."),
        ),
        ErrorCode.NOT_ENCRYPTED: (
            tr("The mail server doesn't offer a protected connection."),
            tr("Your password was not sent. Try TLS on port 993, or ask your mail provider."),
        ),
        ErrorCode.MAILBOX_FULL: (
            tr("Your mailbox on the server is full."),
            tr("Delete or move some mail there; nbmail then goes on by itself."),
        ),
        ErrorCode.NO_KEYWORDS: (
            tr("The mail server keeps no marks."),
            tr("Your marks are kept and learned here. Other computers and mail programs don't hear of them."),
        ),
        ErrorCode.FOLDER_MISSING: (
            tr("A folder is no longer on the server."),
            tr("Choose another one in the mailbox's settings."),
        ),
    }


def _sign_in_texts() -> dict[str, tuple[str, str]]:
    return {
        ErrorCode.WRONG_PASSWORD: (
            tr("The mail server doesn't accept this user name and password."),
            tr("Type the password again. Many providers want an app password instead of the usual one."),
        ),
        ErrorCode.NO_PASSWORD: (
            tr("nbmail needs the password of this mailbox."),
            tr("It is asked for once where this system has a keyring, else at each start. No server was called yet."),
        ),
        ErrorCode.SIGN_IN_AGAIN: (
            tr("Your mail provider requires a new sign-in."),
            tr("Sign in again in the account settings."),
        ),
        ErrorCode.SIGN_IN_FAILED: (
            tr("Signing in with your mail provider failed."),
            tr("See the reason below, then try again."),
        ),
        ErrorCode.NO_CLIENT_ID: (
            tr("nbmail is not registered with this mail provider."),
            tr("Use an app password if your provider offers one."),
        ),
        ErrorCode.WRONG_SCOPE: (
            tr("The sign-in doesn't include access to mail over IMAP."),
            tr("Turn on IMAP in the settings of your mail provider, then sign in again."),
        ),
    }


def _machine_texts() -> dict[str, tuple[str, str]]:
    return {
        ErrorCode.DISK_FULL: (
            tr("The disk is full, so nothing can be saved."),
            tr("Nothing is lost so far. Free some space, then try again."),
        ),
        ErrorCode.DISK_ERROR: (
            tr("The disk can't be read or written."),
            tr("Make a copy of your data soon: the disk may be failing. Nothing was changed."),
        ),
        ErrorCode.READ_ONLY: (
            tr("nbmail may not write to its own folder."),
            tr("Make the folder writable, or start nbmail with --home and another folder."),
        ),
        ErrorCode.HOME_IN_USE: (
            tr("nbmail is already running with this mail."),
            tr("Use the window that is open. Two at once would get in each other's way."),
        ),
        ErrorCode.HOME_TOO_NEW: (
            tr("This mail was last opened by a newer nbmail."),
            tr("Install that version or a later one. Nothing was changed."),
        ),
        ErrorCode.HOME_DELETED: (
            tr("The file with your marks was deleted while nbmail was running."),
            tr("nbmail has written it anew: no mark is lost. Look for what deletes files in its folder."),
        ),
        ErrorCode.DATABASE_DAMAGED: (
            tr("The file with your marks is damaged."),
            tr("It was kept as it is. `nbmail doctor --repair`, typed in a terminal, saves all that can be read."),
        ),
        ErrorCode.BAD_INPUT: (
            tr("nbmail can't make sense of this."),
            tr("Look at the place named below and correct it."),
        ),
        ErrorCode.NOT_FOUND: (
            tr("That is no longer there."),
            tr("It may have been moved or deleted elsewhere in the meantime."),
        ),
        ErrorCode.NO_KEYRING: (
            tr("This system has no place to keep passwords safely."),
            tr("nbmail asks for the password each time it starts, and writes it nowhere."),
        ),
    }


def _model_texts() -> dict[str, tuple[str, str]]:
    return {
        ErrorCode.BAD_MODEL_FILE: (
            tr("This is no model file that nbmail can use."),
            tr("The reason stands below. Nothing was changed."),
        ),
        ErrorCode.ALREADY_KNOWN: (
            tr("What stands in this file is known already."),
            tr("It was imported before, or exported from here; twice it would count double. Nothing was changed."),
        ),
        ErrorCode.NOT_ENOUGH_YET: (
            tr("There are not enough marked messages for that yet."),
            tr("Mark some more junk and some more good messages, then try again."),
        ),
    }
