"""The text of all parts of a message, with its pages and links."""

from __future__ import annotations

from typing import NamedTuple

from nbmail.core.mail.html_page import HtmlPage, read_page
from nbmail.core.mail.links import Link, links_in
from nbmail.core.mail.message import Mail


class MessageTexts(NamedTuple):
    """The text of all parts together, and the HTML pages and links among them."""

    text: str
    pages: list[HtmlPage]
    links: list[Link]


def read_texts(mail: Mail) -> MessageTexts:
    texts: list[str] = []
    pages: list[HtmlPage] = []
    links: list[Link] = []
    for part in mail.texts:
        text = part.text
        if part.kind == "text/html":
            page = read_page(text)
            pages.append(page)
            links += page.links
            text = page.text
        texts.append(text)
        links += links_in(text)
    return MessageTexts("\n".join(texts), pages, links)
