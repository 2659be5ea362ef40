"""The text of all parts of a message, with its pages and links."""

from __future__ import annotations

from typing import NamedTuple

from nbmail.core.mail.html_page import HtmlPage, read_page
from nbmail.core.mail.links import Link, links_in
from nbmail.core.mail.message import Mail, shown_page


class MessageTexts(NamedTuple):
    """The text that is read, and the HTML pages and links of all parts.

    If a page is shown, the other parts are not. `unseen`: their text. An attached page is read.
    """

    text: str
    unseen: str
    pages: list[HtmlPage]
    links: list[Link]


def read_texts(mail: Mail) -> MessageTexts:
    shown = shown_page(mail.texts)
    texts: list[str] = []
    unseen: list[str] = []
    pages: list[HtmlPage] = []
    links: list[Link] = []
    for part in mail.texts:
        text = part.text
        if part.kind == "text/html":
            page = read_page(text)
            pages.append(page)
            links += page.links
            text = page.text
        is_read = shown is None or part is shown or part.attached
        (texts if is_read else unseen).append(text)
        links += links_in(text)
    return MessageTexts("\n".join(texts), "\n".join(unseen), pages, links)
