"""Notes on the text of a message: what was left out, what is missing, and buttons to show it."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.layouts import Flow, column
from nbmail.ui.message.pane.mail_label import mail_label
from nbmail.ui.page.flat_page import FlatPage
from nbmail.ui.texts.language import tr, tr_count

MOST_OFFERS = 3


class BodyNotes:
    """Labels and buttons below the headers. `load_whole`: loads the rest of a large message."""

    def __init__(self) -> None:
        self.left_out = mail_label()
        self.left_out.setProperty("muted", True)
        self.missing = mail_label()
        self.missing.setProperty("muted", True)
        self.load_whole = QPushButton(tr("Load full message"))
        self._acts: Sequence[Callable[[], object]] = ()
        self._buttons = [quiet_button("", flush=True) for _ in range(MOST_OFFERS)]
        for number, button in enumerate(self._buttons):
            button.clicked.connect(partial(self._act, number))
        self.offers = Flow(*self._buttons, gap=12)

    def layout(self) -> QVBoxLayout:
        load_whole = (self.load_whole, Qt.AlignmentFlag.AlignLeft)
        return column(self.left_out, self.offers, self.missing, load_whole, spacing=4)

    def clear(self) -> None:
        self.left_out.clear()
        self._acts = ()
        self.show_missing("", offer=False)

    def show_offers(
        self, left_out: str, offers: Sequence[tuple[str, Callable[[], object]]]
    ) -> None:
        """Show what was left out of the text, and buttons with their texts and functions."""
        self.left_out.setText(left_out)
        self._acts = [act for _, act in offers]
        for button, (text, _) in zip(self._buttons, offers, strict=False):
            button.setText(text)

    def show_missing(self, text: str, *, offer: bool) -> None:
        """Show what is missing of the text. `offer`: show the button that loads it."""
        self.missing.setText(text)
        self.load_whole.setToolTip(text)
        self.load_whole.setVisible(offer)

    def show_all(self) -> None:
        """Show all notes and buttons that have a text."""
        self.left_out.setVisible(bool(self.left_out.text()))
        self.missing.setVisible(bool(self.missing.text()))
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(self._acts))
        self.offers.setVisible(bool(self._acts))

    def _act(self, number: int, _: bool = False) -> None:
        self._acts[number]()


def left_out_text(page: FlatPage, failed: int, note: str, *, is_plain: bool) -> str:
    """Return what was left out of a text, and a note. `failed`: pictures that failed to load."""
    sentences = []
    if is_plain:
        sentences.append(tr("Shown as plain text."))
    left = page.pictures - failed
    if left > 0:
        sentences.append(
            tr_count("%n picture was not loaded.", "%n pictures were not loaded.", left)
        )
    if failed:
        sentences.append(
            tr_count("%n picture could not be loaded.", "%n pictures could not be loaded.", failed)
        )
    if page.hidden_words:
        sentences.append(tr_count("%n hidden word.", "%n hidden words.", page.hidden_words))
    if page.is_cut:
        sentences.append(tr("Only the beginning of this long page is shown."))
    if note:
        sentences.append(note)
    return " ".join(sentences)
