"""Text for each error, with advice."""

from nbmail.errors import ErrorCode, KnownError

# The braces are for the detail.
_TEXTS = {
    ErrorCode.DISK_FULL: "The disk is full{}. Free some space and try again.",
    ErrorCode.DISK_ERROR: (
        "Can't read from or write to the disk{}. It may be failing, so back up your data now."
    ),
    ErrorCode.READ_ONLY: (
        "No permission to write{}. Change the folder's permissions, or choose another folder "
        "with --home."
    ),
    ErrorCode.HOME_IN_USE: (
        "nbmail is already using this data folder{}. Close its window, or choose another "
        "folder with --home."
    ),
    ErrorCode.OTHER_VERSION: (
        "This data folder was made by another version of nbmail{}; to take its labels along, "
        "put its file labels.log into an empty data folder and start nbmail there."
    ),
    ErrorCode.SETTINGS_TOO_NEW: (
        "These settings were saved by a newer version of nbmail{}. Install that version; "
        "nothing was changed."
    ),
    ErrorCode.HOME_DELETED: (
        "The file with your labels was deleted while nbmail was running{}. nbmail restored "
        "it, and no labels were lost."
    ),
    ErrorCode.DATABASE_DAMAGED: (
        "The file with your labels is damaged{}. Run `nbmail doctor` to see what you can do; "
        "the file is kept."
    ),
    ErrorCode.BAD_INPUT: "Invalid input{}. Correct it and try again.",
    ErrorCode.WRONG_PASSWORD: "The mail server refuses the user name or password{}. Check both.",
    ErrorCode.SIGN_IN_AGAIN: (
        "The sign-in has expired or was revoked{}. Run nbmail account sign-in NAME."
    ),
    ErrorCode.SIGN_IN_LATER: "The sign-in can't be renewed now{}. Try again later.",
    ErrorCode.SIGN_IN_FAILED: "The sign-in failed{}. Try again.",
    ErrorCode.NO_CLIENT_ID: (
        "nbmail has no client ID at this provider yet{}. An app password may work instead, or "
        "--client-id with one of your own."
    ),
    ErrorCode.WRONG_SCOPE: (
        "The sign-in allows too little{}. Sign in again and allow access to mail."
    ),
    ErrorCode.NO_KEYRING: "There is no keyring to keep the sign-in{}. Use --token-file.",
    ErrorCode.KEYRING_FAILED: (
        "The keyring reports an error{}. Use --password-file or --token-file."
    ),
    ErrorCode.NO_PASSWORD: "There is no password{}.",
    ErrorCode.NO_NETWORK: "The mail server can't be found{}. Check its name and your connection.",
    ErrorCode.SERVER_GONE: "The mail server doesn't answer{}. Try again later.",
    ErrorCode.SERVER_REFUSED: "The mail server refused the request{}. Ask your mail provider.",
    ErrorCode.SERVER_BROKEN: (
        "The mail server sent an invalid reply{}. Check the server name and port, or try "
        "again later."
    ),
    ErrorCode.NOT_ENCRYPTED: (
        "The mail server doesn't offer an encrypted connection{}. Your password was not sent. "
        "Try TLS on port 993, or ask your mail provider."
    ),
    ErrorCode.MAILBOX_FULL: (
        "Your account on the mail server is full{}. Delete or move some mail there and try again."
    ),
    ErrorCode.NO_KEYWORDS: (
        "The mail server can't store marks{}. They are saved on this computer only."
    ),
    ErrorCode.CERTIFICATE: (
        "The mail server's certificate is not valid{}. Your password was not sent."
    ),
    ErrorCode.FOLDER_MISSING: "The account has no such folder{}. Check its name.",
    ErrorCode.NOT_FOUND: "Not found{}. Check the path.",
    ErrorCode.BAD_MODEL_FILE: "nbmail can't use this model file{}. Nothing was changed.",
    ErrorCode.ALREADY_KNOWN: (
        "This file was already imported or was exported from here{}. Nothing was changed; use "
        "--again to import it anyway."
    ),
    ErrorCode.NOT_ENOUGH_YET: (
        "Too few labelled messages{}. First run nbmail learn --as spam PATH and nbmail learn "
        "--as ham PATH."
    ),
}


def explain(error: KnownError) -> str:
    """Return what happened, where, and advice, on one line."""
    detail = f" ({error.detail})" if error.detail else ""
    return _TEXTS[error.error_code].format(detail)
