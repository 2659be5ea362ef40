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
    """Suggest training folders: the spam folder, and the archive by its special use or its name."""
    filled = [each for each in folders if each.messages != 0]
    spam = tuple(each.name for each in filled if each.special == "\\Junk")
    ham = tuple(each.name for each in filled if each.special == "\\Archive")
    if not ham:
        ham = tuple(each.name for each in filled if not each.special and _is_archive(each.name))
    return replace(account, spam_folders=spam, ham_folders=ham, suggested_folders=(ALL_OWN,))


def _is_archive(name: str) -> bool:
    parts = re.split(r"[/.\\]", name.casefold())
    return not ARCHIVES.isdisjoint(parts)
