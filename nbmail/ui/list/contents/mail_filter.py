"""Filter of the list: which messages a choice contains."""

from collections.abc import Sequence

import numpy as np

from nbmail.text.search_query import SearchQuery, read_query
from nbmail.ui.list.contents.mail_columns import HAM, SPAM, UNSURE, MailColumns
from nbmail.ui.list.contents.positions import Mask, Positions
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.values import FolderName

_CLASSES = {Kind.UNSURE: UNSURE, Kind.HAM: HAM, Kind.SPAM: SPAM}


class MailFilter:
    """Selects messages by smart list, folder and search words."""

    def __init__(self, mail: MailColumns) -> None:
        self._mail = mail
        self._found_words = ""
        self._found = np.zeros(0, np.int64)

    def take_found(self, words: str, messages: Sequence[int]) -> None:
        """Let these messages match the words, as the engine found them."""
        self._found_words = words
        self._found = np.array(messages, np.int64)

    def mask(self, choice: Choice, among: Positions | None = None) -> Mask:
        """Return for each position, or each of `among`, whether the choice contains it.

        Mail in spam folders belongs to the smart lists of spam and of sorted mail, and to no other.
        """
        places: Positions | slice = slice(None) if among is None else among
        folder = None if choice.folder is None else self._folder_number(choice.folder)
        chosen = self._of_kind(choice.kind, folder, places)
        if folder is not None:
            sets = self._mail.folder_sets.holding(folder)
            chosen &= sets[self._mail.folders[places]]
        elif choice.kind == Kind.SPAM:
            chosen |= self._in_spam_folder(places)
        elif choice.kind != Kind.SORTED:
            chosen &= ~self._in_spam_folder(places)
        chosen &= self._mail.present[places]

        query = read_query(choice.words)
        if query == SearchQuery():
            return chosen
        if query.unread:
            chosen &= self._unread(folder, places)
        chosen &= self._in_query(query, places)
        if query.has_text:
            chosen &= self._is_found(choice.words, places)
        return chosen

    def is_unread(self, position: int, shown: FolderName | None) -> bool:
        """True if a message is unread in the shown folder, or otherwise in its first folder."""
        folders = self._mail.folder_sets.of(self._mail.folders[position])
        first = next(iter(folders.values()), False)
        if shown is None:
            return first
        return folders.get(self._folder_number(shown), first)

    def _folder_number(self, folder: FolderName) -> int:
        """Return the number of a folder, -1 for a folder without messages so far."""
        names = self._mail.folder_names
        return names.index(folder) if folder in names else -1

    def _of_kind(self, kind: Kind, folder: int | None, places: Positions | slice) -> Mask:
        """Return for each place whether the smart list contains it, in any folder."""
        mail = self._mail
        if kind in _CLASSES:
            has_class = (mail.labels[places] >= 0) | ~np.isnan(mail.log_odds[places])
            of_class = mail.effective_class[places] == _CLASSES[kind]
            return np.asarray(has_class & of_class, bool)
        if kind == Kind.MARKED:
            return np.asarray(mail.labels[places] >= 0, bool)
        if kind == Kind.SORTED:
            return np.isin(mail.messages[places], list(mail.listed))
        if kind == Kind.UNREAD:
            return self._unread(folder, places)
        if kind == Kind.FIRST:
            return mail.text_columns.first_from_sender(mail.dates)[places]
        return np.ones(len(mail.messages[places]), bool)

    def _unread(self, folder: int | None, places: Positions | slice) -> Mask:
        sets = self._mail.folder_sets.unread_in(folder)
        return sets[self._mail.folders[places]]

    def _in_spam_folder(self, places: Positions | slice) -> Mask:
        """Return for each place whether the message is in spam folders only."""
        mail = self._mail
        names = enumerate(mail.folder_names)
        spam = {number for number, name in names if name in mail.spam_folders}
        return mail.folder_sets.inside(spam)[mail.folders[places]]

    def _in_query(self, query: SearchQuery, places: Positions | slice) -> Mask:
        """Return for each place whether it meets the query's operators without words."""
        mail = self._mail
        dates = mail.dates[places]
        chosen = (dates < query.before) & (dates >= query.after)
        if query.attachment:
            chosen &= mail.attachments[places]
        if query.verified:
            chosen &= mail.verified[places] == 1
        if query.first:
            chosen &= mail.text_columns.first_from_sender(mail.dates)[places]
        return chosen

    def _is_found(self, words: str, places: Positions | slice) -> Mask:
        """Return for each place whether the engine found the message for these words."""
        if words != self._found_words:
            return np.zeros(len(self._mail.messages[places]), bool)
        return np.isin(self._mail.messages[places], self._found)
