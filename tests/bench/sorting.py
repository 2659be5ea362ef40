"""From the delivery of a spam message to its move by automatic sorting, beside bogofilter run by
procmail at delivery.

Dovecot waits half a second on purpose before it reports a new message in IDLE: the figures of
nbmail include that. The peer decides while the message is delivered, which only the owner of the
server can set up. Thunderbird needs a window.
"""

import contextlib
import os
import shutil
import statistics
import subprocess
import time
from functools import partial

from nbmail.settings import Security
from tests.bench._frame import new_folder, options_of, show
from tests.dovecot import Dovecot
from tests.sync.homes import SortingHome, ham, spam

GOAL = 2.0
PATIENCE = 30.0
WORDS = """spam moved after {median_seconds:.3f} s (median of {rounds}), {worst_seconds:.3f} s \
(worst, goal {goal})
  {peer}: {peer_median_seconds:.3f} s (median), {peer_worst_seconds:.3f} s (worst)"""
RULES = """
DEFAULT={mail}/
:0fw
| {bogofilter} -d {words} -p -e
:0
* ^X-Bogosity: Spam
{mail}/.Spam/
"""


def run(arguments):
    options = options_of(arguments, __doc__, rounds=20)
    has_peer = all(map(shutil.which, ("procmail", "bogofilter")))
    with contextlib.closing(Dovecot()) as server, new_folder() as folder:
        theirs = (
            times(server, options.rounds, procmail(folder, server)) if has_peer else [float("nan")]
        )
        server.hang_up()
        server.empty()
        account = server.account(name="home", security=Security.PLAIN, poll_seconds=600.0)
        home = SortingHome(folder / "home", account)
        try:
            ours = times(server, options.rounds, partial(server.client().append, "INBOX"))
        finally:
            home.close()
    figures = {"median_seconds": statistics.median(ours), "worst_seconds": max(ours)}
    figures |= {"peer_median_seconds": statistics.median(theirs), "peer_worst_seconds": max(theirs)}
    figures = {name: round(seconds, 3) for name, seconds in figures.items()}
    name = "bogofilter in procmail" + ("" if has_peer else " (not installed)")
    show(options, {"rounds": options.rounds, "goal": GOAL, "peer": name, **figures}, WORDS)
    return 0 if figures["worst_seconds"] < GOAL else 1


def times(server, rounds, deliver):
    """Return the seconds from each delivery of a spam message until the message is in the spam
    folder.
    """
    watcher = server.client()
    found = []
    for number in range(rounds):
        [message] = spam(1001 + 2 * number)
        # The account must be waiting already, as it usually is when mail arrives.
        time.sleep(1.0)
        began = time.perf_counter()
        deliver(message)
        while watcher.folder_status("Junk", ["MESSAGES"])[b"MESSAGES"] <= number:
            if time.perf_counter() - began > PATIENCE:
                raise TimeoutError("the message was not moved")
            time.sleep(0.005)
        found.append(time.perf_counter() - began)
    return found


def procmail(folder, server):
    """Return a function that delivers by procmail with bogofilter, which is trained on the mail of
    `SortingHome`.
    """
    rules = folder / "procmailrc"
    words = folder / "bogofilter"
    words.mkdir()
    folder.chmod(0o755)
    for option, mails in (("-s", spam(*range(1, 601, 2))), ("-n", ham(*range(2, 602, 2)))):
        box = b"".join(
            b"From x Thu Jan  1 00:00:00 1970\n" + mail.replace(b"\r", b"") + b"\n"
            for mail in mails
        )
        subprocess.run(["bogofilter", "-d", words, "-M", option], input=box, check=True)
    mail = server.folder / "mail" / "alice" / "Maildir"
    rules.write_text(RULES.format(mail=mail, bogofilter=shutil.which("bogofilter"), words=words))
    # procmail runs as the user of the server, who owns the mailbox.
    user = {"user": "daemon", "group": "daemon"} if os.getuid() == 0 else {}
    if user:
        subprocess.run(["chown", "-R", "daemon:daemon", words], check=True)
    command = ["procmail", "-m", rules]
    return lambda message: subprocess.run(
        command, input=message.replace(b"\r", b""), check=True, **user
    )
