"""Labels that a move in another program speaks of: offered with one button, never given by themselves."""

from PySide6.QtCore import Signal

from nbmail.ui.kit.error_texts import Notice
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.window.notices import Banner, Remedy
from nbmail.worker.protocol import MovedByOthers


class MoveOffers(Banner):
    """Shows one offer after the other, one for each label.

    Signals: `accepted(messages, label)`, when the user wants these messages to have this label.
    """

    accepted = Signal(object, str)

    def __init__(self) -> None:
        super().__init__(icon="junk")
        self._waiting: dict[str, dict[int, None]] = {}

    def take(self, news: MovedByOthers) -> None:
        """Someone moved messages: the latest move of each says what is to be offered."""
        for waiting in self._waiting.values():
            for message in news.messages:
                waiting.pop(message, None)
        self._waiting.setdefault(news.label, {}).update(dict.fromkeys(news.messages))
        self._show_next()

    def forget(self, messages: tuple[int, ...]) -> None:
        """These have been marked in the meantime: nothing is left to be offered."""
        before = sum(map(len, self._waiting.values()))
        for waiting in self._waiting.values():
            for message in messages:
                waiting.pop(message, None)
        if sum(map(len, self._waiting.values())) != before:
            self._show_next()

    def _show_next(self) -> None:
        self._waiting = {label: messages for label, messages in self._waiting.items() if messages}
        if not self._waiting:
            self.dismiss()
            return
        label, messages = next(iter(self._waiting.items()))
        sentence, question, button = _words(label, len(messages))
        remedy = Remedy(button, lambda: self._accept(label))
        self.show_notice(Notice(sentence, question), label, remedy)

    def _put_away(self) -> None:
        self._waiting.pop(self.about, None)
        self._show_next()

    def _accept(self, label: str) -> None:
        messages = tuple(self._waiting.pop(label, {}))
        self._show_next()
        if messages:
            self.accepted.emit(messages, label)


def _words(label: str, count: int) -> tuple[str, str, str]:
    """What happened, the question, the button."""
    if label == "junk":
        one, many = tr("1 message was moved to Junk elsewhere."), tr("{n} messages were moved to Junk elsewhere.")
        questions, button = (tr("Learn it as junk?"), tr("Learn them as junk?")), tr("Learn as junk")
    else:
        one = tr("1 message was moved out of Junk elsewhere.")
        many = tr("{n} messages were moved out of Junk elsewhere.")
        questions, button = (tr("Learn it as good mail?"), tr("Learn them as good mail?")), tr("Learn as good mail")
    return (one if count == 1 else many).format(n=format_count(count)), questions[count != 1], button
