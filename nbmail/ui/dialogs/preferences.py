"""What the user may choose: what a lost message costs, moving mail, keys, theme. Each choice takes effect at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QSlider, QWidget

from nbmail.settings import Settings
from nbmail.ui.dialogs.form_dialog import FormDialog, close_button
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.language import LANGUAGES, grouped, tr, tr_count
from nbmail.ui.kit.letter_sizes import grown
from nbmail.ui.kit.plain_text import add_plain_row, wrapping_label
from nbmail.worker.protocol import PlannedMove

COSTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""The steps of the cost dial: junk messages in the inbox that weigh as much as one good message lost."""
ASK = 0.5
"""What being asked costs, in junk messages seen; the verdicts of the engine rest on the same figure."""
Preview = Callable[[Callable[[Sequence[PlannedMove]], None]], None]


def junk_line(cost: float) -> float:
    """The probability above which calling it junk is expected to cost less than asking, and than calling it good."""
    return max(1 - ASK / cost, cost / (1 + cost))


class PreferencesDialog(FormDialog):
    """Shows the choices and hands each new set of them to `choose`. Signals: those of every dialog.

    `count` says how many messages have a higher chance of junk than this, and how many have one. Before moving is
    turned on, `preview` is asked what it would do, and the user whether that is right.
    """

    def __init__(
        self,
        parent: QWidget,
        settings: Settings,
        choose: Callable[[Settings], None],
        preview: Preview,
        count: Callable[[float], tuple[int, int]] = lambda _: (0, 0),
    ) -> None:
        super().__init__(parent, tr("Preferences"))
        self._count = count
        self._settings, self._choose, self._preview = settings, choose, preview
        self._asking = self._closed = False
        self._make_fields()
        self._lay_out()
        self._connect()

    def _make_fields(self) -> None:
        settings = self._settings
        self.dial = QSlider(Qt.Orientation.Horizontal)
        self.dial.setRange(0, len(COSTS) - 1)
        nearest = min(range(len(COSTS)), key=lambda i: abs(COSTS[i] - settings.junk_seen_per_lost))
        self.dial.setValue(nearest)
        self.dial.setAccessibleName(tr("What a lost good message costs"))
        self.dial_words, self.dial_hint = wrapping_label(kind="title"), wrapping_label(kind="muted")
        self._say_cost()
        self.moving = QCheckBox(tr("Move junk on the mail server when I mark it"))
        self.moving.setChecked(settings.move_mail)
        self.after = _combo((("next", tr("go to the next message")), ("stay", tr("stay"))), settings.after_mark)
        self.method = _combo(method_words(), settings.method)
        self.theme = _combo(
            (("system", tr("as the system has it")), ("light", tr("light")), ("dark", tr("dark"))), settings.theme
        )
        self.keys = _combo(
            (("usual", tr("J and K move, ! is junk")), ("thunderbird", tr("as in Thunderbird"))), settings.keys
        )

        languages = (("system", tr("as the system has it")), *LANGUAGES.items())
        self.language = _combo(languages, settings.language)

    def _lay_out(self) -> None:
        form = layouts.form()
        rows = (
            (tr("After a mark"), self.after),
            (tr("Colours"), self.theme),
            (tr("Language"), self.language),
            (tr("Keys"), self.keys),
            (tr("Way of learning"), self.method),
        )
        for name, field in rows:
            field.setAccessibleName(name)
            add_plain_row(form, name, field)
        moving = tr("Off: nbmail changes nothing on the server but the junk mark. Every move can be undone.")
        later = tr("Language, keys and way of learning hold from the next start. Your marks stay.")
        dial = (self.dial_words, self.dial, self.dial_hint)
        notes = [wrapping_label(text, "muted") for text in (moving, later)]
        contents = layouts.column(*dial, 12, self.moving, notes[0], 12, form, notes[1], spacing=8)
        self.hold(contents, close_button(self), grown(self, 520))

    def _connect(self) -> None:
        self.dial.valueChanged.connect(self._say_cost)
        self.dial.sliderReleased.connect(self._change)
        self.dial.actionTriggered.connect(lambda _: None if self.dial.isSliderDown() else self._change_soon())
        self.moving.clicked.connect(self._ask_about_moving)
        for field in (self.after, self.theme, self.language, self.keys, self.method):
            field.currentIndexChanged.connect(self._change)

    def _say_cost(self) -> None:
        cost = COSTS[self.dial.value()]
        self.dial_words.setText(
            tr_count(
                "One lost good message is as bad as %n junk message in the inbox",
                "One lost good message is as bad as %n junk messages in the inbox",
                cost,
            )
        )
        line = junk_line(cost)
        text = tr("What is junk with a chance of more than {line} is called junk.")
        texts = [text.format(line=phrases.exact_percent(line))]
        junk, known = self._count(line)
        if known:
            text = tr("Of your {all} messages without a mark that is {junk} now.")
            texts.append(text.format(all=grouped(known), junk=grouped(junk)))
        self.dial_hint.setText(" ".join(texts))

    def _ask_about_moving(self, wanted: bool) -> None:
        """Off at once; on only after the user has seen what that means."""
        if not wanted:
            self._change()
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
            self._change()

    def done(self, result: int) -> None:
        self._closed = True
        super().done(result)

    def _change_soon(self) -> None:
        # The slider takes its new place only after it has said what was done to it.
        self.dial.valueChanged.connect(self._change, Qt.ConnectionType.SingleShotConnection)

    def _change(self) -> None:
        self._settings = replace(
            self._settings,
            junk_seen_per_lost=float(COSTS[self.dial.value()]),
            move_mail=self.moving.isChecked(),
            after_mark=self.after.currentData(),
            theme=self.theme.currentData(),
            language=self.language.currentData(),
            keys=self.keys.currentData(),
            method=self.method.currentData(),
        )
        self._choose(self._settings)


def method_words() -> tuple[tuple[str, str], ...]:
    """Every way of learning, the recommended one first."""
    return (
        ("balanced", tr("balanced evidence (recommended)")),
        ("multinomial", tr("how often each word comes (multinomial)")),
        ("complement", tr("how often it comes in the others (complement)")),
        ("bernoulli", tr("which words are there (Bernoulli)")),
        ("bernoulli-complete", tr("which are there and which are not (Bernoulli)")),
        ("categorical", tr("facts rather than words (categorical)")),
        ("gaussian", tr("sizes and shares (Gaussian)")),
        ("tree", tr("words that depend on each other (tree)")),
        ("logistic", tr("weights that learn from mistakes (logistic)")),
    )


def _combo(entries: tuple[tuple[str, str], ...], chosen: str) -> QComboBox:
    combo = QComboBox()
    for value, words in entries:
        combo.addItem(words, value)
    combo.setCurrentIndex(max(0, combo.findData(chosen)))
    return combo
