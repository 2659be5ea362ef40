"""Random keys, clicks, wheel and dragging in whatever window or menu is on top."""

import random
from collections import deque

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import Shiboken

from nbmail.text.search_query import OPERATORS
from nbmail.ui.list.search_field import SearchField
from nbmail.ui.list.table.mail_table import MailTable

K = Qt.Key
KEYS = (
    *(
        K.Key_Tab,
        K.Key_Backtab,
        K.Key_Return,
        K.Key_Space,
        K.Key_Escape,
        K.Key_Backspace,
        K.Key_Delete,
    ),
    *(
        K.Key_Up,
        K.Key_Down,
        K.Key_Left,
        K.Key_Right,
        K.Key_Home,
        K.Key_End,
        K.Key_PageUp,
        K.Key_PageDown,
    ),
    *(K.Key_F1, K.Key_F5, K.Key_F8, K.Key_F9, K.Key_F10, K.Key_Menu, K.Key_Alt),
)
FILING = (
    *(
        (K.Key_A, "a"),
        (K.Key_Delete, ""),
        (K.Key_V, "v"),
        (K.Key_1, "1"),
        (K.Key_2, "2"),
        (K.Key_3, "3"),
    ),
    *((K.Key_S, "s"), (K.Key_N, "n"), (K.Key_Exclam, "!"), (K.Key_J, "j"), (K.Key_U, "u")),
)
"""Keys of the list that file and mark."""
VALUES = ("anna", "shop.example", "claim", '"two words', "2026-11", "", "@", "İ")
"""Values of search operators."""
LETTERS = "abcdefghijklmnopqrstuvwxyz !?/,.@\"'*0123456789"
HELD = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
BUTTONS = (Qt.MouseButton.LeftButton,) * 5 + (Qt.MouseButton.RightButton,)
SHAPES = ((640, 480), (800, 600), (1280, 800), (1000, 700))
REMEMBERED = 25
MOST_WINDOWS = 3
PATIENCE = 30
"""Milliseconds after which an act is known to wait for others."""
NONE = Qt.KeyboardModifier.NoModifier


class Monkey:
    """Acts by the dice of a seed. `trail` names its latest acts, the last one at the end."""

    def __init__(self, seed):
        self._dice = random.Random(seed)
        self.trail = deque(maxlen=REMEMBERED)
        self._begun = 0
        self._under_way = set()
        often = {
            self._click: 45,
            self._press: 30,
            self._type: 15,
            self._hover: 8,
            self._turn: 5,
            self._drag: 4,
        }
        often |= {self._command: 8, self._search: 2, self._mark: 4, self._resize: 1}
        self._repertoire = tuple(often), tuple(often.values())

    def act(self):
        """Act once on the window on top. In a menu that Qt waits for, act until it is closed."""
        self._begun += 1
        this = self._begun
        self._under_way.add(this)
        QTimer.singleShot(PATIENCE, lambda: self._act_within(this))
        if top := self._top():
            self._dice.choices(*self._repertoire)[0](top)
        self._under_way.discard(this)

    def _act_within(self, this):
        if this in self._under_way:
            self.act()
            QTimer.singleShot(PATIENCE, lambda: self._act_within(this))

    def _top(self):
        """The menu that is open, else the question that waits, else any window."""
        if front := QApplication.activePopupWidget() or QApplication.activeModalWidget():
            return front
        kinds = (Qt.WindowType.Window, Qt.WindowType.Dialog)
        windows = [
            each
            for each in QApplication.topLevelWidgets()
            if each.isVisible() and each.windowType() in kinds
        ]
        if len(windows) > MOST_WINDOWS:
            # Else nearly all acts would go to windows about words: each click on one opens another.
            self._dice.choice([each for each in windows if isinstance(each, QDialog)]).close()
            return None
        if (top := QApplication.activeWindow()) not in windows or self._dice.random() < 0.05:
            top = self._dice.choice(windows)
            top.activateWindow()
        return top

    def _note(self, top, *what):
        self.trail.append(f"{type(top).__name__} “{top.windowTitle()}”: {' '.join(map(str, what))}")

    def _press(self, top):
        self._stroke(top, self._dice.choice(KEYS), "", 0.2)

    def _type(self, top):
        letter = self._dice.choice(LETTERS)
        self._stroke(top, Qt.Key(ord(letter.upper())), letter, 0.3)

    def _stroke(self, top, key, text, often):
        held = self._dice.choice(HELD) if self._dice.random() < often else NONE
        self._note(top, held.name, key.name)
        # With `QTest.keyClick` the keys held come as events of their own, also to a window that is
        # gone by then.
        self._send(
            top,
            *((QTest.simulateEvent, down, key.value, held, text, False) for down in (True, False)),
        )

    def _click(self, top):
        place = self._place(top)
        button = self._dice.choice(BUTTONS)
        held = self._dice.choice(HELD[:2]) if self._dice.random() < 0.1 else NONE
        times = 2 if self._dice.random() < 0.1 else 1
        self._note(top, "click", times, held.name, button.name, self._named(top, place))
        acts = (QTest.mousePress, QTest.mouseRelease) * times
        self._send(top, *((act, button, held, place) for act in acts))

    def _turn(self, top):
        place = self._place(top)
        steps = self._dice.choice((-360, -120, 120, 360))
        self._note(top, "wheel", steps, self._named(top, place))
        under = top.childAt(place) or top
        at = QPointF(under.mapFrom(top, place))
        buttons = Qt.MouseButton.NoButton
        phase = Qt.ScrollPhase.NoScrollPhase
        spun = QWheelEvent(
            at,
            QPointF(top.mapToGlobal(place)),
            QPoint(),
            QPoint(0, steps),
            buttons,
            NONE,
            phase,
            False,
        )
        QApplication.sendEvent(under, spun)

    def _hover(self, top):
        place = self._place(top)
        self._note(top, "hover", self._named(top, place))
        QTest.mouseMove(top.windowHandle(), place)

    def _drag(self, top):
        start = self._place(top)
        end = self._place(top)
        self._note(top, "drag", self._named(top, start), self._named(top, end))
        left = Qt.MouseButton.LeftButton
        moves = ((QTest.mouseMove, place) for place in ((start + end) / 2, end))
        self._send(
            top,
            (QTest.mousePress, left, NONE, start),
            *moves,
            (QTest.mouseRelease, left, NONE, end),
        )

    def _send(self, top, *acts):
        """To the window, for as long as it is there."""
        window = top.windowHandle()
        for act, *how in acts:
            if Shiboken.isValid(window):
                act(window, *how)

    def _command(self, top):
        """One of the commands of its menus: the rare ones come as often as the others."""
        offered = [
            each
            for each in top.actions()
            if each.isEnabled() and each.isVisible() and not each.menu()
        ]
        if offered:
            chosen = self._dice.choice(offered)
            self._note(top, "command", chosen.objectName())
            chosen.trigger()

    def _mark(self, top):
        """Press one of the keys that mark and file in the list, whatever had the keyboard."""
        if table := next(iter(top.findChildren(MailTable)), None):
            table.setFocus()
            self._stroke(top, *self._dice.choice(FILING), 0.1)

    def _search(self, top):
        if field := next(iter(top.findChildren(SearchField)), None):
            chosen = self._dice.choices(OPERATORS, k=self._dice.randrange(3))
            text = " ".join(
                each + self._dice.choice(VALUES) * each.endswith(":") for each in chosen
            )
            self._note(top, "search", repr(text))
            field.setText(text)

    def _resize(self, top):
        shape = self._dice.choice(SHAPES)
        self._note(top, "resize", *shape)
        if top.windowType() != Qt.WindowType.Popup:
            top.resize(*shape)

    def _place(self, top):
        """Return a random point of the window, often on one of its small parts."""
        parts = [
            each for each in top.findChildren(QWidget) if each.window() is top and each.isVisible()
        ]
        part = self._dice.choice(parts) if parts and self._dice.random() < 0.7 else top
        inside = QPoint(
            self._dice.randrange(max(part.width(), 1)), self._dice.randrange(max(part.height(), 1))
        )
        place = part.mapTo(top, inside)
        return QPoint(
            min(max(place.x(), 0), top.width() - 1), min(max(place.y(), 0), top.height() - 1)
        )

    def _named(self, top, place):
        under = top.childAt(place)
        words = getattr(under, "text", str)
        said = (
            words()
            if callable(words) and type(under).__name__ in ("QPushButton", "QToolButton", "QLabel")
            else ""
        )
        return f"({place.x()}, {place.y()}) {type(under).__name__} {said[:40]!r}"
