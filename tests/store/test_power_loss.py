"""Power cuts: acknowledged marks survive, whatever part of unconfirmed writes is lost.

A child process works on a home, and `power_loss.c` logs every write. For many moments the test
makes the files that a disk may contain after a power cut: all that was confirmed, and any sectors
of the rest.
"""

import json
import os
import random
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from nbmail.store.doctor import diagnose
from tests.store.helpers import fill, logged_labels, open_store, stored_labels
from tests.store.test_kills import MESSAGES, Worker, is_exact

CUTS = 3000 if os.environ.get("NBMAIL_TORTURE") else 60
OPERATIONS = 120
SECTOR = 512
_HEAD = struct.Struct("<cIqI")

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs cc on Linux"
)


def work(home):
    """Run random operations in the child.

    Each is logged to a file that stands for the view of the user.
    """
    said = os.open(home / "said", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    worker = Worker(home, 7, said)
    worker.say(True)
    worker.mark_some()
    for _ in range(OPERATIONS):
        worker.chance.choice([*worker.actions(), worker.store.tidy])()
    os._exit(0)


@dataclass(frozen=True)
class Note:
    """Logged change of a file."""

    operation: str
    path: Path
    offset: int
    content: bytes


def notes_of(log):
    """Return all changes, in their order."""
    raw = log.read_bytes()
    at = 0
    names = {}
    notes = []
    while at < len(raw):
        operation, file, offset, length = _HEAD.unpack_from(raw, at)
        at += _HEAD.size
        content = raw[at : at + length]
        at = at + length
        if operation == b"O":
            names[file] = Path(content.decode())
        else:
            notes.append(Note(operation.decode(), names[file], offset, content))
    return notes


class Disk:
    """Confirmed content of files, and writes since that may be lost."""

    def __init__(self, files):
        self.certain = {path: bytearray(content) for path, content in files.items()}
        self.pending = {}

    def take(self, note):
        if note.operation == "S":
            for earlier in self.pending.pop(note.path, ()):
                _apply(self.certain, earlier)
        else:
            self.pending.setdefault(note.path, []).append(note)

    def after_a_cut(self, chance):
        """Return the files after a power cut: each sector that isn't certain is there or not."""
        files = {path: bytearray(content) for path, content in self.certain.items()}
        share = chance.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        for notes in self.pending.values():
            for note in notes:
                for sector in _sectors(note):
                    if chance.random() < share:
                        _apply(files, sector)
        return files


def _apply(files, note):
    content = files.setdefault(note.path, bytearray())
    if note.operation == "T":
        del content[note.offset :]
        content.extend(bytes(note.offset - len(content)))
        return
    content.extend(bytes(max(0, note.offset - len(content))))
    content[note.offset : note.offset + len(note.content)] = note.content


def _sectors(note):
    if note.operation != "W":
        return [note]
    cuts = [*range(0, len(note.content), SECTOR), len(note.content)]
    return [
        Note("W", note.path, note.offset + first, note.content[first:last])
        for first, last in pairwise(cuts)
    ]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Library that logs every write."""
    made = tmp_path_factory.mktemp("library") / "power_loss.so"
    source = Path(__file__).with_name("power_loss.c")
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True
    )
    return made


def watch(library, home, what, module="tests.store.test_power_loss"):
    """Return the files of a data folder before some work, and all changes to them."""
    log = home.with_name("log")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    code = f"from pathlib import Path; import {module} as here; here.{what}(Path({str(home)!r}))"
    more = {"LD_PRELOAD": str(library), "LOSS_LOG": str(log), "LOSS_FOLDER": str(home)}
    subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | more,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    return before, notes_of(log)


def allowed_after(said):
    """Return the labels that may be there: without or with the current operation."""
    lines = [json.loads(line) for line in said.splitlines() if line.endswith(b"]")]
    last = lines[-1:] if not lines or lines[-1][0] else lines[-2:]
    return [dict(labels) for _, labels, _, _ in last]


def test_every_acknowledged_mark_survives_a_power_cut(library, tmp_path):
    home = tmp_path / "home"
    with open_store(home) as store:
        fill(store, MESSAGES)
    before, notes = watch(library, home, "work")
    chance = random.Random(8)
    syncs = [place for place, note in enumerate(notes) if note.operation == "S"]
    cuts = sorted(
        {*chance.sample(range(len(notes)), CUTS // 2), *chance.choices(syncs, k=CUTS // 2)}
    )
    disk = Disk(before)
    said = b""
    lost = 0
    for place, note in enumerate(notes):
        if cuts and place == cuts[0]:
            cuts.pop(0)
            lost += any(disk.pending.values())
            check(disk.after_a_cut(chance), said, home, tmp_path / str(place))
        if note.path.name == "said":
            said += note.content
        else:
            disk.take(note)
    assert lost > CUTS // 10, "cuts must fall where something can be lost"


def put(files, home, copy):
    """Write the files into a data folder that can be opened."""
    for path, content in files.items():
        target = copy / path.relative_to(home)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        target.write_bytes(content)
        target.chmod(0o600)
    (copy / "data").chmod(0o700)


def check(files, said, home, copy):
    """Open the data folder as it would be found."""
    put(files, home, copy)
    with open_store(copy) as store:
        allowed = allowed_after(said)
        assert not allowed or store.labels.all() in allowed
        assert store.notes == ()
        assert logged_labels(store) == stored_labels(store)
        diagnosis = diagnose(store, 0.0)
        assert diagnosis.sound, diagnosis
        is_exact(store)
    shutil.rmtree(copy)
