"""Recognition of folders that another client renamed."""

from collections import Counter
from collections.abc import Mapping

from nbmail.sync.imap.session import Session
from nbmail.values import KnownFolder

# New folders among which renamed ones are searched for.
MOST_RENAMED = 200


def renamed_folders(
    session: Session, known: Mapping[str, KnownFolder], listed: Mapping[str, str]
) -> dict[str, str]:
    """Return the new names of `known` folders that are no longer listed, by their old names.

    `listed`: MAILBOXID of each folder. Folders are recognized by it and, if unknown, by
    UIDVALIDITY, which may change with the name, and which different folders may share.
    """
    lost = {name: folder for name, folder in known.items() if name not in listed}
    new = {name: mailbox_id for name, mailbox_id in listed.items() if name not in known}
    renamed = _matched({name: folder.mailbox_id for name, folder in lost.items()}, new)
    by_validity = _matched(
        _validities_of_lost(lost, renamed), _validities_of_new(session, lost, renamed, new)
    )
    for old, name in by_validity.items():
        # Two different MAILBOXIDs are two folders.
        if not (lost[old].mailbox_id and new[name]):
            renamed[old] = name
    return renamed


def _validities_of_lost(
    lost: Mapping[str, KnownFolder], renamed: Mapping[str, str]
) -> dict[str, int]:
    return {
        name: folder.validity
        for name, folder in lost.items()
        if folder.validity and name not in renamed
    }


def _validities_of_new(
    session: Session,
    lost: Mapping[str, KnownFolder],
    renamed: Mapping[str, str],
    new: Mapping[str, str],
) -> dict[str, int]:
    """Request the UIDVALIDITY of new folders, if any stored folder is still missing."""
    if not _validities_of_lost(lost, renamed):
        return {}
    unexplained = [name for name in new if name not in renamed.values()]
    return {
        name: session.counts(name, "UIDVALIDITY").get(b"UIDVALIDITY", 0)
        for name in unexplained[:MOST_RENAMED]
    }


def _matched(old: Mapping[str, int | str], new: Mapping[str, int | str]) -> dict[str, str]:
    """Return the old and the new name of each key that both have once."""
    names = {key: name for name, key in old.items() if key}
    times = Counter((*old.values(), *new.values()))
    return {names[key]: name for name, key in new.items() if key in names and times[key] == 2}
