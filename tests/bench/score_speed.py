"""Speed of scoring raw mail, beside bogofilter on the same file."""

from tests.bench._mailboxes import bogofilter, compare, nbmail, seconds
from tests.bench.learn_speed import learn, register

GOAL = 1.3


def run(arguments):
    return compare(arguments, __doc__, teach, score, classify, GOAL)


def teach(folder):
    learn(folder, 0)
    register(folder, 0)


def score(folder, _):
    return seconds((nbmail("score", "--home", folder / "home0", folder / "all"), None))


def classify(folder, _):
    return seconds(([bogofilter(), "-d", folder / "words0", "-t", "-v", "-M"], folder / "all"))
