"""Training folders that are suggested for a new account."""

import re
from collections.abc import Sequence
from dataclasses import replace

from nbmail.core.folders.own_folders import ALL_OWN
from nbmail.settings import Account
from nbmail.sync.mailbox_values import FolderLine

ARCHIVES = frozenset(
    {"archive", "archives", "archiv", "archivo", "archivio", "archief", "arkiv", "arkisto"}
)
"""Usual names of folders for read mail."""


def suggest_folders(account: Account, folders: Sequence[FolderLine]) -> Account:
    """Suggest training folders: spam from the spam folder, good mail from the archive, by special
    use or name.
    """
    filled = [each for each in folders if each.messages != 0]
    spam, ham = (
        tuple(each.name for each in filled if each.special == use)
        for use in ("\\Junk", "\\Archive")
    )
    unused = [each.name for each in filled if not each.special]
    named = tuple(name for name in unused if ARCHIVES & set(re.split(r"[/.\\]", name.casefold())))
    return replace(
        account, spam_folders=spam, ham_folders=ham or named, suggested_folders=(ALL_OWN,)
    )
