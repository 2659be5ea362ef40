"""Errors during a run: each has one sentence in the window, and nothing is lost."""

from PySide6.QtWidgets import QLabel

from nbmail.errors import ErrorCode
from nbmail.ui.texts.error_texts import error_notice
from tests.demo_letters import raw_letters
from tests.dovecot import PASSWORDS
from tests.e2e.running import check_up


def letters(count, start=0):
    return raw_letters()[start : start + count]


def said(window):
    return "\n".join(
        label.text() for label in window.findChildren(QLabel) if label.isVisibleTo(window)
    )


def test_a_wrong_password_is_requested_again_and_used(open_program, dovecot, qtbot):
    dovecot.put(letters(5))
    watch = open_program(dovecot.account(), passwords={"alice": "wrong"})
    advice = error_notice(ErrorCode.WRONG_PASSWORD)
    qtbot.waitUntil(lambda: advice.sentence in said(watch.window))
    assert advice.advice in said(watch.window)
    watch.program.accounts.set_password("alice", PASSWORDS["alice"])
    qtbot.waitUntil(lambda: len(watch.inbox()) == 5)
    qtbot.waitUntil(lambda: advice.sentence not in said(watch.window))


def test_a_stopped_server_is_reported_and_loses_nothing(open_program, make_dovecot, qtbot):
    dovecot = make_dovecot()
    dovecot.put(letters(20))
    watch = open_program(dovecot.account())
    qtbot.waitUntil(lambda: watch.synced and len(watch.inbox()) == 20)
    dovecot.kill()
    advice = error_notice(ErrorCode.NO_NETWORK)
    qtbot.waitUntil(lambda: not watch.synced)
    mark(watch, qtbot, 0, "spam", 1)
    watch.window.parts.actions.by_name["check"].trigger()
    qtbot.waitUntil(lambda: advice.sentence in said(watch.window))
    assert advice.advice in said(watch.window)
    dovecot.start()
    watch.window.parts.actions.by_name["check"].trigger()
    client = dovecot.client()
    client.select_folder("INBOX", readonly=True)
    qtbot.waitUntil(lambda: bool(client.noop() and client.search(["KEYWORD", "$Junk"])))
    qtbot.waitUntil(lambda: advice.sentence not in said(watch.window))
    assert len(watch.inbox()) == 20


BROKEN = [
    b"",
    b"\r\n\r\n",
    b"\x00\xff\xfe" * 300,
    b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
    + b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" * 3000,
    b"Subject: =?utf-8?b?////?=\r\nContent-Type: text/html; charset=no-such\r\n\r\n"
    + b"<table><tr><td>" * 5000,
    b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!====\r\n",
]


def test_malformed_messages_are_shown(open_program, dovecot, tmp_path, qtbot):
    dovecot.put([*BROKEN, *letters(5)])
    watch = open_program(dovecot.account())
    qtbot.waitUntil(lambda: watch.synced and watch.is_quiet())
    assert len(watch.inbox()) >= 9
    for message in watch.inbox():
        watch.open_message(message)
        qtbot.waitUntil(lambda message=message: watch.has_read(message))
        watch.trigger("ham")
    qtbot.waitUntil(lambda: watch.known("ham") == len(watch.inbox()))
    open_program.end()
    assert check_up(tmp_path / "home") == []


def test_a_full_disk_loses_nothing_and_work_continues_with_free_space(
    open_program, dovecot, small_disk, qtbot
):
    dovecot.put(letters(20))
    watch = open_program(dovecot.account(), home=small_disk / "home")
    qtbot.waitUntil(lambda: watch.synced and len(watch.inbox()) == 20)
    mark(watch, qtbot, 0, "spam", 1)
    fill(small_disk / "ballast")
    advice = error_notice(ErrorCode.DISK_FULL)
    watch.open_message(watch.inbox()[1])
    while advice.sentence not in said(watch.window):
        watch.trigger("ham")
        # One at a time: none must be left that succeeds when there is room again.
        qtbot.waitUntil(watch.is_quiet)
    assert advice.advice in said(watch.window)
    known = watch.known("spam"), watch.known("ham")
    (small_disk / "ballast").unlink()
    mark(watch, qtbot, 2, "spam", known[0] + 1)
    assert watch.known("ham") == known[1]
    open_program.end()
    unsound = [finding.name for finding in check_up(small_disk / "home")]
    assert [name for name in unsound if name != "disk"] == [], (
        "but for the disk being small, which it says itself"
    )


def mark(watch, qtbot, place, label, then):
    watch.open_message(watch.inbox()[place])
    watch.trigger(label)
    qtbot.waitUntil(lambda: watch.known(label) == then)


def fill(path):
    with open(path, "wb", buffering=0) as file:
        size = 65536
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
