"""A first sync from Dovecot: fetched, learned, scored and stored, beside `mbsync` followed by
bogofilter, by turns.

Both fetch the same two folders over TLS from the same server: nbmail through an account thread and
the engine, learning each folder's label, until every message has its score; the peer with `mbsync`
(without fsync, which would make it ten times slower), then `bogofilter`. The start of the programs
is not counted. The folders have 5,000 messages.
"""

import contextlib
import statistics
import subprocess
import time

from nbmail.values import AccountState, Phase
from tests.bench._frame import (
    PATIENCE,
    Events,
    corpus_mail,
    new_folder,
    options_of,
    running_engine,
    show,
    synced,
)
from tests.dovecot import PASSWORDS, Dovecot
from tests.needs import need_program

GOAL = 1.5
FOLDERS = {"Good": "ham", "Rubbish": "spam"}
WORDS = """first sync of {messages} messages ({source}):
  nbmail {nbmail_seconds:.2f} s, mbsync then bogofilter {mbsync_bogofilter_seconds:.2f} s:
  {ratio:.2f} times as fast (goal {goal})"""

MBSYNC = """
FSync no
IMAPAccount a
Host localhost
Port {port}
User alice
Pass {password}
SSLType IMAPS
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
Patterns {patterns}
Create Near
Sync Pull
SyncState *
"""


def run(arguments):
    options = options_of(arguments, __doc__, messages=5000, rounds=6)
    with contextlib.closing(Dovecot()) as server:
        source = fill(server, options.messages)
        pairs = [
            (ours(server, options.messages), theirs(server, options.messages))
            for _ in range(options.rounds)
        ]
    mine, peer = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(theirs / ours for ours, theirs in pairs)
    figures = {"messages": options.messages, "source": source, "nbmail_seconds": round(mine, 3)}
    figures |= {"mbsync_bogofilter_seconds": round(peer, 3), "ratio": round(ratio, 2), "goal": GOAL}
    show(options, figures, WORDS)
    return 0 if ratio >= GOAL else 1


def fill(server, count):
    """Put the mail into two folders, and let the server index them as it would have long ago."""
    mail, source = corpus_mail(count)
    client = server.client()
    for folder, label in FOLDERS.items():
        client.create_folder(folder)
        server.put([raw for its, raw in mail if its == label], folder=folder)
        client.select_folder(folder, readonly=True)
        client.fetch(client.search("ALL"), ["RFC822.SIZE"])
    return source


def ours(server, count):
    """Return the seconds of nbmail, from the thread's start to the last score."""
    events = Events()
    ends = (Phase.SYNCED, Phase.NEEDS_YOU, Phase.OFFLINE)
    account = server.account(
        folders=(),
        ham_folders=("Good",),
        spam_folders=("Rubbish",),
        watch_spam=False,
        poll_seconds=60.0,
    )
    with new_folder() as home, running_engine(home, events) as engine:
        began = time.perf_counter()
        with synced(engine, account):
            _, end = events.until(
                lambda event: isinstance(event, AccountState) and event.phase in ends
            )
            rows = engine.list_mail().result(PATIENCE)
            took = time.perf_counter() - began
    assert end.phase is Phase.SYNCED, end
    assert len(rows.messages) >= count * 0.95, f"only {len(rows.messages)} came"
    assert all(label >= 0 for label in rows.labels), "not all are learned"
    return took


def mbsync(server, home, patterns):
    """Return the command that fetches these folders into `home`/mail."""
    near = home / "mail"
    settings = home / "mbsyncrc"
    near.mkdir()
    given = {"port": server.tls_port, "password": PASSWORDS["alice"], "authority": server.authority}
    settings.write_text(MBSYNC.format(near=near, patterns=patterns, **given))
    return [need_program("mbsync"), "-q", "-c", settings, "-a"]


def theirs(server, count):
    """Return the seconds of the peers: fetch everything, then register each folder."""
    bogofilter = need_program("bogofilter")
    with new_folder() as home:
        near = home / "mail"
        words = home / "words"
        fetch = mbsync(server, home, "Good Rubbish")
        words.mkdir()
        began = time.perf_counter()
        subprocess.run(fetch, check=True, timeout=PATIENCE)
        for folder, flag in (("Good", "-n"), ("Rubbish", "-s")):
            files = "\n".join(
                str(path) for part in ("new", "cur") for path in (near / folder / part).iterdir()
            )
            command = [bogofilter, "-d", words, flag, "-b"]
            subprocess.run(command, input=files, text=True, check=True, timeout=PATIENCE)
        took = time.perf_counter() - began
        came = sum(
            1 for path in near.rglob("*") if path.is_file() and path.parent.name in ("new", "cur")
        )
        assert came == count, f"only {came} came"
    return took
