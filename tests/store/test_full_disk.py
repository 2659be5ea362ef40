"""Full, read-only and failing disks: a clear error, no loss, and work goes on later."""

import contextlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from nbmail.chunks import drain
from nbmail.cli.main import main
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.doctor import diagnose
from nbmail.store.files.quarantine import replace_database
from nbmail.store.labels.journal import By
from nbmail.worker.model.label_files import import_labels
from tests.store.helpers import fill, keywords, learned, open_store, rebuilt, take

PAGE = 4096


class SmallDisk:
    """A file system in memory of which all but some pages can be taken away."""

    def __init__(self, folder):
        self.folder = folder
        self.ballast = folder / "ballast"

    def leave(self, pages):
        """Fill the disk up to this number of pages."""
        self.clear()
        free = os.statvfs(self.folder).f_bavail
        self.ballast.write_bytes(b"x" * PAGE * max(0, free - pages))

    def clear(self):
        self.ballast.unlink(missing_ok=True)


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={4096 * PAGE}", "none", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root; the file size limit is tested instead")
    yield SmallDisk(folder)
    subprocess.run(["umount", str(folder)], check=True)


class AccountBackend:
    """Store, and the labels that were acknowledged."""

    def __init__(self, store, acknowledged=()):
        self.store = store
        self.acknowledged = dict(acknowledged)

    def mark(self, which, label):
        actions = keywords(self.store)
        self.store.marks.mark(dict.fromkeys(which, label), by=By.USER, moment=9.0, actions=actions)
        self.acknowledged.update(dict.fromkeys(which, label))

    def work(self, messages):
        self.mark(messages[:1], "spam")
        take(self.store, range(100, 130), modseq=7, complete=True)
        self.mark(messages[1:20], "ham")
        self.mark(messages[:1], "ham")
        self.store.marks.undo(moment=10.0)
        self.acknowledged[messages[0]] = "spam"
        self.store.model.make_exact()
        drain(self.store.model.write_snapshot())
        self.mark(messages[20:40], "spam")
        self.store.tidy()


def is_sound(store, acknowledged):
    """Check that all acknowledged labels are there and all derived data is right."""
    labels = store.labels.all()
    assert {message: labels.get(message) for message in acknowledged} == acknowledged
    anew = rebuilt(store)
    assert store.model.is_stale or store.model.model.counts == anew.counts
    assert not store.model.is_exact or learned(store.model.model) == learned(anew)
    findings = [one for one in diagnose(store, 0.0).findings if one.name != "disk"]
    assert all(one.sound for one in findings), findings


# The work needs about 200 pages in all.
@pytest.mark.parametrize("start", [0, 9])
def test_a_disk_that_is_full_at_any_write_loses_nothing(disk, start):
    store = open_store(disk.folder / "home")
    messages = fill(store, 60)
    refusals = 0
    backend = AccountBackend(store)
    with contextlib.closing(store):
        for pages in range(start, 250, 1 if os.environ.get("NBMAIL_TORTURE") else 16):
            disk.leave(pages)
            try:
                backend.work(messages)
            except KnownError as error:
                assert error.error_code is ErrorCode.DISK_FULL, error
                refusals += 1
            disk.clear()
            store.tidy()
            take(store, range(100, 130), modseq=7, complete=True)
            is_sound(store, backend.acknowledged)
            backend.mark(messages, None)
    assert refusals >= 3


def test_a_disk_that_is_full_at_a_replacement_changes_nothing(disk):
    """A damaged file stays in its place until another can replace it."""
    paths = Paths.under(disk.folder / "home")
    open_store(disk.folder / "home").close()
    paths.database.write_bytes(b"damaged" * PAGE)
    for pages in (0, 9):
        disk.leave(pages)
        with pytest.raises(KnownError) as raised:
            replace_database(paths, 1.0)
        assert raised.value.error_code is ErrorCode.DISK_FULL
        assert paths.database.read_bytes() == b"damaged" * PAGE
    disk.clear()
    kept = replace_database(paths, 1.0)
    assert (kept / paths.database.name).read_bytes() == b"damaged" * PAGE
    with open_store(disk.folder / "home") as store:
        assert len(store.labels) == 0


def test_a_disk_that_is_full_at_the_opening_loses_nothing(disk):
    with open_store(disk.folder / "home") as store:
        messages = fill(store, 60)
        store.marks.mark(dict.fromkeys(messages, "spam"), by=By.USER, moment=1.0)
    for pages in range(12):
        disk.leave(pages)
        with contextlib.suppress(KnownError), open_store(disk.folder / "home") as store:
            assert len(store.labels) == 60
        disk.clear()
        with open_store(disk.folder / "home") as store:
            is_sound(store, dict.fromkeys(messages, "spam"))


@pytest.mark.parametrize("killed", [False, True])
def test_all_that_only_reads_works_on_a_read_only_disk(disk, tmp_path, capsys, killed):
    home = disk.folder / "home"
    letter = tmp_path / "letter.eml"
    letter.write_bytes(b"From: a@example.org\nSubject: word1 word2\n\nword3 word4\n")
    with open_store(disk.folder / "work") as store:
        messages = fill(store, 40)
        labels = {message: ("spam", "ham")[message % 2] for message in messages[:30]}
        store.marks.mark(labels, by=By.USER, moment=1.0)
        if killed:
            shutil.copytree(disk.folder / "work", home)
            assert (home / "data" / "nbmail.sqlite3-wal").stat().st_size
    if not killed:
        (disk.folder / "work").rename(home)
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    remount(disk, "ro")
    try:
        for command in (
            ["score", letter],
            ["doctor"],
            ["export", tmp_path / "model.nbmodel"],
            ["labels", "export", tmp_path / "labels.log"],
        ):
            assert main([command[0], "--home", str(home), *map(str, command[1:])]) == 0, (
                capsys.readouterr()
            )
            out, _ = capsys.readouterr()
            if command[0] == "doctor":
                assert "No problems found: 40 messages, 30 labels." in out
                assert "not checked" in out
        for command in (
            ["learn", "--as", "spam", letter],
            ["doctor", "--repair"],
            ["watch", "--once"],
        ):
            assert main([command[0], "--home", str(home), *map(str, command[1:])]) == 2
            assert "No permission to write" in capsys.readouterr().err
        assert (
            main(["learn", "--home", str(disk.folder / "none"), "--as", "spam", str(letter)]) == 2
        )
        assert "No permission to write" in capsys.readouterr().err
    finally:
        remount(disk, "rw")
    assert (tmp_path / "labels.log").read_bytes() == (home / "data" / "labels.log").read_bytes()
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    with open_store(tmp_path / "other") as store:
        fill(store, 40)
        import_labels(store, tmp_path / "labels.log", 9.0)
        assert len(store.labels) == 30


def test_a_full_disk_makes_nothing_damaged(disk, capsys):
    """Opened and checked with no room at all, then with room: nothing was ever wrong."""
    home = disk.folder / "home"
    with open_store(home) as store:
        store.marks.mark(dict.fromkeys(fill(store, 40), "spam"), by=By.USER, moment=1.0)
    for pages in (0, 1, 4, 9):
        disk.leave(pages)
        assert main(["doctor", "--home", str(home), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["sound"]
        disk.clear()
    assert not (home / "data" / "damaged").exists()
    with open_store(home) as store:
        assert [one for one in diagnose(store, 0.0).findings if one.detail] == []


def remount(disk, way):
    subprocess.run(["mount", "-o", f"remount,{way}", str(disk.folder)], check=True)


def test_a_database_turned_read_only_reports_it_and_works_later(tmp_path):
    with open_store(tmp_path) as store:
        messages = fill(store, 60)
        kept = dict.fromkeys(messages[40:], "spam")
        store.marks.mark(kept, by=By.USER, moment=1.0)
        for action in (
            lambda: store.marks.mark(dict.fromkeys(messages[:5], "ham"), by=By.USER, moment=2.0),
            lambda: store.marks.undo(moment=2.0),
            lambda: take(store, range(200, 210)),
            lambda: store.marks.restore(0, moment=2.0),
            lambda: store.settings.set("x", 1),
            lambda: store.folders.forget("anna"),
        ):
            store.connection.execute("PRAGMA query_only = ON")
            with pytest.raises(KnownError) as caught:
                action()
            assert caught.value.error_code is ErrorCode.READ_ONLY
            store.connection.execute("PRAGMA query_only = OFF")
            is_sound(store, kept)
        backend = AccountBackend(store, kept)
        backend.work(messages)
        is_sound(store, backend.acknowledged)


LIMITED = """
import json, resource, signal, sys
from pathlib import Path
from nbmail.errors import KnownError
from nbmail.store.labels.journal import By
from tests.store.helpers import open_store, rebuilt
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[2])
with open_store(Path(sys.argv[1])) as store:
    messages = list(range(1, 61))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    done = []
    try:
        for message in messages:
            store.marks.mark({message: "spam"}, by=By.USER, moment=1.0)
            done.append(message)
    except KnownError as error:
        trouble = str(error.error_code)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.marks.mark({60: "ham"}, by=By.USER, moment=1.0)
    print(json.dumps([done, trouble, store.model.model.counts == rebuilt(store).counts]))
"""


@pytest.mark.parametrize("pages", [45, 90])
def test_a_disk_that_fails_during_work_loses_nothing(tmp_path, pages):
    """The limit on file sizes, met in the log, stands for a failing disk."""
    with open_store(tmp_path) as store:
        fill(store, 60)
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path), str(pages * PAGE)],
        capture_output=True,
        text=True,
        check=True,
    )
    done, error_code, same = json.loads(run.stdout)
    assert error_code in (ErrorCode.DISK_ERROR, ErrorCode.DISK_FULL)
    assert same
    assert 0 < len(done) < 60
    with open_store(tmp_path) as store:
        assert store.labels.all() == {**dict.fromkeys(done, "spam"), 60: "ham"}
        assert diagnose(store, 0.0).sound
