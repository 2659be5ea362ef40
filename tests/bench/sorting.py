"""From the delivery of a junk message to its move by automatic sorting, beside bogofilter run by procmail at delivery.

Dovecot waits half a second on purpose before it reports a new message in IDLE: the figures of nbmail include that. The
peer decides while the message is delivered, which only the owner of the server can set up. Thunderbird needs a window.
"""

import contextlib
import os
import shutil
import statistics
import subprocess
import time

from nbmail.settings import Security
from tests.bench._frame import new_folder, options_of, show
from tests.dovecot import Dovecot
from tests.sync.homes import SortingHome, good, junk

GOAL = 2.0
PATIENCE = 30.0
WORDS = """junk moved after {median_seconds:.3f} s (median of {rounds}), {worst_seconds:.3f} s (worst, goal {goal})
  {peer}: {peer_median_seconds:.3f} s (median), {peer_worst_seconds:.3f} s (worst)"""
RULES = """
DEFAULT={mail}/
:0fw
| {bogofilter} -d {words} -p -e
:0
* ^X-Bogosity: Spam
{mail}/.Junk/
"""


def run(arguments):
    options = options_of(arguments, __doc__, rounds=20)
    with contextlib.closing(Dovecot()) as server, new_folder() as folder:
        peer = Procmail(folder) if all(map(shutil.which, ("procmail", "bogofilter"))) else None
        theirs = [peer.once(server, number) for number in range(options.rounds)] if peer else [float("nan")]
        account = server.account(name="home", security=Security.PLAIN, poll_seconds=600.0)
        server.hang_up()
        server.empty()
        home = SortingHome(folder / "home", account)
        try:
            writer, watcher = server.client(), server.client()
            times = [once(writer, watcher, number) for number in range(options.rounds)]
        finally:
            home.close()
    figures = {"median_seconds": statistics.median(times), "worst_seconds": max(times)}
    figures |= {"peer_median_seconds": statistics.median(theirs), "peer_worst_seconds": max(theirs)}
    figures = {name: round(seconds, 3) for name, seconds in figures.items()}
    name = "bogofilter in procmail" if peer else "bogofilter in procmail (not installed)"
    show(options, {"rounds": options.rounds, "goal": GOAL, "peer": name, **figures}, WORDS)
    return 0 if figures["worst_seconds"] < GOAL else 1


def once(writer, watcher, number):
    """Return the seconds until a new junk message is in the junk folder."""
    begun = time.perf_counter()
    writer.append("INBOX", junk(1001 + 2 * number)[0])
    return wait_for_junk(watcher, number, begun)


def wait_for_junk(watcher, number, begun):
    """Return the seconds since `begun` when the junk folder has more than `number` messages."""
    while watcher.folder_status("Junk", ["MESSAGES"])[b"MESSAGES"] <= number:
        if time.perf_counter() - begun > PATIENCE:
            raise TimeoutError("the message was not moved")
        time.sleep(0.005)
    return time.perf_counter() - begun


class Procmail:
    """procmail that has bogofilter decide about each message, after a training on the mail of `SortingHome`."""

    def __init__(self, folder):
        self._rules, self._words = folder / "procmailrc", folder / "bogofilter"
        # procmail runs as the user of the server, who owns the mailbox.
        self._user = {"user": "daemon", "group": "daemon"} if os.getuid() == 0 else {}
        self._words.mkdir()
        folder.chmod(0o755)
        for option, mails in (("-s", junk(*range(1, 601, 2))), ("-n", good(*range(2, 602, 2)))):
            box = b"".join(b"From x Thu Jan  1 00:00:00 1970\n" + mail.replace(b"\r", b"") + b"\n" for mail in mails)
            subprocess.run(["bogofilter", "-d", self._words, "-M", option], input=box, check=True)
        if self._user:
            subprocess.run(["chown", "-R", "daemon:daemon", self._words], check=True)

    def once(self, server, number):
        """Return the seconds from handing over a junk message until it is in the junk folder."""
        watcher = server.client()
        mail, words = server.folder / "mail" / "alice" / "Maildir", self._words
        self._rules.write_text(RULES.format(mail=mail, bogofilter=shutil.which("bogofilter"), words=words))
        watcher.folder_status("Junk", ["MESSAGES"])
        begun = time.perf_counter()
        message = junk(1001 + 2 * number)[0].replace(b"\r", b"")
        subprocess.run(["procmail", "-m", self._rules], input=message, check=True, **self._user)
        return wait_for_junk(watcher, number, begun)
