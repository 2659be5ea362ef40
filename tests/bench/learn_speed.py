"""Learning a mailbox, whole program, raw mail in: beside bogofilter registering the same mail files, by turns.

`--times N`: each message so many times over, each copy made unique.
"""

from tests.bench._mailboxes import bogofilter, compare, nbmail, seconds

GOAL = 1.5


def run(arguments):
    return compare(arguments, __doc__, lambda folder: None, learn, register, GOAL)


def learn(folder, number):
    (folder / "index").write_text("junk junk\ngood good\n")
    return seconds((nbmail("learn", "--home", folder / f"home{number}", "--index", folder / "index"), None))


def register(folder, number):
    """Register both mail files with the peer: one process a class, as it wants."""
    words = folder / f"words{number}"
    words.mkdir()
    return seconds(
        ([bogofilter(), "-d", words, "-s", "-M"], folder / "junk"),
        ([bogofilter(), "-d", words, "-n", "-M"], folder / "good"),
    )
