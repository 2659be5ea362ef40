"""Recipients of sent mail are read from the headers, each once, before any other mail."""

import random

from nbmail.settings import Security
from nbmail.values import FolderName, Phase
from tests.faulty_line import FaultyLine
from tests.sync.letters import letters
from tests.waiting import wait_for

COUNT = 1100


def sent(numbers):
    return [
        f"To: P{number} <p{number}@x.example>\r\nMessage-ID: <s{number}@y>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\n"
        f"Subject: {'long ' * 50}\r\n\r\ntext\r\n".encode()
        for number in numbers
    ]


def recipients(backend):
    return sorted(to for each in backend.sent for message in each.messages for to in message.recipients)


def wanted(numbers):
    return sorted(f"p{number}@x.example" for number in numbers)


def test_all_sent_mail_is_read_in_batches_before_the_inbox_and_new_mail_later(dovecot, backend, synced):
    dovecot.put(sent(range(COUNT)), folder="Sent")
    dovecot.put(letters(3))
    early, take = [], backend.take_sent

    def take_early(mail):
        early.append(len(backend.deliveries))
        take(mail)

    backend.take_sent = take_early
    thread = synced(dovecot)
    assert set(early) == {0}
    assert recipients(backend) == wanted(range(COUNT))
    assert [each.complete for each in backend.sent] == [False, False, False, True]
    assert {each.folder for each in backend.sent} == {FolderName("alice", "Sent")}
    reported = [each for each in backend.of("alice") if each.folder == "Sent"]
    assert reported[-1][4:6] == (COUNT, COUNT)
    dovecot.client().append("Sent", sent([COUNT])[0])
    thread.wake()
    wait_for(lambda: recipients(backend) == wanted(range(COUNT + 1)))


def test_after_a_broken_line_reading_goes_on(dovecot, backend, watch):
    dovecot.put(sent(range(COUNT)), folder="Sent")
    line = FaultyLine(dovecot.port, random.Random(3), 5)
    try:
        watch(dovecot.account(security=Security.PLAIN, port=line.port))
        wait_for(lambda: any(each.complete for each in backend.sent))
        assert set(recipients(backend)) == set(wanted(range(COUNT)))
    finally:
        line.close()


def test_a_server_that_refuses_the_headers_still_delivers_mail(fake, backend, synced):
    def refuse(line, tag, arguments):
        if b"HEADER.FIELDS" not in arguments:
            return False
        line.say_line(tag + b" NO not here")
        return True

    server = fake(dict(enumerate(letters(2), 1)), hooks={"UID FETCH": refuse})
    server.folders[b"Gesendet"] = dict(enumerate(sent(range(3)), 1))
    synced(server)
    assert len(backend.messages()) == 2
    assert recipients(backend) == []
    assert backend.of("alice")[-1].phase is Phase.SYNCED


def test_a_folder_of_sent_mail_is_found_by_its_name(fake, backend, synced):
    server = fake(dict(enumerate(letters(2), 1)))
    server.folders[b"Gesendet"] = dict(enumerate(sent(range(3)), 1))
    synced(server)
    assert recipients(backend) == wanted(range(3))
