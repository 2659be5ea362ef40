"""Preferences. Each change takes effect immediately."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox

from nbmail.core.scoring.verdict import Costs
from nbmail.ui.dialogs.cost_setting import CostSetting
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.kit.fields import add_plain_row, combo_of, form_layout
from nbmail.ui.kit.labels import show_text, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import LANGUAGES, format_count, tr
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.services import LoginStart
from nbmail.worker.protocol.marks import PlannedMove
from nbmail.worker.protocol.quality import Accuracy

Entries = tuple[tuple[object, str], ...]
MIN_CHARACTERS = 14
"""Minimum width of a combo box in characters. A longer minimum would move it below its name."""


class PreferencesDialog(ScrollDialog):
    """Dialog for the settings. The planned moves are confirmed before moving is turned on.

    The check box of the entry for the login is disabled until its state is known. The window for
    sorting opens after the dialog has closed.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window, tr("Preferences"))
        self._engine = context.engine
        self._settings = context.settings
        self._start_at_login = context.desktop.start_at_login
        settings = context.settings
        self.cost = CostSetting(Costs(*settings.value.costs), context.model.mail.count_above)
        self.cost.changed.connect(
            lambda costs: settings.change(settings.value.with_costs(costs.values))
        )
        self._engine.measure_accuracy().then(
            self.while_open(self._show_tested), failed=lambda _: None
        )
        self.moving = QCheckBox(tr("Move messages on the mail server when I mark them"))
        self.moving.setChecked(settings.value.move_mail)
        self.moving.clicked.connect(self._confirm_moving)
        self.combos: dict[str, QComboBox] = {}
        form = form_layout()
        for field, name, entries in _choices():
            combo = self.combos[field] = combo_of(((text, value) for value, text in entries))
            combo.setMinimumContentsLength(MIN_CHARACTERS)
            combo.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            combo.setCurrentIndex(max(0, combo.findData(getattr(settings.value, field))))
            combo.currentIndexChanged.connect(partial(self._choose_in, field))
            combo.setAccessibleName(name)
            add_plain_row(form, name, combo)
        self.login = QCheckBox(tr("Start in the system tray when I log in"))
        self.login_note = wrapping_label("", "muted")
        self.login.setEnabled(False)
        self.login_note.hide()
        self.login.clicked.connect(self._change_login)
        self._start_at_login(None, self.while_open(self.show_login))
        moving = tr(
            "When this is off, nbmail only changes spam and read flags on the server. You "
            "can undo every move."
        )
        later = tr("A new language takes effect after a restart.")
        notes = [wrapping_label(text, "muted") for text in (moving, later)]
        rules, sorting = (
            context.window.findChildren(QAction, name)[0].trigger for name in ("rules", "sorting")
        )
        self.sorting = make_button(tr("Automatic sorting…"), self.accept)
        self.sorting.clicked.connect(sorting)
        others = layouts.Flow(self.sorting, make_button(tr("Rules for senders…"), rules), gap=8)
        login = layouts.column(self.login, self.login_note, 10, others, spacing=2)
        contents = layouts.column(
            self.cost, 12, self.moving, notes[0], 12, form, notes[1], 12, login, spacing=8
        )
        self.set_contents(contents, close_button(self), scaled(self, 520))

    def _choose_in(self, field: str, _: int) -> None:
        self._settings.change(
            replace(self._settings.value, **{field: self.combos[field].currentData()})
        )

    def _show_tested(self, tested: Accuracy) -> None:
        self.cost.show_tested(tested.spam_chances, tested.ham_chances)

    def _change_login(self, on: bool) -> None:
        """Change the entry. A start in the system tray needs an icon there."""
        tray = self.combos["tray"]
        if on and tray.currentData() == "none":
            tray.setCurrentIndex(tray.findData("icon"))
        self._start_at_login(on, self.while_open(self.show_login))

    def show_login(self, start: LoginStart | None) -> None:
        """Show whether the system starts nbmail at login. None: this run has no such entry, as in
        the demo.
        """
        self.login.setVisible(start is not None)
        if start is not None:
            self.login.setEnabled(True)
            self.login.setChecked(start.on)
            text = tr("This could not be changed: {reason}").format(reason=start.problem)
            show_text(self.login_note, text if start.problem else "")

    def _confirm_moving(self, wanted: bool) -> None:
        """Turn moving off immediately, or on after the user has confirmed the planned moves."""
        if not wanted:
            self._settings.change(replace(self._settings.value, move_mail=False))
            return
        self.moving.setChecked(False)
        self._engine.preview_moves().then(self.while_open(self._show_moves))

    def _show_moves(self, moves: Sequence[PlannedMove]) -> None:
        """Show the moves that marks would have caused. Mail on this computer is never moved."""
        # Two clicks before the first preview arrives are two previews.
        if not any(each.isVisible() for each in self.findChildren(MovesDialog)):
            local = {account.name for account in self._settings.value.accounts if account.path}
            dialog = MovesDialog(self, [move for move in moves if move.folder.account not in local])
            dialog.accepted.connect(self._turn_moving_on)
            dialog.open()

    def _turn_moving_on(self) -> None:
        self.moving.setChecked(True)
        self._settings.change(replace(self._settings.value, move_mail=True))


def _choices() -> tuple[tuple[str, str, Entries], ...]:
    system = ("system", tr("System default"))
    reading = (
        ("moment", tr("After two seconds")),
        ("at-once", tr("Immediately")),
        ("never", tr("Never")),
    )
    keys = (("usual", tr("nbmail (J and K, ! for spam)")), ("thunderbird", tr("Thunderbird")))
    tray = (
        ("none", tr("Off")),
        ("icon", tr("Icon")),
        ("news", tr("Icon and notifications, except for spam")),
    )
    return (
        (
            "after_mark",
            tr("After marking"),
            (("next", tr("Go to next message")), ("stay", tr("Stay on this message"))),
        ),
        ("opened_is_read", tr("Mark opened messages as read"), reading),
        (
            "tinted_words",
            tr("Highlighted words in a message"),
            tuple((n, format_count(n)) for n in (5, 10, 20, 50, 400)),
        ),
        ("theme", tr("Theme"), (system, ("light", tr("Light")), ("dark", tr("Dark")))),
        ("language", tr("Language"), (system, *LANGUAGES.items())),
        ("keys", tr("Keyboard shortcuts"), keys),
        ("tray", tr("System tray"), tray),
    )
