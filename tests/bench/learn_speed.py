"""Speed of learning raw mail, beside bogofilter on the same files."""

from tests.bench._mailboxes import bogofilter, compare, nbmail, seconds

GOAL = 0.8


def run(arguments):
    return compare(arguments, __doc__, lambda folder: None, learn, register, GOAL)


def learn(folder, number):
    (folder / "index").write_text("spam spam\nham ham\n")
    return seconds(
        (nbmail("learn", "--home", folder / f"home{number}", "--index", folder / "index"), None)
    )


def register(folder, number):
    """Register both mail files with bogofilter, which needs one process for each class."""
    words = folder / f"words{number}"
    words.mkdir()
    return seconds(
        ([bogofilter(), "-d", words, "-s", "-M"], folder / "spam"),
        ([bogofilter(), "-d", words, "-n", "-M"], folder / "ham"),
    )
