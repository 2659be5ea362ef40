"""The account dialog with the folders of an account."""

from nbmail.settings import Account
from nbmail.ui.accounts.account_dialog import AccountDialog
from tests.ui.helpers import Calls


def open_folders(parent, listed, **chosen):
    """Open a dialog that changes an account with these folders."""
    searches = Calls([])
    searches.list_folders = lambda account, password, tell: tell(tuple(listed)) or (lambda: None)
    before = Account("home", "imap.example", user="anna", **chosen)
    dialog = AccountDialog(parent, searches, lambda *_: None, before=before)
    dialog.form.choose_folders.click()
    dialog.open()
    return dialog
