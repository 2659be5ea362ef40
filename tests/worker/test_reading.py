"""Text search, read marks, attachments and message source."""

import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import text

from nbmail.chunks import drain
from nbmail.store.files.quarantine import TEXTS
from nbmail.store.mail.text_index import SearchedText
from nbmail.values import ActionKind, Arrival, Outcome
from nbmail.worker.mailbox.text_indexing import index_texts
from nbmail.worker.reading.message_text import text_of
from tests.store.helpers import open_store
from tests.worker.conftest import Failed, Progress, delivery
from tests.worker.test_body_requests import asked, empty
from tests.worker.test_intake import bring

TEXTS_OF = {
    1: "The quick brown fox jumps over the lazy dog.",
    2: "Straße nach Übersee: ein Café.\nKein Fuchs, brown or quick.",
    3: "下周三上午十点开会，请准备材料。",
    4: "การประชุมวันพุธ",
    5: "Встреча в среду. Ἀθῆναι. शुक्रवार को बैठक",
    6: "학교에서 만나요",
    7: "page",
}
PAGE = "<html><style>.hidden {}</style><body><p>quarterly&nbsp;fig<b>ures</b></p></body></html>"


def message(number, text="", kind="text/plain", more=""):
    raw = (
        f"Message-ID: <{number}@example.org>\r\nSubject: no. {number}\r\n"
        f"From: Zoë Ångström <zoe{number}@example.org>\r\nTo: Greta "
        f"<greta{number}@example.org>\r\n"
        f"Content-Type: {kind}; charset=utf-8\r\n{more}\r\n{text}\r\n"
    ).encode()
    return Arrival(number, frozenset(), 1000.0 + number, raw, len(raw))


@pytest.fixture
def reader(harness):
    bring(
        harness.ready(),
        *(message(number, text) for number, text in TEXTS_OF.items()),
        complete=True,
    )
    bring(harness, message(8, PAGE, "text/html"), complete=True)
    return harness


def found(harness, words):
    return set(harness.do.find_text(words))


SOUGHT = [
    ("quick brown ", {1, 2}),
    ('"quick brown"', {1}),
    ('"brown fox" lazy', {1}),
    ("qui", {1, 2}),
    ("qui ", set()),
    ("qu", set()),
    ("STRASSE ubersee cafe", {2}),
    ("开会", {3}),
    ("会开", set()),
    ("ประชุม", {4}),
    ("встреча", {5}),
    ("αθηναι", {5}),
    ("बैठक", {5}),
    ("학교 ", {6}),
    ("figures quarterly", {8}),
    ("hidden", set()),
    ("angstrom zoe3", {3}),
    ("no. 7", {7}),
    ("to:greta3 no", {3}),
    ('to:"greta greta2"', {2}),
    ("TO:zoe3", set()),
    ("greta3 ", {3}),
    ("from:zoe3", {3}),
    ("from:ang quick ", {1, 2}),
    ("from:an", set()),
    ("from:greta", set()),
    ("to:gret lazy", {1}),
    ("subject:quick", set()),
    ('subject:"no. 7"', {7}),
    ('OR AND NOT "', set()),
    ('*:^-(")', set()),
    ("", set()),
    ("\0", set()),
    ("quick\0brown ", {1, 2}),
    ("quick\ud800brown ", {1, 2}),
    ('"quick\0brown" ', {1}),
]


def test_words_and_phrases_are_found_in_any_script(reader):
    assert {words: found(reader, words) for words, _ in SOUGHT} == dict(SOUGHT)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text())
def test_any_text_can_be_searched_for(reader, words):
    assert found(reader, words) <= {*TEXTS_OF, 8}


def test_a_search_indexes_new_messages_and_reports_progress(no_idle, harness):
    """Messages are indexed only by a search or in idle time, from the cache alone."""
    harness.ready().deliver(range(1, 2201))
    ticket = harness.engine.find_text("meeting")
    result = harness.end_of(ticket).result
    told = [each for each in harness.events if isinstance(each, Progress) and each.ticket is ticket]
    shown = [each for each in told if each.so_far is not None]
    assert len(shown) >= 2
    assert all(set(each.so_far) <= set(result) and each.done < each.total == 2200 for each in shown)
    assert 300 < len(result) < 700
    assert harness.do.find_text("meeting") == result
    harness.again()
    assert set(harness.do.find_text("meeting")) == set(result)


@pytest.mark.expects_log
def test_a_damaged_index_is_detected_and_made_again(no_idle, reader):
    assert found(reader, "lazy") == {1}
    assert reader.check_up().sound
    reader.stop()
    path = reader.paths.data / TEXTS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    reader.ready()
    broken = reader.check_up()
    assert [each.name for each in broken.findings if not each.sound] == ["texts"]
    mended = reader.check_up(repair=True)
    assert mended.sound
    assert mended.repaired == ("texts",)
    assert found(reader, "lazy") == {1}


def test_indexed_messages_that_a_power_cut_erased_are_forgotten(tmp_path):
    with open_store(tmp_path) as store:
        store.texts.add([SearchedText(5, "", "", "gone")])
        drain(index_texts(store))
        assert store.texts.upto == 0
        assert list(store.texts.find(["gone"])) == []


def test_a_text_fetched_later_is_found(reader):
    empty(reader)
    (reader.paths.data / TEXTS).unlink(missing_ok=True)
    assert found(reader, "no. 1 ") == {1}, "the list's words are known without the text"
    assert found(reader, "lazy") == set()
    reader.do.read_message(1)
    (action,) = asked(reader)
    reader.engine.backend.complete_fetch(action, message(1, TEXTS_OF[1]))
    assert found(reader, "lazy") == {1}


def unread(harness):
    rows = harness.do.list_mail()
    return {int(message) for row, message in enumerate(rows.messages) if rows.folders_of(row)[0][1]}


def test_read_marks_count_immediately_and_are_queued_until_confirmed(harness):
    harness.ready().deliver(range(1, 6))
    assert harness.do.mark_read((1, 2, 3)) == (1, 2, 3)
    assert harness.do.mark_read((2, 3)) == ()
    assert harness.do.mark_read((3,), read=False) == (3,)
    assert unread(harness) == {3, 4, 5}
    assert harness.woken[-1] == "home"
    # A synchronization that began before the server got the flag.
    bring(harness, flags={1: frozenset({"\\Flagged"})})
    assert unread(harness) == {3, 4, 5}
    pending_actions = [
        each
        for each in harness.engine.backend.pending_actions("home")
        if each.kind is ActionKind.SEEN
    ]
    assert [(each.uid, each.add, each.remove) for each in pending_actions] == [
        (1, {"\\Seen"}, frozenset()),
        (2, {"\\Seen"}, frozenset()),
    ]
    harness.do.mark_read((2,), read=False)
    for each in pending_actions:
        harness.engine.backend.complete(each, Outcome.DONE)
    (back,) = harness.engine.backend.pending_actions("home")
    assert (back.uid, back.add, back.remove) == (2, frozenset(), {"\\Seen"})
    harness.engine.backend.complete(back, Outcome.DONE)
    assert harness.engine.backend.pending_actions("home") == ()
    bring(harness, flags={2: frozenset({"\\Seen"}), 1: frozenset()})
    assert unread(harness) == {1, 3, 4, 5}, "from now on the server says"


def test_read_marks_that_a_server_refuses_are_stored_here(harness):
    harness.ready().deliver(range(1, 4))
    harness.do.mark_read((1, 2))
    for action in harness.engine.backend.pending_actions("home"):
        harness.engine.backend.complete(
            action, Outcome.REFUSED, "local mailboxes are never written"
        )
    harness.again()
    harness.engine.backend.deliver(delivery(range(1, 4)))
    assert unread(harness) == {3}
    assert harness.engine.backend.pending_actions("home") == ()
    harness.do.mark_read((1,), read=False)
    harness.engine.backend.deliver(delivery(range(1, 4)))
    assert unread(harness) == {1, 3}


FILES = (
    "--b\r\nContent-Type: text/plain\r\n\r\nsee below\r\n"
    '--b\r\nContent-Type: application/pdf; name="../../bill.pdf.exe"\r\nContent-Disposition: '
    "attachment\r\n"
    "Content-Transfer-Encoding: base64\r\n\r\nTVqQAAMAAAAE\r\n"
    '--b\r\nContent-Type: text/plain; name="Übersicht.txt"\r\nContent-Disposition: attachment\r\n'
    "Content-Transfer-Encoding: quoted-printable\r\n\r\nZeile=20eins\r\n--b--\r\n"
)


@pytest.fixture
def with_files(harness):
    bring(harness.ready(), message(1, FILES, 'multipart/mixed; boundary="b"'))
    return harness


def test_an_attachment_is_written_unchanged(with_files, tmp_path):
    path = tmp_path / "chosen.txt"
    assert with_files.do.save_attachment(1, 1, path).path == path
    assert path.read_bytes().strip() == b"Zeile eins"
    opened = with_files.do.save_attachment(1, 0)
    assert opened.runs
    assert opened.path.read_bytes() == b"MZ\x90\x00\x03\x00\x00\x00\x04"
    assert opened.path.name == "bill.pdf.exe"
    assert with_files.paths.cache in opened.path.parents
    assert stat.S_IMODE(opened.path.stat().st_mode) == 0o600
    with_files.again()
    assert not opened.path.exists(), "what was only looked at is gone at the next start"


def test_an_unwritable_attachment_is_reported(with_files, tmp_path):
    for wrong in ((1, 7), (9, 0), (1, 0, tmp_path / "no" / "folder")):
        event = with_files.attempt.save_attachment(*wrong)
        assert isinstance(event, Failed)
        assert event.error_code is not None


def test_all_different_from_headers_are_shown():
    raw = (
        b"From: a@x.example\nSubject: s\nFrom: b@y.example\nFrom: a@x.example\nTo: "
        b"c@z.example\n\ntext\n"
    )
    headers = text_of(1, raw, len(raw)).headers
    assert [value for name, value in headers if name == "from"] == ["a@x.example", "b@y.example"]
    assert [name for name, _ in headers] == ["from", "from", "to", "subject"]


def test_the_source_shows_all_headers_and_every_byte(with_files):
    source = with_files.do.read_source(1)
    assert source.whole
    assert [name for name, _ in source.headers] == [
        "message-id",
        "subject",
        "from",
        "to",
        "content-type",
    ]
    assert dict(source.headers)["from"] == "Zoë Ångström <zoe1@example.org>"
    assert source.text.encode() == message(1, FILES, 'multipart/mixed; boundary="b"').raw.replace(
        b"\r\n", b"\n"
    )
    assert isinstance(with_files.attempt.read_source(9), Failed)
