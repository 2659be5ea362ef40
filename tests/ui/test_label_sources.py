"""Sources of labels: in the row, its tooltip, its accessible text, and the reasons panel."""

import time

import pytest
from PySide6.QtCore import Qt

from nbmail import values
from nbmail.ui.evidence import label_source_texts as words
from nbmail.ui.list.list_choice import Column
from nbmail.values import FolderName
from tests.ui.helpers import ticket_of
from tests.ui.real import ACCOUNT, settle

SPAM = FolderName(ACCOUNT, "Spam")
YOU = values.LabelSource("user")
SERVER = values.LabelSource("server")
FOLDER = values.LabelSource("folder", FolderName(ACCOUNT, "Junk"))
MOMENT = time.mktime((2026, 11, 3, 9, 5, 0, 0, 0, -1))
WHEN = "3 Nov 2026, 09:05."
KINDS = {
    ("user",): ("you", "You marked it as spam on"),
    ("folder", SPAM): ("the folder “Spam”", "Learned as spam from the folder “Spam” on"),
    ("folder",): ("folder", "Learned as spam from a folder on"),
    ("files",): ("mail files", "Learned as spam from mail files on"),
    ("server",): ("another mail program", "Marked as spam by another mail program, received on"),
    ("import",): ("import", "Marked as spam by an import on"),
}


@pytest.mark.parametrize("given", KINDS, ids=str)
def test_texts_of_all_sources(given):
    (phrase, sentence), label_source = KINDS[given], values.LabelSource(*given)
    assert words.source_phrase(label_source) == phrase
    sourced = values.SourcedLabel("spam", label_source, MOMENT)
    assert words.source_sentence(sourced).replace("\u00a0", " ") == f"{sentence} {WHEN}"


def test_an_unknown_source_is_named_unknown():
    assert (
        words.source_text(values.LabelSource())
        == words.source_phrase(values.LabelSource())
        == "unknown"
    )
    sourced = values.SourcedLabel("spam", values.LabelSource())
    assert words.source_sentence(sourced) == "Marked as spam by an unknown source."


def test_a_restored_label_names_its_restoration():
    texts = {"undo": "Undo", "redo": "Redo", "restore": "the history"}
    for by, name in texts.items():
        sourced = values.SourcedLabel("ham", YOU, MOMENT, by, MOMENT + 86400)
        first = f"You marked it as not spam on {WHEN}"
        second = f"Restored {'from' if by == 'restore' else 'by'} {name} on 4 Nov 2026, 09:05."
        assert words.source_sentence(sourced).replace("\u00a0", " ") == f"{first} {second}"


def test_names_of_folders_are_verbatim_and_long_ones_are_cut():
    odd = values.LabelSource("folder", FolderName(ACCOUNT, "{label} %n & <b>"))
    assert words.label_text("spam", odd) == "Learned as spam from the folder “{label} %n & <b>”"
    long = values.LabelSource("folder", FolderName(ACCOUNT, "a" * 5000 + "/Newsletters"))
    assert len(words.label_text("ham", long)) < 90
    assert words.label_text("ham", long).endswith("/Newsletters”")


def test_sources_of_journal_entries():
    def line(by, folder=None):
        return words.journal_source_text(
            values.JournalLine(0.0, 1, "", None, "spam", by, folder=folder)
        )

    assert line("folder", SPAM) == "the folder “Spam”"
    assert line("server") == "another mail program"
    named = [line(by) for by in ("user", "undo", "redo", "restore", "folder", "files")]
    assert named[:4] == ["you", "you (undo)", "you (redo)", "you (restored)"]
    assert named[4:] == ["folder", "mail files"]


# --------------------------------------------------------------------------------- the window, over
# made-up mail


@pytest.fixture
def learned(mailbox):
    """Return a window with labels of the user, of folders and of another program."""
    mailbox.deliver(
        "INBOX", [b"Subject: said to be spam\r\n\r\nx"], 900, flags={"$Junk", "SpamRecorded"}
    )
    mailbox.engine.mark((mailbox.window.model.message_at(0),), "spam")
    settle(mailbox)
    return mailbox.window


def cell(window, row, column, role=Qt.ItemDataRole.DisplayRole):
    return window.model.index(row, column).data(role)


def shown(window):
    return window.evidence.source.text().replace("\u00a0", " ")


def wait_for_source(window, qtbot, label_source):
    qtbot.waitUntil(
        lambda: getattr(window.evidence.sourced_label, "label_source", None) == label_source
    )


def row_by(window, label_source):
    mail = window.model.mail
    return next(
        row for row, place in enumerate(mail.order) if mail.label_source(int(place)) == label_source
    )


def test_row_and_panel_show_the_source_of_each_label(learned, qtbot):
    for label_source in (YOU, FOLDER, SERVER):
        row = row_by(learned, label_source)
        assert cell(learned, row, Column.DECIDED) == words.source_text(label_source)
        accessible = cell(learned, row, Column.VERDICT, Qt.ItemDataRole.AccessibleTextRole)
        assert f"decided by {words.source_phrase(label_source)}," in accessible
        learned.table.go_to(row)
        qtbot.waitUntil(
            lambda source=label_source: (
                learned.evidence.sourced_label is not None
                and learned.evidence.sourced_label.label_source == source
            )
        )
        sourced = learned.evidence.sourced_label
        for column in (Column.VERDICT, Column.DECIDED):
            hint = cell(learned, row, column, Qt.ItemDataRole.ToolTipRole)
            assert (
                f"{words.label_text(sourced.label, label_source)}. nbmail's current verdict: "
                in hint
            )
        assert learned.evidence.source.text() == words.source_sentence(sourced)
        assert learned.evidence.source.isVisible()


def test_a_mark_has_the_user_as_source_until_it_is_undone(learned, qtbot):
    folder = FOLDER
    row = row_by(learned, folder)
    learned.table.go_to(row)
    wait_for_source(learned, qtbot, folder)
    label = learned.evidence.sourced_label.label
    learned.actions_by_name["ham" if label == "spam" else "spam"].trigger()
    message = learned.model.message_at(row)
    learned.table.go_to_message(message)
    assert learned.model.source_of(message)[1] == YOU
    qtbot.waitUntil(lambda: shown(learned).startswith("You marked it"))
    learned.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: learned.model.source_of(message) == (label, folder))
    qtbot.waitUntil(lambda: shown(learned).startswith("Learned as"))


def test_a_late_answer_is_not_shown_with_another_message(learned, qtbot):
    qtbot.waitUntil(lambda: learned.evidence.why is not None and not learned.engine.pending)
    learned.engine.held.add("find_label_source")
    learned.table.go_to(5)
    ticket = ticket_of(learned, "find_label_source")
    before = learned.evidence.sourced_label
    learned.table.go_to(6)
    ticket.finish(values.SourcedLabel("spam", values.LabelSource("import"), MOMENT))
    assert learned.evidence.sourced_label == before


def test_labels_of_the_user_are_filled_and_others_outlined(learned):
    """Compare the background of the pill with the row."""
    table = learned.table
    table.sort_by(Column.DECIDED)
    table.go_to(5)
    picture = table.viewport().grab().toImage()
    for label_source in (YOU, FOLDER):
        area = table.visualRect(learned.model.index(row_by(learned, label_source), Column.VERDICT))
        inside = picture.pixelColor(area.left() + 13, area.center().y())
        assert (inside == picture.pixelColor(area.right() - 2, area.center().y())) == (
            label_source != YOU
        )


@pytest.mark.parametrize("size", [(800, 600), (1280, 800)])
def test_the_longest_source_leaves_room_for_the_breakdown(open_window, qtbot, size):
    window = open_window(size=size)
    folder = values.LabelSource("folder", FolderName(ACCOUNT, "Archive/" + "newsletters " * 30))
    window.script.find_label_source = lambda _: values.SourcedLabel(
        "spam", folder, MOMENT, "restore", MOMENT
    )
    window.table.go_to(1)
    wait_for_source(window, qtbot, folder)
    panel = window.evidence
    qtbot.waitUntil(
        lambda: panel.source.height() >= panel.source.heightForWidth(panel.source.width())
    )
    assert panel.source.text() == words.source_sentence(panel.sourced_label)
    assert panel.table.geometry().top() >= panel.source.geometry().bottom()
    assert panel.table.height() > 2 * panel.table.verticalHeader().defaultSectionSize()
