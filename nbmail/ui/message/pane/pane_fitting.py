"""Room for the text in a low message pane."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from nbmail.ui.message.attachments.attachments import Attachments
from nbmail.ui.message.pane.body_notes import BodyNotes
from nbmail.ui.message.pane.header_rows import HeaderRows

TEXT_LINES = 8
"""Lines of text that the headers leave visible, up to half of the pane."""
Step = Callable[[], object]


class FoldingPart(Protocol):
    """Part of the pane with a compact form."""

    def set_compact(self, compact: bool) -> None:
        """Show the compact form, or the whole part again."""


class PaneFitting:
    """Hides parts above the text one by one, in a low pane, until the text has room.

    Hidden are names of attachments, other messages, then headers from the last, then notes. Then
    subject and sender shrink to one line each, and the button replaces the note on missing text.
    """

    def __init__(
        self,
        pane: QWidget,
        body: QWidget,
        *,
        subject: QLabel,
        headers: HeaderRows,
        notes: BodyNotes,
        attachments: Attachments,
        folding: Sequence[FoldingPart],
    ) -> None:
        self._pane = pane
        self._body = body
        self._subject = subject
        self._headers = headers
        self._notes = notes
        self._attachments = attachments
        self._folding = folding
        self._full_texts: dict[QLabel, str] = {}
        """Full texts of the labels that are cut."""

    def forget(self) -> None:
        """Forget the labels, which get new texts."""
        self._full_texts.clear()

    def fit(self) -> None:
        self._show_all()
        for step in self._steps():
            if not self._fits(TEXT_LINES):
                step()
        for step in self._last_steps():
            if not self._fits(0):
                step()

    def _show_all(self) -> None:
        for label, text in self._full_texts.items():
            label.setText(text)
        self._full_texts.clear()
        self._headers.show_all(self._pane.width())
        for part in self._folding:
            part.set_compact(False)
        self._notes.show_all()

    def _steps(self) -> Iterator[Step]:
        """Yield what is hidden until some lines of the text are visible, in this order."""
        for part in self._folding:
            yield partial(part.set_compact, True)
        for row in range(len(self._headers.rows) - 1, 0, -1):
            yield partial(self._headers.setRowVisible, row, False)
        yield self._notes.left_out.hide
        yield self._notes.offers.hide
        yield self._cut_labels

    def _last_steps(self) -> Iterator[Step]:
        """Yield what is hidden if even the parts above the text have no room."""
        if self._notes.load_whole.isVisibleTo(self._pane):
            yield self._notes.missing.hide
        yield self._attachments.show_warning_sign

    def _fits(self, lines: int) -> bool:
        """True if `lines` lines of the text, or half of the pane, are visible."""
        layout = self._pane.layout()
        assert layout is not None
        layout.activate()
        height = self._pane.height()
        least = self._body.minimumHeight()
        text = min(lines * self._pane.fontMetrics().height(), height // 2)
        head = layout.minimumHeightForWidth(self._pane.width()) - least
        return head + max(text, least) <= height

    def _cut_labels(self) -> None:
        """Cut subject and sender to one line each."""
        self._cut(self._subject)
        if self._headers.rows:
            self._cut(self._headers.rows[0].words)

    def _cut(self, label: QLabel) -> None:
        text = label.text()
        self._full_texts[label] = text
        metrics = label.fontMetrics()
        label.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, label.width()))
