"""`nbmail account` and `nbmail watch` as a user or systemd starts them."""

import json
import subprocess
import sys

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings_file import load_settings
from nbmail.store.files.home_handover import request_home, wait_until_free
from tests.dovecot import PASSWORDS
from tests.e2e.running import ROOT, environment
from tests.e2e.watching import Place, mail
from tests.store.helpers import open_store
from tests.sync.letters import letter, letters
from tests.waiting import wait_for


@pytest.fixture
def place(tmp_path, dovecot):
    made = Place(tmp_path, dovecot)
    yield made
    made.close()


def test_an_account_is_added_listed_changed_and_removed(place):
    assert "Added alice" in place.add("--learn-spam", "Junk")
    [account] = load_settings(place.paths.settings).accounts
    assert (account.name, account.spam_folders, account.suggested_folders) == (
        "alice",
        ("Junk",),
        ("*",),
    )
    assert PASSWORDS["alice"] not in place.paths.settings.read_text()
    code, out, _ = place.account("list", "--json")
    assert (code, json.loads(out)["accounts"][0]["user"]) == (0, "alice")
    code, _, err = place.account("set", "alice", "--learn-ham", "Nowhere", *place.password)
    assert code == 2
    assert "Nowhere" in err
    code, _, _ = place.account("set", "alice", "--learn-ham", "Sent", *place.password)
    assert code == 0
    assert load_settings(place.paths.settings).accounts[0].ham_folders == ("Sent",)
    assert place.account("set", "alice", "--sorting-loss", "0.01", *place.password)[0] == 0
    assert place.account("set", "alice", "--sorting-loss", "2", *place.password)[0] == 2
    assert load_settings(place.paths.settings).accounts[0].suggested_folders == ("*",)
    assert (
        place.account("set", "alice", "--suggest", "Sent", "--folder", "", *place.password)[0] == 0
    )
    assert load_settings(place.paths.settings).accounts[0].suggested_folders == ("Sent",)
    assert load_settings(place.paths.settings).accounts[0].folders == ("INBOX",)
    assert load_settings(place.paths.settings).accounts[0].sorting_loss == 0.01
    assert place.account("remove", "alice")[0] == 0
    assert place.account("remove", "alice")[0] == 2
    assert load_settings(place.paths.settings).accounts == ()


def test_an_account_that_does_not_work_is_not_saved(place):
    wrong = place.folder / "wrong"
    wrong.write_text("wrong\n")
    wrong.chmod(0o600)
    account = place.dovecot.account()
    code, _, err = place.account(
        *(
            "add",
            "alice@example.org",
            "--user",
            "alice",
            "--server",
            "localhost",
            "--port",
            account.port,
        ),
        *("--authority-file", account.authority_file, "--password-file", wrong),
    )
    assert code == 2
    assert "refuses" in err
    assert load_settings(place.paths.settings).accounts == ()
    wrong.chmod(0o644)
    code, _, err = place.account(
        "add", "x@example.org", "--server", "localhost", "--password-file", wrong
    )
    assert code == 2
    assert "chmod 600" in err


def test_new_mail_is_decided_and_marks_made_elsewhere_are_learned(place):
    place.dovecot.put(letters(5))
    place.add("--learn-spam", "Junk", "--learn-ham", "Sent", "--sorting", "sort")
    client = place.dovecot.client()
    for first, folder in ((100, "Junk"), (200, "Sent")):
        for raw in letters(12, first=first):
            client.append(folder, raw)
    place.sync()
    running = place.watch("--json")
    waits = running.line("more marks")
    assert "alice: sorting begins after about " in waits and "Tested on 12 good messages" in waits
    place.deliver(letter(40))
    line = json.loads(running.line("letter 40"))
    assert line["verdict"] in ("spam", "ham", "unsure")
    assert line["probability"] is not None
    assert len(line["reasons"]) == 3
    client.add_flags(client.uids("INBOX", 40), [b"$Junk"])
    place.deliver(letter(41))
    running.line("letter 41")
    assert running.stop() == 0, running.errors
    assert place.labels()[line["subject"]] == "spam"
    assert len(place.labels()) == 25


def test_settings_are_read_again_and_a_local_mailbox_joins(place):
    place.add()
    running = place.watch()
    place.deliver(letter(1))
    running.line("letter 1")
    mails = place.folder / "mails"
    mails.mkdir()
    (mails / "one.eml").write_bytes(letter(77))
    assert place.account("add", mails, "--name", "here")[0] == 0
    running.line("letter 77")
    assert running.stop() == 0, running.errors


def test_the_window_takes_over_and_gives_back_and_a_kill_loses_nothing(place):
    place.dovecot.put(letters(2))
    place.add()
    running = place.watch()
    place.deliver(letter(30))
    running.line("letter 30")
    request_home(place.paths)
    with open_store(place.home) as store:
        message = int(store.listing.newest(9999).messages[0])
        store.marks.mark({message: "spam"}, by="user", moment=1.0)
        place.deliver(letter(31))
        with pytest.raises(KnownError) as refused:
            open_store(place.home).__enter__()
        assert refused.value.error_code is ErrorCode.HOME_IN_USE
    running.line("letter 31")
    running.kill()
    again = place.watch()
    place.deliver(letter(32))
    again.line("letter 32")
    assert again.stop() == 0, again.errors
    assert wait_until_free(place.paths, 60.0)
    assert list(place.labels().values()) == ["spam"]
    decided = [line for line in running.lines + again.lines if "letter 3" in line]
    assert len(decided) == 3 and place.ask("SELECT count(*) FROM messages") == [(5,)]


def test_qt_is_never_imported(tmp_path):
    code = (
        "import sys; from nbmail.__main__ import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(any(name.startswith('PySide6') for name in sys.modules))"
    )
    command = [sys.executable, "-c", code, "watch", "--once", "--home", str(tmp_path / "home")]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment(tmp_path), check=False
    )
    assert done.stdout.endswith("False\n"), done.stderr


def test_a_credential_of_systemd_is_used(place):
    place.add()
    folder = place.folder / "credentials"
    folder.mkdir()
    (folder / "alice").write_text(PASSWORDS["alice"])
    place.sync(CREDENTIALS_DIRECTORY=str(folder))


def test_spam_leaves_the_inbox_and_what_was_put_back_stays(place):
    learn = ("--learn-spam", "Junk", "--learn-ham", "Sent", "--learn-moves", "always")
    place.add(*learn, "--sorting", "sort", "--begin-now")
    client = place.dovecot.client()
    for number in range(40):
        client.append("Junk", mail(("spam", "pills")[number % 2], number))
        client.append("Sent", mail("ham", number))
    place.sync()
    rehearsing = place.watch("--rehearse")
    place.deliver(mail("spam", 99))
    rehearsing.line("would be moved")
    assert rehearsing.stop() == 0, rehearsing.errors
    running = place.watch()
    place.deliver(mail("ham", 100))
    place.deliver(mail("spam", 101))
    running.line("moved")
    wait_for(lambda: client.uids("Junk", 101) and not client.uids("INBOX", 101), "the move")
    client.move(client.uids("Junk", 101), "INBOX")
    place.deliver(mail("pills", 102))
    wait_for(lambda: client.uids("Junk", 102), "the next move")
    wait_for(lambda: any(subject.endswith(" 101") for subject in place.labels()), "the label")
    assert running.stop() == 0, running.errors
    place.deliver(mail("pills", 103))
    place.sync()
    assert client.uids("Junk", 103) and not client.uids("INBOX", 103)
    assert client.uids("INBOX", 101) and client.uids("INBOX", 99)
    learned = {subject[-3:]: label for subject, label in place.labels().items()}
    assert learned["101"] == "ham" and "102" not in learned
    lines = {
        number: [line for line in running.lines if f" {number}  [" in line]
        for number in (100, 101, 102)
    }
    assert [len(each) for each in lines.values()] == [1, 1, 1], running.lines
    assert all(
        each[0].rstrip().endswith("]  moved") and "[]" not in each[0]
        for each in (lines[101], lines[102])
    )


def test_moves_elsewhere_wait_for_an_answer_and_are_learned_after_it(place):
    place.dovecot.put(letters(4))
    place.add()
    place.sync()
    running = place.watch()
    place.deliver(letter(30))
    running.line("letter 30")
    client = place.dovecot.client()
    client.move(client.uids("INBOX", 2), "Junk")
    assert "alice: another mail program moved 1 message" in running.line("--learn-moves")
    assert running.stop() == 0 and place.labels() == {}
    again = place.watch()
    again.line("--learn-moves")
    assert place.account("set", "alice", "--learn-moves", "always", *place.password)[0] == 0
    wait_for(lambda: "letter 2" in place.labels(), "the label")
    assert again.stop() == 0 and list(place.labels().values()) == ["spam"]
