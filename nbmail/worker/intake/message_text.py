"""A message as a person reads it."""

from dataclasses import replace

from nbmail.core.reading.html_text import read_page
from nbmail.core.reading.mail import Heading, Mail, parse
from nbmail.core.reading.tokenizer import collect
from nbmail.core.reading.word_splitting import BODY
from nbmail.core.reading.word_table import PlainTable
from nbmail.core.scoring.explanation import Explanation
from nbmail.file_names import clean_file_name
from nbmail.worker.protocol import Attachment, Body, MessageText

# The headers a person reads, in this order.
SHOWN = ("to", "cc", "reply-to", "subject", "date")
MOST_SENDERS = 3
"""Maximum number of different From headers. A message should have one."""
SOUGHT = ("from", "to", "cc", "subject")
ATTACHED = "attached"
"""The place of words in an explanation that stand in an attached page alone."""
# Copies of a message differ by the headers that servers add on the way, and some servers only estimate sizes.
SLACK = 4000


def text_of(message: int, raw: bytes, size: int) -> MessageText:
    """The message from its raw bytes: its first plain text and its first HTML page. `size` is what it has in full."""
    mail = parse(raw)
    senders = tuple(("from", value) for value in _senders(mail))
    headers = (*senders, *((name, value) for name in SHOWN if (value := mail.header(name))))
    files = tuple(Attachment(clean_file_name(file.name), file.kind, file.size) for file in mail.files)
    body = Body.WHOLE if is_whole(raw, size) else Body.PART
    return MessageText(message, headers, _plain(mail), _page(mail), files, body)


def _senders(mail: Mail) -> list[str]:
    """Return the different From headers."""
    values = dict.fromkeys(value for name, value in mail.headers if name == "from" and value)
    return list(values)[:MOST_SENDERS]


def is_whole(raw: bytes, size: int) -> bool:
    """Whether this is all of a message of that size. A mail file has other line ends than a server."""
    return size <= len(raw) + raw.count(b"\n") - raw.count(b"\r\n") + SLACK


def text_without_body(message: int, heading: Heading, asked: tuple[str, ...]) -> MessageText:
    """What the list knows of a message whose body isn't there, and which accounts were asked for it."""
    headers = (("from", heading.sender), ("subject", heading.subject))
    return MessageText(message, headers, "", "", (), Body.COMING if asked else Body.ABSENT, asked)


def sought_text(mail: Mail) -> str:
    """All of a message in which words are searched: people, subject, names of attachments, texts."""
    heads = [mail.header(name) for name in SOUGHT]
    texts = [read_page(part.text).text if part.kind == "text/html" else part.text for part in mail.texts]
    return "\n".join((*heads, *(file.name for file in mail.files), *texts))


def _plain(mail: Mail) -> str:
    return "\n".join(part.text for part in mail.texts if part.kind != "text/html")


def _page(mail: Mail) -> str:
    """The first page of the message itself: one that came as a file is no text of it."""
    return next((part.text for part in mail.texts if part.kind == "text/html" and not part.attached), "")


def placed_in_files(why: Explanation, raw: bytes) -> Explanation:
    """The explanation with words that only attached pages hold in the place "attached" rather than in the text."""
    mail = parse(raw)
    if not any(part.attached for part in mail.texts):
        return why
    table = PlainTable()
    collect(mail._replace(texts=tuple(part for part in mail.texts if not part.attached)), table)
    own = set(table.words_from(0))
    found = (
        replace(each, place=ATTACHED) if each.place == BODY and each.word not in own else each
        for each in why.contributions
    )
    return replace(why, contributions=tuple(found))
