"""Preferences. Each change takes effect immediately."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QLayout, QWidget

from nbmail.core.scoring.verdict import Costs
from nbmail.ui.dialogs.cost_setting import CostSetting, Count
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.dialogs.setting_choices import SettingChoice, setting_choices
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.kit.fields import add_plain_row, combo_of, form_layout
from nbmail.ui.kit.plain_labels import show_text, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr
from nbmail.ui.window.services import LoginStart
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import PlannedMove
from nbmail.worker.protocol.quality import Accuracy

MIN_CHARACTERS = 14
"""Minimum width of a combo box in characters. A longer minimum would move it below its name."""


class PreferencesDialog(ScrollDialog):
    """Dialog for the settings. The planned moves are confirmed before moving is turned on.

    The check box of the entry for the login is disabled until its state is known. The window for
    sorting opens after the dialog has closed.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window, tr("Preferences"))
        self._window = context.window
        self._engine = context.engine
        self._settings = context.settings
        self._start_at_login = context.desktop.start_at_login
        self.combos: dict[str, QComboBox] = {}
        self.cost = self._make_cost(context.model.mail.count_above)
        contents = layouts.column(
            self.cost,
            12,
            self._make_moving(),
            12,
            self._make_choices(),
            12,
            self._make_login(),
            spacing=8,
        )
        self.set_contents(contents, close_button(self), scaled(self, 520))

    def _make_cost(self, count: Count) -> CostSetting:
        cost = CostSetting(Costs(*self._settings.value.costs), count)
        cost.changed.connect(self._change_costs)
        tested = self._engine.measure_accuracy()
        # Without enough marks there is nothing to show.
        tested.then(self.while_open(self._show_tested), failed=lambda _: None)
        return cost

    def _make_moving(self) -> QLayout:
        self.moving = QCheckBox(tr("Move messages on the mail server when I mark them"))
        self.moving.setChecked(self._settings.value.move_mail)
        self.moving.clicked.connect(self._confirm_moving)
        text = tr(
            "When this is off, nbmail only changes spam and read flags on the server. You "
            "can undo every move."
        )
        return layouts.column(self.moving, wrapping_label(text, "muted"), spacing=8)

    def _make_choices(self) -> QLayout:
        form = form_layout()
        for choice in setting_choices():
            combo = self._make_combo(choice)
            self.combos[choice.field] = combo
            add_plain_row(form, choice.name, combo)
        note = wrapping_label(tr("A new language takes effect after a restart."), "muted")
        return layouts.column(form, note, spacing=8)

    def _make_combo(self, choice: SettingChoice) -> QComboBox:
        combo = combo_of((text, value) for value, text in choice.entries)
        combo.setMinimumContentsLength(MIN_CHARACTERS)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        value = getattr(self._settings.value, choice.field)
        combo.setCurrentIndex(max(0, combo.findData(value)))
        combo.currentIndexChanged.connect(partial(self._choose_in, choice.field))
        combo.setAccessibleName(choice.name)
        return combo

    def _make_login(self) -> QLayout:
        self.login = QCheckBox(tr("Start in the system tray when I log in"))
        self.login.setEnabled(False)
        self.login.clicked.connect(self._change_login)
        self.login_note = wrapping_label("", "muted")
        self.login_note.hide()
        self._start_at_login(None, self.while_open(self.show_login))
        return layouts.column(self.login, self.login_note, 10, self._make_buttons(), spacing=2)

    def _make_buttons(self) -> QWidget:
        self.sorting = make_button(tr("Automatic sorting…"), self.accept)
        self.sorting.clicked.connect(self._action("sorting").trigger)
        rules = make_button(tr("Rules for senders…"), self._action("rules").trigger)
        return layouts.Flow(self.sorting, rules, gap=8)

    def _action(self, name: str) -> QAction:
        """Return an action of the window."""
        return self._window.findChildren(QAction, name)[0]

    def _choose_in(self, field: str, _: int) -> None:
        value = self.combos[field].currentData()
        self._settings.change(replace(self._settings.value, **{field: value}))

    def _change_costs(self, costs: Costs) -> None:
        self._settings.change(self._settings.value.with_costs(costs.values))

    def _show_tested(self, tested: Accuracy) -> None:
        self.cost.show_tested(tested.spam_chances, tested.ham_chances)

    def _change_login(self, on: bool) -> None:
        """Change the entry. A start in the system tray needs an icon there."""
        tray = self.combos["tray"]
        if on and tray.currentData() == "none":
            tray.setCurrentIndex(tray.findData("icon"))
        self._start_at_login(on, self.while_open(self.show_login))

    def show_login(self, start: LoginStart | None) -> None:
        """Show whether the system starts nbmail at login.

        None: this run has no such entry, as in the demo.
        """
        self.login.setVisible(start is not None)
        if start is None:
            return
        self.login.setEnabled(True)
        self.login.setChecked(start.on)
        text = ""
        if start.problem:
            text = tr("This could not be changed: {reason}").format(reason=start.problem)
        show_text(self.login_note, text)

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
        if any(each.isVisible() for each in self.findChildren(MovesDialog)):
            return
        local = {account.name for account in self._settings.value.accounts if account.path}
        on_servers = [move for move in moves if move.folder.account not in local]
        dialog = MovesDialog(self, on_servers)
        dialog.accepted.connect(self._turn_moving_on)
        dialog.open()

    def _turn_moving_on(self) -> None:
        self.moving.setChecked(True)
        self._settings.change(replace(self._settings.value, move_mail=True))
