"""A `labels.log` of an earlier build in an empty data folder: each label finds its message."""

import json
import random
import zlib
from datetime import UTC, datetime

import pytest

from nbmail.core.mail.message import Heading
from nbmail.paths import Paths
from nbmail.store.doctor import diagnose
from nbmail.store.files.quarantine import replace_database
from nbmail.store.labels.journal import By
from nbmail.store.labels_log.earlier_builds import earlier_identities
from nbmail.store.mail.identity import identify
from nbmail.store.mail.messages import Content
from nbmail.values import FolderName, LabelSource, NoteKind
from tests.store.helpers import TOKENIZER, logged_labels, open_store, sample, stored_labels
from tests.store.test_kills import is_exact

LABELS = 1000
FOLDER = FolderName("anna", "Junk")


def raw_mail(number):
    """Every second message says where answers go."""
    answers = b"Reply-To: list%d@example.org\r\n" % number if number % 2 else b""
    return b"Message-ID: <%d@example.org>\r\nSubject: no. %d\r\n%s\r\nText of %d\r\n" % (
        number,
        number,
        answers,
        number,
    )


def line(entry, number, before, after, by, position, version):
    """A line as builds with identities of this version wrote it."""
    fields = {
        "entry": entry,
        "time": datetime.fromtimestamp(entry, UTC).isoformat(timespec="microseconds"),
        "by": by,
        "before": before,
        "after": after,
        "position": position,
        "step": entry,
        "account": FOLDER.account if by == "folder" else "",
        "folder": FOLDER.folder if by == "folder" else "",
        "message_id": f"<{number}@example.org>",
        "identity": earlier_identities(raw_mail(number))[version - 1][:16].hex(),
        "identity_version": version,
    }
    stored = {name: value for name, value in fields.items() if value or name in ("before", "after")}
    content = json.dumps(stored, ensure_ascii=False)[:-1].encode()
    return b'%s, "crc32": "%08x"}\n' % (content, zlib.crc32(content))


def earlier_log(chance):
    """Lines of a thousand labels, of both versions, and of some that were removed or changed.

    Return them with the expected label of each message, in learning order.
    """
    lines = []
    labels = {}
    positions = random.Random(2).sample(range(1, 10 * LABELS), LABELS + 40)
    for number in range(1, LABELS + 21):
        version = 1 if number % 10 == 0 else 2
        label = chance.choice(["junk", "good", "work"])
        by = chance.choice(["user", "folder", "server"])
        position = positions[number]
        entry = len(lines) + 1
        lines.append(line(entry, number, None, label, by, position, version))
        if number <= 20:
            # Marked, undone, redone, and removed in the end.
            lines.append(line(entry + 1, number, label, None, "undo", 0, version))
            lines.append(line(entry + 2, number, None, label, "redo", position, version))
            lines.append(line(entry + 3, number, label, None, "user", 0, version))
        else:
            if number % 7 == 0:
                lines.append(line(entry + 1, number, label, None, "user", 0, version))
                lines.append(line(entry + 2, number, None, label, "travel", position, version))
            labels[position] = (number, {"junk": "spam", "good": "ham"}.get(label, label), by)
    return b"".join(lines), {number: rest for _, (number, *rest) in sorted(labels.items())}


def bring(store, numbers):
    """Mail arrives, as the intake stores it."""
    chance = random.Random(3)
    raws = [raw_mail(number) for number in numbers]
    contents = [
        Content(
            identify(raw),
            Heading("", "", float(number), len(raw), False, f"<{number}@example.org>"),
            sample(store, ["common", f"only{number}"], chance, number),
        )
        for number, raw in zip(numbers, raws, strict=True)
    ]
    with store.transaction():
        messages, _ = store.messages.add(contents, TOKENIZER)
        names = store.earlier_names(zip(messages, raws, strict=True))
        names.update(zip((each.identity for each in contents), messages, strict=True))
        changes = store.assign_waiting(names)
    store.model.follow(changes.changes)
    return dict(zip(messages, numbers, strict=True))


@pytest.fixture
def home(tmp_path):
    """An empty data folder with the log; what is expected of it."""
    content, expected = earlier_log(random.Random(1))
    Paths.under(tmp_path).make()
    log = Paths.under(tmp_path).data / "labels.log"
    log.write_bytes(content)
    return tmp_path, expected


def check(store, expected, numbers):
    """Each label is on its message, in the old order, with its source."""
    found = {numbers[message]: label for message, label in store.labels.all().items()}
    assert list(found.items()) == [(number, label) for number, (label, _) in expected.items()]
    for message, number in numbers.items():
        if number in expected:
            _, by = expected[number]
            source = LabelSource(by, FOLDER if by == "folder" else None)
            assert store.label_sources.find(message).label_source == source
    assert logged_labels(store) == stored_labels(store)
    assert diagnose(store, 9e6).sound
    store.model.make_exact()
    is_exact(store)


def test_a_thousand_labels_come_along(home):
    folder, expected = home
    assert len(expected) == LABELS
    with open_store(folder) as store:
        assert [(note.kind, note.number) for note in store.notes] == [(NoteKind.REFILLED, LABELS)]
        assert len(store.waiting_labels) == LABELS
        numbers = bring(store, range(1, LABELS // 2))
    with open_store(folder) as store:
        assert store.notes == ()
        numbers |= bring(store, range(LABELS // 2, LABELS + 100))
        assert len(store.waiting_labels) == 0
        check(store, expected, numbers)
        assert store.steps.depth() == (0, 0), "nothing of another build can be undone"

        one = next(iter(numbers))
        store.marks.mark({one: "spam"}, by=By.USER, moment=2e6)
        store.marks.undo(moment=2e6)
        check(store, expected, numbers)
        last = store.journal.last_entry()
        store.marks.reset(moment=3e6)
        store.marks.restore(last, moment=3e6)
        assert len(store.labels) == LABELS


def test_labels_changed_since_stay_changed_after_another_refill(home):
    """The lines of the earlier build remain in the file, before those of this one."""
    folder, _ = home
    with open_store(folder) as store:
        numbers = bring(store, range(1, LABELS + 100))
        removed, changed, *_ = store.labels.all()
        store.marks.mark({removed: None}, by=By.USER, moment=2e6)
        store.marks.mark({changed: "news"}, by=By.USER, moment=2e6)
        labels = {numbers[message]: label for message, label in store.labels.all().items()}
    assert len(labels) == LABELS - 1
    replace_database(Paths.under(folder), 3e6)
    with open_store(folder) as store:
        numbers = bring(store, range(1, LABELS + 100))
        found = {numbers[message]: label for message, label in store.labels.all().items()}
        assert found == labels
        assert len(store.waiting_labels) == 0
        assert diagnose(store, 9e6).sound
