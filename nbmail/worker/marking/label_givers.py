"""Who gave a label, as the window is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.store.values import FILES
from nbmail.store.values import Giver as Stored
from nbmail.sync.desk import FolderName
from nbmail.worker.protocol import FindGiver, Given, Giver

if TYPE_CHECKING:
    from nbmail.worker.engine.engine_state import Office


def find_giver(office: Office, command: FindGiver) -> Given | None:
    """Look it up in the journal."""
    found = office.store.givers.given(command.message)
    if found is None:
        return None
    back_by = found.back_by.value if found.back_by else ""
    return Given(found.label, named(found.giver), found.moment, back_by, found.back_moment)


def named(giver: Stored) -> Giver:
    """A giver as the window is told. Files that were handed in lie in no folder of an account."""
    if giver.folder == FILES:
        return Giver("files")
    return Giver(giver.by.value if giver.by else "", FolderName(*giver.folder) if giver.folder else None)
