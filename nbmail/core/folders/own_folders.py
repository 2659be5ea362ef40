"""Choice of the folders to suggest: the user's own."""

import re
from collections.abc import Collection, Iterable

ALL_OWN = "*"
"""Choice of all folders of the user's own, in place of names."""
MOST_FOLDERS = 100
"""Most folders of an account that are learned, unless the user names more.

They are those with the newest mail. The tables of a model have a column for each word in each
folder.
"""

# Folders that show what remains to be done with a message, and folders of mail programs.
_STATES = frozenset((
    "to do", "to-do", "todo", "follow up", "follow-up", "followup", "waiting", "waiting for",
    "pending", "later", "snoozed", "scheduled", "action", "read later", "reply", "answered",
    "unread", "zu erledigen", "erledigt", "offen", "wiedervorlage", "warten", "später", "à faire",
    "en attente", "pendiente", "por hacer", "da fare", "te doen",
    "outbox", "postausgang", "templates", "vorlagen",
    "drafts", "draft", "entwürfe", "brouillons", "borradores", "bozze",
    "sent", "sent items", "sent mail", "sent messages", "gesendet", "gesendete objekte",
    "gesendete elemente", "envoyés", "éléments envoyés", "enviados", "inviata", "posta inviata",
    "notes", "notizen",
    "all mail", "alle e-mails",
    "trash", "deleted items", "papierkorb", "junk", "spam", "archive", "archives", "archiv",
))  # fmt: skip
# Folders below these are computed by the server.
_VIRTUAL = ("[gmail]/", "[google mail]/", "virtual/")
_SEPARATORS = re.compile(r"[/.\\]")
_YEAR = re.compile(r"(?:19|20)\d\d")


def own_folders(
    folders: Iterable[tuple[str, str]], chosen: Collection[str] = (ALL_OWN,)
) -> list[str]:
    """Return the folders to suggest.

    `folders`: name and special use of each. `chosen`: names, or `ALL_OWN`.
    """
    listed = list(folders)
    if ALL_OWN not in chosen:
        return [name for name, _ in listed if name in chosen]
    parents = _parents_of_years(name for name, _ in listed)
    own = [name for name, special in listed if not special and name not in parents]
    return sorted(name for name in own if not _has_other_use(name.lower()))


def _parents_of_years(names: Iterable[str]) -> set[str]:
    """Return the folders that are divided into years."""
    parents: set[str] = set()
    for name in names:
        year = _leaf(name)
        if _YEAR.fullmatch(year) and year != name:
            parents.add(name[: -len(year) - 1])
    return parents


def _has_other_use(name: str) -> bool:
    """Return whether a folder holds mail for another reason than its subject."""
    return name == "inbox" or _leaf(name) in _STATES or name.startswith(_VIRTUAL)


def _leaf(name: str) -> str:
    return _SEPARATORS.split(name)[-1]
