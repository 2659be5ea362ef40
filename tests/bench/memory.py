"""Memory of the program with 100,000 messages, beside an empty PySide6 window."""

from tests.bench._big_home import make_home
from tests.bench._frame import new_folder, options_of, show
from tests.bench.open import start

BUDGET_MB = 150.0
WORDS = """memory, {messages:,} messages: {program[resident_mb]} MB, empty PySide6 window \
{empty[resident_mb]} MB:
{more_mb} MB more, of which {more_anonymous_mb} MB are no mapped files"""


def run(arguments):
    options = options_of(arguments, __doc__, messages=100_000)
    with new_folder() as folder:
        make_home(folder, options.messages)
        start("program", 3.0, folder)
        ours = start("program", 3.0, folder)
        theirs = start("empty", 1.0)
    more, own = (round(ours[name] - theirs[name], 1) for name in ("resident_mb", "anonymous_mb"))
    found = {
        "messages": options.messages,
        "program": ours,
        "empty": theirs,
        "more_mb": more,
        "more_anonymous_mb": own,
    }
    show(options, found, WORDS)
    return int(more > BUDGET_MB)
