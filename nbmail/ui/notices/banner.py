"""Banner: a notice with a remedy."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.drawing import draw_icon
from nbmail.ui.kit.plain_labels import plain_label, show_text, wrapping_label
from nbmail.ui.kit.theme import colors
from nbmail.ui.notices.bars import Bar
from nbmail.ui.texts.error_texts import Notice, error_notice
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.ticket import Failed

MAX_DETAIL = 300
"""Characters of the technical cause that a banner shows."""


class Remedy(NamedTuple):
    """Text and callback of a button on a banner."""

    text: str
    act: Callable[[], None]


class Banner(Bar):
    """Notice with a remedy, shown until it is dismissed or no longer true. Has no signals."""

    def __init__(self, *, icon: str = "warning") -> None:
        super().__init__("warning")
        self.about = ""
        self._icon_name = icon
        self._icon = plain_label()
        self._sentence = wrapping_label(kind="title")
        self._advice = wrapping_label()
        self._detail = wrapping_label(kind="muted")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._remedy: Remedy | None = None
        self._dismissed: Callable[[], object] = lambda: None
        self._page = ""
        self.manual = quiet_button(tr("Manual"), self._show_manual)
        self.remedy = QPushButton()
        self.remedy.clicked.connect(self._call_remedy)
        self.close_button = quiet_button(tr("Dismiss"), self._close)
        self._texts = layouts.column(self._sentence, self._advice, self._detail, spacing=2)
        contents = layouts.row((self._icon, Qt.AlignmentFlag.AlignTop), self._texts, spacing=12)
        contents.setStretch(1, 1)
        self.set_contents(contents, self.remedy, self.manual, self.close_button)
        self._draw_icon()

    def add_to_texts(self, part: QWidget) -> None:
        self._texts.addWidget(part)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw_icon()

    def _draw_icon(self) -> None:
        drawn = draw_icon(self._icon_name, colors().text, 20, self.devicePixelRatioF())
        self._icon.setPixmap(drawn)

    def show_notice(
        self,
        notice: Notice,
        about: str = "",
        remedy: Remedy | None = None,
        dismissed: Callable[[], object] = lambda: None,
    ) -> None:
        """Show a notice. `about`: name of the account, for `dismiss`.

        `dismissed`: called if the user closes the notice.
        """
        self._dismissed = dismissed
        self.about = about
        self._sentence.setText(notice.sentence)
        show_text(self._advice, notice.advice)
        show_text(self._detail, notice.detail[:MAX_DETAIL])

        self._page = notice.page
        self.manual.setVisible(bool(notice.page))
        self._remedy = remedy
        self.remedy.setVisible(remedy is not None)
        self.remedy.setText(remedy.text if remedy is not None else "")

        self.setAccessibleName(f"{notice.sentence} {notice.advice}")
        announce(self, self.accessibleName())
        self.show()

    def show_failure(self, failure: Failed) -> None:
        self.show_notice(error_notice(failure.error_code, failure.detail))

    def dismiss(self, about: str | None = None) -> None:
        """Hide the banner; with `about`, only a notice about that account."""
        if about is None or about == self.about:
            self.about = ""
            self.hide()

    def _show_manual(self) -> None:
        ManualWindow(self.window(), self._page).show()

    def _call_remedy(self) -> None:
        if self._remedy is not None:
            self._remedy.act()

    def _close(self) -> None:
        self.dismiss()
        self._dismissed()
