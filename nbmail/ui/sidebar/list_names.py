"""Names of the smart lists and of folders."""

from nbmail.ui.list.list_choice import Kind
from nbmail.ui.texts.language import tr
from nbmail.values import FolderName


def kind_name(kind: Kind) -> str:
    return {
        Kind.ALL: tr("All mail"),
        Kind.UNSURE: tr("Unsure"),
        Kind.SPAM: tr("Spam"),
        Kind.HAM: tr("Not spam"),
        Kind.UNREAD: tr("Unread"),
        Kind.MARKED: tr("Marked"),
        Kind.SORTED: tr("Sorted"),
        Kind.FIRST: tr("First-time senders"),
    }[kind]


def folder_name(name: FolderName) -> str:
    """Return the name of a folder, with the localized name of the inbox."""
    return tr("Inbox") if name.folder.upper() == "INBOX" else name.folder
