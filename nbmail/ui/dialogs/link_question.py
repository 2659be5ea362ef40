"""Question before a link is opened."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.dialogs.questions import _show, open_question, question_box
from nbmail.ui.message.link_targets import owner_of, read_link
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import breakable, visible

MAX_ADDRESS = 600
STRETCH = 40
"""Characters of an address without a possible line break after which one is inserted."""


def ask_link(parent: QWidget, address: str, follow: Callable[[str], None]) -> QMessageBox:
    """Show the actual target of a link. `follow` is called if the user confirms; the default is not
    to open it.
    """
    target = read_link(address)
    if target is None:
        text = tr("This link is broken.")
        more = tr("Its address is not valid.")
        return _show(question_box(parent, tr("Open this link?"), text, more, icon="warning"))
    text = tr("This link leads to {server}. Open it in your browser?")
    if target.recipients:
        text = tr("This link starts a message to {server}. Open it in your mail program?")
    whole = target.address
    shown = whole if len(whole) <= MAX_ADDRESS else whole[:MAX_ADDRESS] + "…"
    where = target.server or ", ".join(visible(each, MAX_ADDRESS) for each in target.recipients)
    warnings = list[str]()
    owner = owner_of(target.server)
    if owner != target.server:
        warnings.append(
            tr("Its registered domain is {owner}.").format(owner=breakable(owner, STRETCH))
        )
    if target.foreign:
        warnings.append(
            tr("Its name contains non-English letters, which can imitate a name you know.")
        )
    more = "\n\n".join((*warnings, breakable(shown, STRETCH)))
    box = question_box(
        parent, tr("Open this link?"), text.format(server=breakable(where, STRETCH)), more
    )
    open_question(box, tr("Open"), tr("Don't open"), lambda: follow(whole))
    return box
