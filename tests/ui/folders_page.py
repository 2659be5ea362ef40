"""The account dialog where it shows the folders of a mailbox."""

from nbmail.settings import Account
from nbmail.ui.accounts.account_dialog import AccountDialog
from tests.ui.helpers import Calls


def open_folders(parent, listed, **chosen):
    """A dialog that changes a mailbox with these folders, some of them chosen before."""
    searches = Calls([])
    searches.list_folders = lambda account, password, tell: tell(tuple(listed)) or (lambda: None)
    before = Account("home", "imap.example", user="anna", **chosen)
    dialog = AccountDialog(parent, searches, lambda *_: None, before=before)
    dialog.form.choose_folders.click()
    dialog.open()
    return dialog
