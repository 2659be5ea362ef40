"""`nbmail account` and `nbmail watch`, started as a user or systemd starts them, on a real mail server."""

import json
import signal
import subprocess
import sys

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import load_settings
from nbmail.store.files.home_lock import request_home, wait_until_free
from tests.dovecot import PASSWORDS
from tests.e2e.running import ROOT, ask_copy, environment, run_nbmail
from tests.e2e.watching import Place, Watching, mail
from tests.store.helpers import open_store
from tests.sync.letters import letter, letters
from tests.waiting import wait_for


@pytest.fixture
def place(tmp_path, dovecot):
    return Place(tmp_path, dovecot)


@pytest.fixture
def watching(place):
    started = []

    def start(*more):
        started.append(Watching(place, *more))
        return started[-1]

    yield start
    for each in started:
        each.end(signal.SIGKILL)


def subjects(place):
    with open_store(place.home) as store:
        return set(store.listing.all().subjects)


def labels(place):
    with open_store(place.home) as store:
        rows = store.listing.all()
        return {
            subject: rows.label_names[label]
            for subject, label in zip(rows.subjects, rows.labels.tolist(), strict=True)
            if label >= 0
        }


def test_an_account_is_added_listed_changed_and_removed(place):
    assert "Added alice" in place.add("--learn-junk", "Junk")
    [account] = load_settings(place.paths.settings).accounts
    assert (account.name, account.junk_folders, account.suggested_folders) == ("alice", ("Junk",), ("*",))
    assert PASSWORDS["alice"] not in place.paths.settings.read_text()
    code, out, _ = place.account("list", "--json")
    assert (code, json.loads(out)["accounts"][0]["user"]) == (0, "alice")
    code, _, err = place.account("set", "alice", "--learn-good", "Nowhere", "--password-file", place.secret)
    assert code == 2
    assert "Nowhere" in err
    code, _, _ = place.account("set", "alice", "--learn-good", "Sent", "--password-file", place.secret)
    assert code == 0
    assert load_settings(place.paths.settings).accounts[0].good_folders == ("Sent",)
    secret = ("--password-file", place.secret)
    assert place.account("set", "alice", "--sorting-loss", "0.01", *secret)[0] == 0
    assert place.account("set", "alice", "--sorting-loss", "2", *secret)[0] == 2
    assert load_settings(place.paths.settings).accounts[0].suggested_folders == ("*",)
    assert place.account("set", "alice", "--suggest", "Sent", "--folder", "", *secret)[0] == 0
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
        *("add", "alice@example.org", "--user", "alice", "--server", "localhost", "--port", account.port),
        *("--authority-file", account.authority_file, "--password-file", wrong),
    )
    assert code == 2
    assert "refuses" in err
    assert load_settings(place.paths.settings).accounts == ()
    wrong.chmod(0o644)
    code, _, err = place.account("add", "x@example.org", "--server", "localhost", "--password-file", wrong)
    assert code == 2
    assert "chmod 600" in err


def test_new_mail_is_decided_and_marks_made_elsewhere_are_learned(place, watching):
    place.dovecot.put(letters(5))
    place.add("--learn-junk", "Junk", "--learn-good", "Sent", "--sorting", "sort")
    client = place.dovecot.client()
    for first, folder in ((100, "Junk"), (200, "Sent")):
        for raw in letters(12, first=first):
            client.append(folder, raw)
    place.sync()
    running = watching("--json")
    waits = wait_for(lambda: next((each for each in running.errors if "more marks" in each), None), "the report")
    assert "alice: sorting begins after about " in waits and "Tested on 12 good messages" in waits
    place.deliver(letter(40))
    line = json.loads(running.wait_for("letter 40"))
    assert line["verdict"] in ("junk", "good", "unsure")
    assert line["probability"] is not None
    assert len(line["reasons"]) == 3
    client.select_folder("INBOX")
    [latest] = client.search(["SUBJECT", line["subject"]])
    client.add_flags([latest], [b"$Junk"])
    place.deliver(letter(41))
    running.wait_for("letter 41")
    assert running.end() == 0, running.errors
    assert labels(place)[line["subject"]] == "junk"
    assert len(labels(place)) == 25


def test_settings_are_read_again_and_a_local_mailbox_joins(place, watching):
    place.add()
    running = watching()
    place.deliver(letter(1))
    running.wait_for("letter 1")
    mails = place.folder / "mails"
    mails.mkdir()
    (mails / "one.eml").write_bytes(letter(77))
    assert place.account("add", mails, "--name", "here")[0] == 0
    running.wait_for("letter 77")
    assert running.end() == 0, running.errors


def test_the_window_takes_over_and_gives_back(place, watching):
    place.dovecot.put(letters(2))
    place.add()
    running = watching()
    place.deliver(letter(30))
    running.wait_for("letter 30")
    request_home(place.paths)
    with open_store(place.home) as store:
        message = int(store.listing.all().messages[0])
        store.marks.mark({message: "junk"}, by="user", moment=1.0)
        place.deliver(letter(31))
        with pytest.raises(KnownError) as refused:
            open_store(place.home).__enter__()
        assert refused.value.error_code is ErrorCode.HOME_IN_USE
    running.wait_for("letter 31")
    assert running.end() == 0, running.errors
    assert wait_until_free(place.paths, 60.0)
    assert list(labels(place).values()) == ["junk"]


def test_a_kill_loses_nothing(place, watching):
    place.dovecot.put(letters(3))
    place.add()
    running = watching()
    place.deliver(letter(50))
    running.wait_for("letter 50")
    running.end(signal.SIGKILL)
    again = watching()
    place.deliver(letter(51))
    again.wait_for("letter 51")
    assert not any("letter 50" in line for line in again.lines)
    assert again.end() == 0
    assert len(subjects(place)) == 5


def test_a_password_file_that_others_can_read_is_refused(place):
    place.add()
    place.secret.chmod(0o640)
    code, _, err = run_nbmail(place.folder, "watch", "--once", "--home", place.home, "--password-file", place.secret)
    assert code == 2
    assert "chmod 600" in err


def test_qt_is_never_imported(tmp_path):
    code = (
        "import sys; from nbmail.__main__ import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(any(name.startswith('PySide6') for name in sys.modules))"
    )
    command = [sys.executable, "-c", code, "watch", "--once", "--home", str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment(tmp_path), check=False)
    assert done.stdout.endswith("False\n"), done.stderr


def test_a_credential_of_systemd_is_used(place):
    place.add()
    folder = place.folder / "credentials"
    folder.mkdir()
    (folder / "alice").write_text(PASSWORDS["alice"])
    place.sync(CREDENTIALS_DIRECTORY=str(folder))


LABEL_OF = "SELECT class FROM labels JOIN messages ON messages.number = message WHERE subject LIKE ?"


def in_folder(client, folder, number):
    client.select_folder(folder, readonly=True)
    client.noop()
    return bool(client.search(["HEADER", "Message-ID", f"{number}@"]))


def test_junk_leaves_the_inbox_and_what_was_put_back_stays(place, watching):
    learn = ("--learn-junk", "Junk", "--learn-good", "Sent", "--learn-moves", "always")
    place.add(*learn, "--sorting", "sort", "--begin-now")
    client = place.dovecot.client()
    for number in range(40):
        client.append("Junk", mail(("junk", "pills")[number % 2], number))
        client.append("Sent", mail("good", number))
    place.sync()
    running = watching()
    place.deliver(mail("good", 100))
    place.deliver(mail("junk", 101))
    running.wait_for("moved")
    wait_for(lambda: in_folder(client, "Junk", 101) and not in_folder(client, "INBOX", 101), "the move")
    client.select_folder("Junk")
    client.move(client.search(["HEADER", "Message-ID", "junk101@"]), "INBOX")
    place.deliver(mail("pills", 102))
    wait_for(lambda: in_folder(client, "Junk", 102), "the next move")
    wait_for(lambda: ask_copy(place.paths.database, LABEL_OF, "% 101"), "the label")
    assert running.end() == 0, running.errors
    place.deliver(mail("pills", 103))
    place.sync()
    assert in_folder(client, "Junk", 103) and not in_folder(client, "INBOX", 103)
    assert in_folder(client, "INBOX", 101)
    learned = {subject[-3:]: label for subject, label in labels(place).items()}
    assert learned["101"] == "good" and "102" not in learned
    lines = {number: [line for line in running.lines if f" {number}  [" in line] for number in (100, 101, 102)}
    assert [len(each) for each in lines.values()] == [1, 1, 1], running.lines
    assert all(each[0].rstrip().endswith("]  moved") and "[]" not in each[0] for each in (lines[101], lines[102]))


def test_moves_elsewhere_wait_for_an_answer_and_are_learned_after_it(place, watching):
    place.dovecot.put(letters(4))
    place.add()
    secret = ("--password-file", place.secret)
    place.sync()
    running = watching()
    place.deliver(letter(30))
    running.wait_for("letter 30")
    client = place.dovecot.client()
    client.select_folder("INBOX")
    client.move(client.search(["HEADER", "Message-ID", "<2@"]), "Junk")
    said = wait_for(lambda: next((each for each in running.errors if "--learn-moves" in each), None), "the report")
    assert "alice: another mail program moved 1 message" in said
    assert running.end() == 0 and labels(place) == {}
    again = watching()
    wait_for(lambda: any("--learn-moves" in each for each in again.errors), "the repeated report")
    assert place.account("set", "alice", "--learn-moves", "always", *secret)[0] == 0
    wait_for(lambda: ask_copy(place.paths.database, LABEL_OF, "letter 2%"), "the label")
    assert again.end() == 0 and list(labels(place).values()) == ["junk"]


def test_a_rehearsal_moves_nothing(place, watching):
    place.add("--learn-junk", "Junk", "--learn-good", "Sent", "--sorting", "sort", "--begin-now")
    client = place.dovecot.client()
    for number in range(40):
        client.append("Junk", mail("junk", number))
        client.append("Sent", mail("good", number))
    place.sync()
    running = watching("--rehearse")
    place.deliver(mail("junk", 101))
    running.wait_for("would be moved")
    assert running.end() == 0, running.errors
    assert in_folder(client, "INBOX", 101)
