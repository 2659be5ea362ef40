"""A first sync from Dovecot: fetched, learned, scored and stored, beside `mbsync` followed by bogofilter, by turns.

Both fetch the same two folders over TLS from the same server into an empty home: nbmail through an account thread and
the real engine, learning each folder's label, until every message is stored and has its score; the peer with `mbsync`
(without fsync, which would make it ten times slower) and `bogofilter` registering what came. Neither program's start
is counted. The folders hold 5,000 messages of NBMAIL_CORPORA/spamassassin, or made-up ones.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from nbmail.paths import Paths
from nbmail.sync.account import AccountThread
from nbmail.values import Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import AccountChanged, Done, ListMail
from tests.bench._dovecot_mail import corpus_mail
from tests.dovecot import PASSWORDS, Dovecot
from tests.needs import need_program
from tests.worker.conftest import wait_until_ready

GOAL = 1.5
FOLDERS = {"Good": "good", "Rubbish": "junk"}
PATIENCE = 300.0

MBSYNC = """
FSync no
IMAPAccount a
Host localhost
Port {port}
User alice
Pass {password}
{tls}
CertificateFile {authority}

IMAPStore far
Account a

MaildirStore near
Path {near}/
Inbox {near}/INBOX
SubFolders Verbatim

Channel all
Far :far:
Near :near:
Patterns Good Rubbish
Create Near
Sync Pull
SyncState *
"""


def run(arguments):
    """Compare; 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    server = Dovecot()
    try:
        source = fill(server, options.messages)
        pairs = [(ours(server, options.messages), theirs(server, options.messages)) for _ in range(options.rounds)]
    finally:
        server.close()
    return report(options, source, pairs)


def report(options, source, pairs):
    """Print the medians and the median of the paired ratios."""
    mine, peer = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(theirs / ours for ours, theirs in pairs)
    figures = {"messages": options.messages, "source": source, "nbmail_seconds": round(mine, 3)}
    figures |= {"mbsync_bogofilter_seconds": round(peer, 3), "ratio": round(ratio, 2), "goal": GOAL}
    if options.json:
        print(json.dumps(figures))
    else:
        print(f"first sync of {options.messages} messages ({source}), median of {options.rounds}:")
        print(f"  nbmail {mine:.2f} s, mbsync then bogofilter {peer:.2f} s: {ratio:.2f} times as fast (goal {GOAL})")
    return 0 if ratio >= GOAL else 1


def fill(server, count):
    """Lay the mail into two folders, and let the server index them as it would have long ago."""
    mail, source = corpus_mail(count)
    client = server.client()
    for folder, label in FOLDERS.items():
        client.create_folder(folder)
        server.put([raw for its, raw in mail if its == label], folder=folder)
        client.select_folder(folder, readonly=True)
        client.fetch(client.search("ALL"), ["RFC822.SIZE"])
    return source


def ours(server, count):
    """Seconds of nbmail."""
    with tempfile.TemporaryDirectory() as home:
        paths = Paths.under(Path(home))
        paths.make()
        return sync_once(server, paths, count)


def sync_once(server, paths, count):
    """From the thread's start to the last score."""
    done, results = threading.Event(), []

    def emit(event):
        if isinstance(event, AccountChanged) and event.state.phase in (Phase.IN_STEP, Phase.NEEDS_YOU, Phase.OFFLINE):
            results.append(event.state)
            engine.submit(ListMail())
        elif isinstance(event, Done) and event.result is not None:
            results.append(event.result)
            done.set()

    engine = Engine(paths, time.time, emit)
    engine.start()
    wait_until_ready(engine, PATIENCE)
    account = server.account(
        folders=(), good_folders=("Good",), junk_folders=("Rubbish",), watch_junk=False, poll_seconds=60.0
    )
    thread = AccountThread(account, engine.desk, lambda: PASSWORDS["alice"])
    try:
        began = time.perf_counter()
        thread.start()
        done.wait(PATIENCE)
        took = time.perf_counter() - began
    finally:
        thread.stop()
        thread.join()
        engine.stop()
    rows = results[-1]
    assert results[0].phase is Phase.IN_STEP, results[0]
    assert len(rows.messages) >= count * 0.95, f"only {len(rows.messages)} came"
    assert all(label >= 0 for label in rows.labels), "not all are learned"
    return took


def theirs(server, count):
    """Seconds of the peers: fetch everything, then register each folder."""
    mbsync, bogofilter = need_program("mbsync"), need_program("bogofilter")
    with tempfile.TemporaryDirectory() as home:
        near, words = Path(home) / "mail", Path(home) / "words"
        near.mkdir()
        words.mkdir()
        settings = Path(home) / "mbsyncrc"
        tls = "SSLType IMAPS"
        authority, password = server.authority, PASSWORDS["alice"]
        settings.write_text(
            MBSYNC.format(port=server.tls_port, password=password, authority=authority, near=near, tls=tls)
        )
        began = time.perf_counter()
        subprocess.run([mbsync, "-q", "-c", settings, "-a"], check=True, timeout=PATIENCE)
        for folder, flag in (("Good", "-n"), ("Rubbish", "-s")):
            files = "\n".join(str(path) for part in ("new", "cur") for path in (near / folder / part).iterdir())
            command = [bogofilter, "-d", words, flag, "-b"]
            subprocess.run(command, input=files, text=True, check=True, timeout=PATIENCE)
        took = time.perf_counter() - began
        came = sum(1 for path in near.rglob("*") if path.is_file() and path.parent.name in ("new", "cur"))
        assert came == count, f"only {came} came"
    return took
