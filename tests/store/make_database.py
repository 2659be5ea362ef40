"""Makes `tests/data/version<N>.sqlite3`, a real file of the current schema, once for each schema.

Run `python -m tests.store.make_database` when a schema is released. An existing file is never made
again: only a file of the program of its time shows that the current program can read it.
"""

import shutil
import tempfile
from pathlib import Path

from nbmail.core.senders.people import Acquaintance, SentMessage, Thread
from nbmail.store.files.schema import STEPS
from nbmail.store.labels.journal import By
from nbmail.store.labels.labels import OfferedMove
from nbmail.values import FolderName, LabelRecord, Outcome
from tests.store.helpers import SPAM, fill, keywords, open_store, take

DATA = Path(__file__).parent.parent / "data"
SENT = FolderName("anna", "Sent")
WAITING = LabelRecord(bytes(16), "ham", 18.0, By.SERVER.value, SPAM.account, SPAM.folder)


def make(home):
    """Fill every table: labels of three classes, undone steps, an import, completed and pending
    actions.
    """
    with open_store(home) as store:
        messages = fill(store, 24)
        marks = store.marks
        actions = keywords(store)
        take(store, (3, 4, 40), SPAM, 7, special="\\Junk", complete=True, modseq=99)
        marks.mark(dict.fromkeys(messages[:6], "spam"), by=By.USER, moment=10.0, actions=actions)
        marks.mark(dict.fromkeys(messages[6:14], "ham"), by=By.FOLDER, moment=11.0, folder=SPAM)
        for action in store.outbox.pending_actions("anna")[:3]:
            store.outbox.complete(action, Outcome.DONE)
        marks.mark(dict.fromkeys(messages[2:4], "work"), by=By.USER, moment=12.0, actions=actions)
        marks.mark(dict.fromkeys(messages[20:22], "ham"), by=By.SERVER, moment=13.0)
        marks.import_counts(store.model.model.content(), moment=14.0)
        asked = messages[14:16]
        marks.mark(
            dict.fromkeys(asked, "spam"), by=By.USER, moment=15.0, actions=actions, asked=asked
        )
        marks.mark({messages[0]: None}, by=By.USER, moment=16.0, actions=actions)
        marks.undo(moment=17.0)
        store.waiting_labels.put([WAITING])
        sent = SentMessage(bytes(8), 9.0, ("bob@example.org",))
        store.people.add_sent(SENT, 1, 5, [sent], complete=True)
        store.people.store({messages[0]: Acquaintance(1, False, Thread.MINE)})
        store.people.set_verified({messages[0]: True})
        store.offered_moves.add([OfferedMove(messages[16], "anna", "spam", True)])


def main():
    target = DATA / f"version{len(STEPS)}.sqlite3"
    if target.exists():
        raise SystemExit(f"{target.name} is there already")
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        make(Path(home))
        shutil.copyfile(Path(home) / "data" / "nbmail.sqlite3", target)


if __name__ == "__main__":
    main()
