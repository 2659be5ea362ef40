"""Folders that mail can be filed into: the user's own, without those that hold mail for another reason."""

import re
from collections.abc import Collection, Iterable

ALL_OWN = "*"
"""Choice of all folders of the user's own, in place of names."""
MOST_FOLDERS = 100
"""Largest number of folders of an account that suggestions are made for, unless the user names more."""

# Folders that show what remains to be done with a message, and folders of mail programs.
_STATES = frozenset((
    "to do", "to-do", "todo", "follow up", "follow-up", "followup", "waiting", "waiting for", "pending", "later",
    "snoozed", "scheduled", "action", "read later", "reply", "answered", "unread", "zu erledigen", "erledigt", "offen",
    "wiedervorlage", "warten", "später", "à faire", "en attente", "pendiente", "por hacer", "da fare", "te doen",
    "outbox", "postausgang", "templates", "vorlagen",
    "drafts", "draft", "entwürfe", "brouillons", "borradores", "bozze",
    "sent", "sent items", "sent mail", "sent messages", "gesendet", "gesendete objekte", "gesendete elemente",
    "envoyés", "éléments envoyés", "enviados", "inviata", "posta inviata", "notes", "notizen",
    "all mail", "alle e-mails",
    "trash", "deleted items", "papierkorb", "junk", "spam", "archive", "archives", "archiv",
))  # fmt: skip
# Below these a server shows what it calculates.
_VIRTUAL = ("[gmail]/", "[google mail]/", "virtual/")
_SEPARATORS = re.compile(r"[/.\\]")
_YEAR = re.compile(r"(?:19|20)\d\d")


def own_folders(folders: Iterable[tuple[str, str]], chosen: Collection[str] = (ALL_OWN,)) -> list[str]:
    """Return the folders to suggest. `folders`: name and special use of each; `chosen`: names, or `ALL_OWN`."""
    listed = list(folders)
    if ALL_OWN not in chosen:
        return [name for name, _ in listed if name in chosen]
    parents = {name[: -len(year) - 1] for name, _ in listed if _YEAR.fullmatch(year := _leaf(name)) and year != name}
    own = [name for name, special in listed if not special and name not in parents and _is_own(name)]
    return sorted(own)[:MOST_FOLDERS]


def _is_own(name: str) -> bool:
    lower = name.lower()
    return lower != "inbox" and _leaf(lower) not in _STATES and not lower.startswith(_VIRTUAL)


def _leaf(name: str) -> str:
    return _SEPARATORS.split(name)[-1]
