"""Makes `tests/data/version<N>.sqlite3`, a real file of the current schema, once for each schema.

Run `python -m tests.store.make_database` when a schema is released; a file that is there is never made anew, since
only a file that the program of its time wrote shows that today's can read it.
"""

import shutil
import tempfile
from pathlib import Path

from nbmail.store.files.schema import STEPS
from nbmail.store.values import By
from tests.store.helpers import SPAM, batch, fill, keywords, open_model, open_store

DATA = Path(__file__).parent.parent / "data"


def make(home):
    """Something in every table: labels of three classes, undone steps, an import, errands told and waiting."""
    with open_store(home) as store:
        model, messages, marks = open_model(store), fill(store, 24), store.marks
        store.take(batch(store, (3, 4, 40), SPAM, 7, special="\\Junk", complete=True, modseq=99), 2.0)
        wishes = keywords(store)
        marks.mark(model, messages[:6], "junk", by=By.USER, moment=10.0, wishes=wishes)
        marks.mark(model, messages[6:14], "good", by=By.FOLDER, moment=11.0)
        for task in store.outbox.tasks("anna")[:3]:
            store.outbox.settle(task.number, "done")
        marks.mark(model, messages[2:4], "work", by=By.USER, moment=12.0, wishes=wishes)
        marks.mark(model, messages[20:22], "good", by=By.SERVER, moment=13.0)
        marks.take_base(model, model.counts, model.keep(), moment=14.0)
        marks.mark(model, messages[14:16], "junk", by=By.USER, moment=15.0, wishes=wishes)
        marks.mark(model, messages[:1], None, by=By.USER, moment=16.0, wishes=wishes)
        marks.undo(model, moment=17.0)
        store.fold(model).keep()


def main():
    """Make the file of the current schema."""
    target = DATA / f"version{len(STEPS)}.sqlite3"
    if target.exists():
        raise SystemExit(f"{target.name} is there already")
    with tempfile.TemporaryDirectory() as home:
        make(Path(home))
        shutil.copyfile(Path(home) / "data" / "nbmail.sqlite3", target)


if __name__ == "__main__":
    main()
