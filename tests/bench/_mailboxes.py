"""Mail for the benches of the command line, and running it and its peer in turn."""

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.bench._frame import as_installed, new_folder, parser_of, show
from tests.needs import need_program

WORDS = """{messages:,} messages: nbmail {nbmail_per_second:,} a second, bogofilter {bogofilter_per_second:,};
{ratio} times as fast (goal {goal}); processor time {nbmail_processor_seconds} s and {bogofilter_processor_seconds} s"""


def compare(arguments, description, prepare, ours, theirs, goal):
    """Both by turns, median of the rounds; the exit code says whether the goal is reached."""
    options = _options_of(arguments, description)
    with new_folder() as folder:
        messages = write_mail_files(options.index, options.times, folder)
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


def _options_of(arguments, description):
    parser = parser_of(description, rounds=5, times=1)
    corpora = os.environ.get("NBMAIL_CORPORA", "")
    usual = Path(corpora) / "spamassassin" / "index" if corpora else None
    parser.add_argument(
        "index", nargs="?", type=Path, default=usual, help="lines LABEL PATH; usually NBMAIL_CORPORA/spamassassin/index"
    )
    options = parser.parse_args(arguments)
    if options.index is None:
        parser.error("name an index, or set NBMAIL_CORPORA")
    return options


def write_mail_files(index, times, folder):
    """All messages as two mail files, junk and good, and as one: how many messages they hold."""
    entries = [line.split(None, 1) for line in index.read_text(encoding="utf-8", errors="surrogateescape").splitlines()]
    count = 0
    with (
        (folder / "junk").open("wb") as junk,
        (folder / "good").open("wb") as good,
        (folder / "all").open("wb") as both,
    ):
        for copy in range(times):
            for label, path in entries:
                message = as_in_mail_file((index.parent / path.strip()).read_bytes(), copy)
                (junk if label.lower() in ("junk", "spam") else good).write(message)
                both.write(message)
                count += 1
    return count


def as_in_mail_file(raw, copy):
    """A message with its "From " line, its own such lines quoted; copies differ in their last line."""
    if not raw.startswith(b"From "):
        raw = b"From someone@example.org Mon Jan  1 00:00:00 2024\n" + raw
    first, _, rest = raw.replace(b"\r\n", b"\n").partition(b"\n")
    rest = re.sub(rb"^(>*From )", rb">\1", rest, flags=re.MULTILINE).rstrip(b"\n")
    return b"%s\n%s\n%s\n" % (first, rest, b"copy %d\n" % copy if copy else b"")


def seconds(*commands):
    """Return wall time and processor time of processes, one after the other. Their input is a file."""
    started, used = time.perf_counter(), processor_seconds()
    for command, file in commands:
        with open(file or os.devnull, "rb") as read:
            subprocess.run(command, stdin=read, stdout=subprocess.DEVNULL, env=as_installed(), check=True)
    return time.perf_counter() - started, processor_seconds() - used


def processor_seconds():
    """Return the processor time of all processes that this one started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def nbmail(*arguments):
    return [sys.executable, "-m", "nbmail", *map(str, arguments)]


def bogofilter():
    return need_program("bogofilter")
