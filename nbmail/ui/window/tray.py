"""The icon in the system's tray and a word on new mail, both by choice. Junk comes in silence."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow, QMenu, QSystemTrayIcon

from nbmail.ui.kit.icons import window_icon
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.list.list_choice import Column
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.values import VERDICTS

TOGETHER = 1500
"""Milliseconds in which messages that come are told of together, and get their scores."""
RECENT = 3600
"""Seconds: what is older was not sent just now, as most mail of a mailbox that is new here."""
NAMED = 3
LONGEST = 120


class Tray(QObject):
    """Shows what the settings say. `tell` hears title and text of each notification. Has no signals of its own."""

    def __init__(
        self,
        window: QMainWindow,
        come_forward: Callable[[], None],
        model: MailModel,
        settings: CurrentSettings,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._settings, self._clock = window, model, settings, clock
        self._come_forward = come_forward
        self._new: list[int] = []
        self._icon: QSystemTrayIcon | None = None
        self._pause = single_shot_timer(self, TOGETHER, self._tell_new)
        self.tell: Callable[[str, str], None] = self._show_message
        settings.tray_changed.connect(self._show)
        model.arrived.connect(self._note)
        self._show()

    def _show(self) -> None:
        wanted = self._settings.value.tray != "none"
        if wanted and self._icon is None and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon = QSystemTrayIcon(window_icon(), self)
            self._icon.setToolTip("nbmail")
            self._icon.activated.connect(self._come_forward)
            self._icon.messageClicked.connect(self._come_forward)
            menu = QMenu(self._window)
            menu.addAction(tr("Show nbmail"), self._come_forward)
            menu.addAction(tr("Quit"), self._window.close)
            self._icon.setContextMenu(menu)
        if self._icon is not None:
            self._icon.setVisible(wanted)

    def _note(self, messages: Sequence[int]) -> None:
        if self._settings.value.tray == "news":
            self._new += messages
            self._pause.start()

    def _tell_new(self) -> None:
        """Whoever looks at the window sees it anyway."""
        new, self._new = self._new, []
        worth = [message for message in new if self._is_worth(message)]
        if worth and not self._window.isActiveWindow():
            self.tell(*(self._words_of_one(worth[0]) if len(worth) == 1 else self._words_of_many(worth)))

    def _is_worth(self, message: int) -> bool:
        """Whether it is unread, came just now and is not junk."""
        mail = self._model.mail
        place = int(mail.find([message])[0])
        if place < 0 or mail.effective_class[place] == VERDICTS.index("junk"):
            return False
        return mail.unread(place) and float(mail.dates[place]) > self._clock() - RECENT

    def _words_of_one(self, message: int) -> tuple[str, str]:
        """Who wrote what, and how sure nbmail is."""
        words, place = self._model.texts, int(self._model.mail.find([message])[0])
        subject, sure = words.text(place, Column.SUBJECT)[:LONGEST], words.chance(place)
        told = tr("{verdict}, chance of junk {chance}").format(verdict=words.verdict(place), chance=sure)
        return words.text(place, Column.SENDER)[:LONGEST], f"{subject}\n{told}"

    def _words_of_many(self, messages: Sequence[int]) -> tuple[str, str]:
        names = dict.fromkeys(self._words_of_one(message)[0] for message in messages)
        more = "…" if len(names) > NAMED else ""
        return tr_count("%n new message", "%n new messages", len(messages)), ", ".join(list(names)[:NAMED]) + more

    def _show_message(self, title: str, text: str) -> None:
        if self._icon is not None:
            self._icon.showMessage(title, text, window_icon())
