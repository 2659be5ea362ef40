"""Question before a link is opened."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.dialogs.questions import open_question, question_box, show_box
from nbmail.ui.message.link_targets import LinkTarget, owner_of, read_link
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import breakable, visible

MAX_ADDRESS = 600
STRETCH = 40
"""Characters of an address without a possible line break after which one is inserted."""


def ask_link(parent: QWidget, address: str, follow: Callable[[str], None]) -> QMessageBox:
    """Show the actual target of a link. `follow` is called if the user confirms.

    The default is not to open it.
    """
    target = read_link(address)
    if target is None:
        text = tr("This link is broken.")
        more = tr("Its address is not valid.")
        return show_box(question_box(parent, tr("Open this link?"), text, more, icon="warning"))
    more = "\n\n".join((*_warnings(target), breakable(_shown(target.address), STRETCH)))
    box = question_box(parent, tr("Open this link?"), _question(target), more)
    open_question(box, tr("Open"), tr("Don't open"), lambda: follow(target.address))
    return box


def _question(target: LinkTarget) -> str:
    text = tr("This link leads to {server}. Open it in your browser?")
    if target.recipients:
        text = tr("This link starts a message to {server}. Open it in your mail program?")
    where = target.server
    if not where:
        where = ", ".join(visible(each, MAX_ADDRESS) for each in target.recipients)
    return text.format(server=breakable(where, STRETCH))


def _warnings(target: LinkTarget) -> list[str]:
    warnings = []
    owner = owner_of(target.server)
    if owner != target.server:
        text = tr("Its registered domain is {owner}.")
        warnings.append(text.format(owner=breakable(owner, STRETCH)))
    if target.foreign:
        warnings.append(
            tr("Its name contains non-English letters, which can imitate a name you know.")
        )
    return warnings


def _shown(address: str) -> str:
    return address if len(address) <= MAX_ADDRESS else address[:MAX_ADDRESS] + "…"
