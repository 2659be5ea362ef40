"""Mail for the benches of the command line, and running it and its peer in turn."""

import os
import re
import statistics
import subprocess
import sys
import time

from nbmail.cli.messages.index_files import indexed_messages
from tests.bench._frame import as_installed, new_folder, options_of, show
from tests.needs import need_corpus, need_program

WORDS = """{messages:,} messages: nbmail {nbmail_per_second:,} a second, bogofilter \
{bogofilter_per_second:,};
{ratio} times as fast (goal {goal}); processor time {nbmail_processor_seconds} s and \
{bogofilter_processor_seconds} s"""


def compare(arguments, description, prepare, ours, theirs, goal):
    """Run both in turn, report the medians of the rounds, and return the exit code: 0 if the goal
    is reached.
    """
    options = options_of(arguments, description, rounds=5)
    with new_folder() as folder:
        messages = write_mail_files(need_corpus("spamassassin") / "index", folder)
        prepare(folder)
        pairs = [(ours(folder, number), theirs(folder, number)) for number in range(options.rounds)]
    (mine, used), (peer, peer_used) = (
        map(statistics.median, zip(*column, strict=True)) for column in zip(*pairs, strict=True)
    )
    report = {
        "messages": messages,
        "nbmail_seconds": round(mine, 3),
        "bogofilter_seconds": round(peer, 3),
        "nbmail_per_second": round(messages / mine),
        "bogofilter_per_second": round(messages / peer),
        "ratio": round(statistics.median(other[0] / own[0] for own, other in pairs), 2),
        "nbmail_processor_seconds": round(used, 2),
        "bogofilter_processor_seconds": round(peer_used, 2),
        "goal": goal,
        "processors": len(os.sched_getaffinity(0)),
    }
    show(options, report, WORDS)
    return int(report["ratio"] < goal)


def write_mail_files(index, folder):
    """Write all messages as two mail files, spam and ham, and as one. Return the number of
    messages.
    """
    entries = indexed_messages(index)
    files = {"spam": [], "ham": [], "all": []}
    for entry in entries:
        raw = entry.path.read_bytes().replace(b"\r\n", b"\n")
        if not raw.startswith(b"From "):
            raw = b"From someone@example.org Mon Jan  1 00:00:00 2024\n" + raw
        first, _, rest = raw.partition(b"\n")
        rest = re.sub(rb"^(>*From )", rb">\1", rest, flags=re.MULTILINE).rstrip(b"\n")
        for name in (entry.label, "all"):
            files[name].append(b"%s\n%s\n\n" % (first, rest))
    for name, messages in files.items():
        (folder / name).write_bytes(b"".join(messages))
    return len(entries)


def seconds(*commands):
    """Return wall time and processor time of processes that run one after another. Their input is a
    file.
    """
    started = time.perf_counter()
    used = sum(os.times()[2:4])
    for command, file in commands:
        with open(file or os.devnull, "rb") as read:
            subprocess.run(
                command, stdin=read, stdout=subprocess.DEVNULL, env=as_installed(), check=True
            )
    return time.perf_counter() - started, sum(os.times()[2:4]) - used


def nbmail(*arguments):
    return [sys.executable, "-m", "nbmail", *map(str, arguments)]


def bogofilter():
    return need_program("bogofilter")
