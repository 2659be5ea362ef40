"""What the user may choose: what a lost message costs, moving mail, keys, theme. Each choice takes effect at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from nbmail.settings import Settings
from nbmail.ui.dialogs.cost_dial import CostDial, Count
from nbmail.ui.dialogs.form_dialog import FormDialog, close_button
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import LANGUAGES, tr
from nbmail.ui.kit.plain_text import add_plain_row, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.worker.protocol import PlannedMove

Preview = Callable[[Callable[[Sequence[PlannedMove]], None]], None]
Entries = tuple[tuple[str, str], ...]
LEAST_LETTERS = 14
"""Letters of a choice that are shown: all where there is room, so that a long one doesn't go below its name."""


class PreferencesDialog(FormDialog):
    """Shows the choices and hands each new set of them to `choose`. Signals: those of every dialog.

    Before moving is turned on, `preview` is asked what it would do, and the user whether that is right.
    """

    def __init__(
        self,
        parent: QWidget,
        settings: Settings,
        choose: Callable[[Settings], None],
        preview: Preview,
        count: Count = lambda _: (0, 0),
    ) -> None:
        super().__init__(parent, tr("Preferences"))
        self._settings, self._choose, self._preview = settings, choose, preview
        self._asking = self._closed = False
        self.dial = CostDial(settings.junk_seen_per_lost, count)
        self.dial.chosen.connect(lambda cost: self._change(junk_seen_per_lost=cost))
        self.moving = QCheckBox(tr("Move junk on the mail server when I mark it"))
        self.moving.setChecked(settings.move_mail)
        self.moving.clicked.connect(self._ask_about_moving)
        self.combos: dict[str, QComboBox] = {}
        form = layouts.form()
        for field, name, entries in _choices():
            self.combos[field] = self._combo(field, entries)
            self.combos[field].setAccessibleName(name)
            add_plain_row(form, name, self.combos[field])
        moving = tr("Off: on the server only marks change, for junk and for what was read. Every move can be undone.")
        later = tr("Another language holds from the next start.")
        notes = [wrapping_label(text, "muted") for text in (moving, later)]
        contents = layouts.column(self.dial, 12, self.moving, notes[0], 12, form, notes[1], spacing=8)
        self.hold(contents, close_button(self), scaled(self, 520))

    def _combo(self, field: str, entries: Entries) -> QComboBox:
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(LEAST_LETTERS)
        for value, words in entries:
            combo.addItem(words, value)
        combo.setCurrentIndex(max(0, combo.findData(getattr(self._settings, field))))
        combo.currentIndexChanged.connect(lambda: self._change(**{field: combo.currentData()}))
        return combo

    def _change(self, **changes: Any) -> None:
        self._settings = replace(self._settings, **changes)
        self._choose(self._settings)

    def _ask_about_moving(self, wanted: bool) -> None:
        """Off at once; on only after the user has seen what that means."""
        if not wanted:
            self._change(move_mail=False)
            return
        self.moving.setChecked(False)
        self._preview(self._show_moves)

    def _show_moves(self, moves: Sequence[PlannedMove]) -> None:
        if not (self._closed or self._asking):
            self._asking = True
            MovesDialog(self, moves, self._decide_moving).open()

    def _decide_moving(self, on: bool) -> None:
        self._asking = False
        self.moving.setChecked(on)
        if on:
            self._change(move_mail=True)

    def done(self, result: int) -> None:
        self._closed = True
        super().done(result)


def _choices() -> tuple[tuple[str, str, Entries], ...]:
    """Each choice between words: its setting, its name, and what there is to choose."""
    system = ("system", tr("as the system has it"))
    reading = (("moment", tr("after two seconds")), ("at-once", tr("at once")), ("never", tr("when I say so")))
    keys = (("usual", tr("J and K move, ! is junk")), ("thunderbird", tr("as in Thunderbird")))
    tray = (("none", tr("nothing")), ("icon", tr("an icon")), ("news", tr("an icon, and a word on new good mail")))
    return (
        ("after_mark", tr("After a mark"), (("next", tr("go to the next message")), ("stay", tr("stay")))),
        ("opened_is_read", tr("An open message counts as read"), reading),
        ("theme", tr("Colours"), (system, ("light", tr("light")), ("dark", tr("dark")))),
        ("language", tr("Language"), (system, *LANGUAGES.items())),
        ("keys", tr("Keys"), keys),
        ("tray", tr("In the system's tray"), tray),
    )
