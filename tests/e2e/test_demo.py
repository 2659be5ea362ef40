"""`nbmail --demo`, with and without a screen, and `nbmail --self-test`."""

import re
from pathlib import Path

from nbmail.app.scripted.tour import HAM_SUBJECT, SPAM_SUBJECT
from tests.e2e.running import Running, run_nbmail
from tests.waiting import wait_for

# Sixty in two folders that teach, and some in the inbox that another mail program has marked.
LABELLED = 76


def _homes(folder):
    return list(Path(folder).glob("nbmail-demo-*"))


def test_the_demo_opens_a_window_learns_and_leaves_no_files(tmp_path, screen):
    with Running(tmp_path, "--demo", screen=screen) as running:
        screen.focus("nbmail")
        (home,) = _homes(tmp_path)
        running.data = home / "data" / "nbmail.sqlite3"
        running.wait_for("the mail", lambda: running.count() >= 250)
        running.wait_for("the labels it comes with", lambda: len(running.labels()) >= LABELLED)
        before = running.labels()
        running.wait_for("mail that arrives while one watches", lambda: running.count() > 291)
        running.until("its row", lambda shown: shown["count"] > 291 and shown["has_keys"])
        screen.press("Home", "exclam")
        running.wait_for("the mark", lambda: len(running.labels()) == len(before) + 1)
        running.until("undo", lambda shown: shown["can_undo"])
        screen.press("ctrl+z")
        running.wait_for("the mark undone", lambda: running.labels() == before)
        screen.press("ctrl+q")
        assert running.end() == (0, "")
    assert _homes(tmp_path) == []


def test_the_server_and_files_of_a_killed_demo_are_removed(tmp_path, screen):
    with Running(tmp_path, "--demo", screen=screen) as running:
        screen.focus("nbmail")
        (home,) = _homes(tmp_path)
        running.data = home / "data" / "nbmail.sqlite3"
        running.wait_for("some mail", running.count)
        running.kill()
    wait_for(lambda: not _homes(tmp_path), "the home of a killed demo to be cleared away")


def test_without_a_display_the_demo_runs_its_tour(tmp_path):
    code, shown, complaints = run_nbmail(
        tmp_path,
        "--demo",
        "--pictures",
        tmp_path / "pictures",
        patience=300,
        DISPLAY=":4711",
        QT_QPA_PLATFORM="xcb",
    )
    assert (code, complaints) == (0, "")
    assert "No display" in shown
    tables = re.findall(r"^chance +verdict +from +subject", shown, re.MULTILINE)
    assert len(tables) == 2
    rows = re.findall(
        r"^.{17}  (?:Not spam|Spam|Unsure)  .*?  [+-]\S.*  [+-]\S.*  [+-]\S", shown, re.MULTILINE
    )
    assert all(f"“{subject}”: Marked" in shown for subject in (SPAM_SUBJECT, HAM_SUBJECT))
    assert len(rows) >= 60
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 3
    assert (tmp_path / "pictures" / "demo.nbmodel").stat().st_size > 1000
    assert _homes(tmp_path) == []


def test_the_window_requires_a_display(tmp_path):
    code, shown, complaints = run_nbmail(tmp_path, "--home", tmp_path / "home")
    assert (code, shown) == (2, "")
    assert complaints.startswith("nbmail: No display found")
    assert not (tmp_path / "home").exists()


def test_the_self_test_passes_every_check(tmp_path):
    code, shown, complaints = run_nbmail(tmp_path, "--self-test", patience=300)
    assert (code, complaints) == (0, "")
    assert shown.splitlines()[-1] == "All checks passed."
    assert "the mark undone" in shown
    assert _homes(tmp_path) == []
