"""For every trouble that a command can meet: one sentence, and what to do."""

from __future__ import annotations

from nbmail.errors import KnownError, Trouble

_SENTENCES = {
    Trouble.DISK_FULL: ("The disk is full.", "Nothing is lost so far; free some space and try again."),
    Trouble.DISK_ERROR: ("The disk can't be read or written.", "Copy your data soon: the disk may be failing."),
    Trouble.READ_ONLY: ("nbmail may not write there.", "Make the folder writable, or name another one with --home."),
    Trouble.HOME_IN_USE: (
        "nbmail is already running on this home.",
        "Close its window first, or name another home with --home.",
    ),
    Trouble.HOME_TOO_NEW: ("This home is from a newer nbmail.", "Install that version; nothing was changed."),
    Trouble.DATABASE_DAMAGED: (
        "The file with your labels is damaged.",
        "It was kept as it is; `nbmail doctor` says what can be done.",
    ),
    Trouble.BAD_INPUT: ("nbmail can't make sense of this input.", "Look at what is named here and correct it."),
    Trouble.NOT_FOUND: ("That isn't there.", "Check the path."),
    Trouble.BAD_MODEL_FILE: ("This is no model file that nbmail can use.", "Nothing was changed."),
    Trouble.ALREADY_KNOWN: (
        "What stands in this file is counted already: it was imported before, or exported from here.",
        "Nothing was changed; --again counts it once more.",
    ),
    Trouble.NOT_ENOUGH_YET: (
        "Nothing can be said yet.",
        "Teach it some mail first: nbmail learn --as junk PATH, nbmail learn --as good PATH.",
    ),
}


def explain(error: KnownError) -> str:
    """What happened, where, and what to do, on one line."""
    sentence, advice = _SENTENCES.get(error.trouble, (f"That did not work ({error.trouble}).", "Please try again."))
    detail = f" ({error.detail})" if error.detail else ""
    return f"{sentence}{detail} {advice}"
