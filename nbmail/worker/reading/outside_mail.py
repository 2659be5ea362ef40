"""Mail that lies in no mailbox is read and judged; nothing of it is kept."""

from nbmail.core.reading.mail import parse
from nbmail.core.reading.mail_samples import Joiner
from nbmail.core.reading.tokenized_mail import Tokenizer
from nbmail.store.mail.identity import identify
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.intake.message_text import text_of
from nbmail.worker.protocol.mail_files import JudgedMail, JudgeMail

STRONGEST = 1_000_000


def judge_mail(state: EngineState, command: JudgeMail) -> JudgedMail:
    """Judge it by the words that are known; new ones say nothing, and are not numbered."""
    tokenizer = Tokenizer()
    tokenizer.add(parse(command.raw))
    (sample,) = Joiner(state.model.vocabulary, grow=False).join(tokenizer.take())
    identity = identify(command.raw)
    known = state.store.messages.find([identity]).get(identity, 0)
    return JudgedMail(text_of(known, command.raw, len(command.raw)), state.model.explain(sample, STRONGEST), known)
