"""Recipients of sent mail are read from the headers, each once, before any other mail."""

from nbmail.settings import Security
from nbmail.values import FolderName, Phase
from tests.fake_imap import says, when
from tests.sync.letters import LETTERS, letter, letters
from tests.waiting import wait_for

COUNT = 1100


def sent(numbers):
    return [
        f"To: P{number} <p{number}@x.example>\r\nMessage-ID: <s{number}@y>\r\nDate: Mon, 2 "
        f"Nov 2026 10:00:00 +0000\r\n"
        f"Subject: {'long ' * 50}\r\n\r\ntext\r\n".encode()
        for number in numbers
    ]


def recipients(backend):
    return sorted(
        to for each in backend.sent for message in each.messages for to in message.recipients
    )


def wanted(numbers):
    return sorted(f"p{number}@x.example" for number in numbers)


def test_all_sent_mail_is_read_in_batches_before_the_inbox_and_new_mail_later(
    dovecot, backend, synced
):
    dovecot.put(sent(range(COUNT)), folder="Sent")
    dovecot.put(letters(3))
    early = []
    take = backend.take_sent

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


def test_reading_of_sent_mail_continues_after_a_broken_line(dovecot, backend, watch, faulty_line):
    dovecot.put(sent(range(COUNT)), folder="Sent")
    line = faulty_line(dovecot.port, 3, 5)
    watch(dovecot.account(security=Security.PLAIN, port=line.port))
    wait_for(lambda: any(each.complete for each in backend.sent))
    assert set(recipients(backend)) == set(wanted(range(COUNT)))


def test_a_server_that_refuses_the_headers_still_delivers_mail(fake, backend, synced):
    """The folder of sent mail is found by its name."""
    server = fake(hooks={"UID FETCH": when(b"HEADER.FIELDS", says(b"NO not here"))})
    server.folders[b"Gesendet"] = dict(enumerate(sent(range(3)), 1))
    thread = synced(server)
    assert backend.messages() == LETTERS
    assert recipients(backend) == []
    assert backend.of("alice")[-1].phase is Phase.SYNCED
    server.hooks.clear()
    server.put(4, sent([3])[0], b"Gesendet")
    thread.wake()
    backend.wait(lambda: recipients(backend) == wanted(range(3, 4)))


def test_the_state_of_sent_mail_costs_no_round_trip_before_announced_mail(fake, backend, synced):
    """The answer to STATUS comes only when SELECT has arrived. Sent mail is still read first."""
    server = fake()
    server.folders[b"Sent"] = dict(enumerate(sent([1]), 1))
    synced(server, poll_seconds=60.0)
    waiting = []
    released = []

    def hold(line, tag, arguments):
        if line.selected == b"INBOX" and b"Sent" in arguments:
            waiting.append((tag, arguments))
        return bool(waiting)

    def release(line, tag, arguments):
        released.extend(waiting)
        while waiting:
            server.answer("STATUS", line, *waiting.pop())

    server.hooks |= {"STATUS": hold, "SELECT": release}
    order = []
    submit = backend.submit
    take_sent = backend.take_sent
    backend.submit = lambda delivery: order.append("arrival") or submit(delivery)
    backend.take_sent = lambda mail: order.append("sent") or take_sent(mail)
    server.put(2, sent([2])[0], b"Sent", silent=True)
    server.put(99, letter(99))
    backend.wait(lambda: letter(99) in backend.messages().values())
    assert recipients(backend) == wanted([1, 2])
    assert released
    assert order[0] == "sent" and order[-1] == "arrival"
