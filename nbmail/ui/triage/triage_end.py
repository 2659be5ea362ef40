"""Summary at the end of a triage."""

from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.plain_labels import enlarge, show_text, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr


class TriageEnd(QWidget):
    """Summary of a session.

    Buttons: `back` to the list, `more` to continue with active learning.
    """

    def __init__(self) -> None:
        super().__init__()
        self.title = wrapping_label()
        self.summary = wrapping_label()
        self.improvement = wrapping_label(kind="title")
        enlarge(self.title, 1.5)
        self.back = QPushButton(tr("Back to list"))
        self.more = QPushButton(tr("Continue with the most useful messages"))
        self.back.setDefault(True)
        parts = (
            self.title,
            self.summary,
            self.improvement,
            8,
            layouts.Flow(self.back, self.more, gap=10),
        )
        self.setLayout(layouts.card(*parts, width=scaled(self, 520), spacing=10))

    def show_ending(self, title: str, summary: str, improvement: str, *, more: bool) -> None:
        """Show the summary. `more`: offer active learning."""
        show_text(self.title, title)
        show_text(self.summary, summary)
        show_text(self.improvement, improvement)
        self.more.setVisible(more)
        announce(self, f"{title} {summary} {improvement}")
        self.back.setFocus()
