"""Mail marked as read or unread, and mail that lies in no mailbox, judged."""

from nbmail.core.reading.mail import parse
from nbmail.core.reading.mail_samples import Joiner
from nbmail.core.reading.tokenized_mail import Tokenizer
from nbmail.store.mail.identity import identify
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Pause, Slices
from nbmail.worker.intake.message_text import text_of
from nbmail.worker.protocol.reading import JudgedMail, JudgeMail, MarkRead

# Messages marked between two looks at the queue: about 6 ms.
PIECE = 50
STRONGEST = 1_000_000


def judge_mail(state: EngineState, command: JudgeMail) -> JudgedMail:
    """Judge it by the words that are known; new ones say nothing, and are not numbered."""
    tokenizer = Tokenizer()
    tokenizer.add(parse(command.raw))
    (sample,) = Joiner(state.model.vocabulary, grow=False).join(tokenizer.take())
    identity = identify(command.raw)
    known = state.store.messages.find([identity]).get(identity, 0)
    return JudgedMail(text_of(known, command.raw, len(command.raw)), state.model.explain(sample, STRONGEST))


def mark_read(state: EngineState, command: MarkRead) -> Slices:
    """At once here, on their servers as soon as those are told. Piece by piece, each in one transaction."""
    changed, accounts = list[int](), set[str]()
    for first in range(0, len(command.messages), PIECE):
        places = state.store.read_marks.mark(command.messages[first : first + PIECE], read=command.read)
        messages = dict.fromkeys(place.message for place in places)
        changed += messages
        accounts.update(place.account for place in places)
        state.announcer.rows_changed(messages)
        state.untidy = state.untidy or bool(places)
        yield Pause(first + PIECE, len(command.messages))
    for account in accounts:
        state.wake(account)
    return tuple(changed)
