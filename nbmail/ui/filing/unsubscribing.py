"""Unsubscribing from the mailing list of the selected message, after a question."""

from collections.abc import Callable
from urllib.parse import urlsplit

from nbmail.errors import ErrorCode
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.list.contents.mail_columns import SPAM
from nbmail.ui.texts.date_texts import moment_in_full
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import tr
from nbmail.ui.window.services import open_address
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.senders import UnsubscribeOffer


class Unsubscribing:
    """Sends one request to the server of a mailing list, or opens a message to its address."""

    def __init__(self, context: WindowContext, marking: MarkingActions) -> None:
        self._window = context.window
        self._engine = context.engine
        self._mail = context.model.mail
        self._report = context.status.report
        self._desktop = context.desktop
        self._marking = marking

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"unsubscribe": self._unsubscribe}

    def _unsubscribe(self) -> None:
        messages = self._marking.target.selected_messages()
        if len(messages) != 1:
            self._report(tr("Select one message."))
        elif self._is_spam(messages[0]):
            self._report(
                tr("nbmail doesn't unsubscribe from spam: it would tell the sender that you exist.")
            )
        else:
            self._engine.read_unsubscribe(messages[0]).then(self.ask)

    def _is_spam(self, message: int) -> bool:
        position = self._mail.position_of(message)
        return bool(self._mail.effective_class[position] == SPAM)

    def ask(self, offer: UnsubscribeOffer) -> None:
        """Ask the user, and unsubscribe after a yes."""
        if not (offer.one_click or offer.mail):
            self._report(
                tr("This message offers no way to unsubscribe that your mail server could verify.")
            )
            return
        text = tr("Unsubscribe from messages of {sender}?").format(sender=offer.sender)
        box = question_box(self._window, tr("Unsubscribe?"), text, _details(offer))
        open_question(box, tr("Unsubscribe"), tr("Cancel"), lambda: self._send(offer))

    def _send(self, offer: UnsubscribeOffer) -> None:
        if offer.one_click:
            self._report(tr("Unsubscribing…"))
            self._desktop.unsubscribe(
                offer.one_click, lambda answer: self._report_answer(offer, answer)
            )
        else:
            open_address(offer.mail)
            self._engine.note_unsubscribed(offer.message, tr("handed to your mail program"))

    def _report_answer(self, offer: UnsubscribeOffer, answer: int | ErrorCode) -> None:
        """Report the status that the server answered, or the reason why there is none."""
        if isinstance(answer, ErrorCode):
            reason = error_notice(answer).sentence
            self._report(tr("Not unsubscribed. {reason}").format(reason=reason))
            return

        if 200 <= answer < 300:
            text = tr("{host} accepted the request to unsubscribe (status {status}).")
        else:
            text = tr("{host} did not accept the request to unsubscribe (status {status}).")
        text = text.format(host=urlsplit(offer.one_click).hostname, status=answer)
        self._engine.note_unsubscribed(offer.message, text)
        self._report(text)


def _details(offer: UnsubscribeOffer) -> str:
    """Return how nbmail unsubscribes, after what came of an earlier request."""
    if offer.one_click:
        text = tr(
            "nbmail sends one request to {host}, without cookies. The server learns your IP "
            "address and which message you received."
        )
        text = text.format(host=urlsplit(offer.one_click).hostname)
    else:
        text = tr("Your mail program opens with a message to {address}. Send it to unsubscribe.")
        text = text.format(address=urlsplit(offer.mail).path)

    if not offer.moment:
        return text
    earlier = tr("You unsubscribed on {date}. The answer was: {answer}")
    earlier = earlier.format(date=moment_in_full(offer.moment), answer=offer.answer)
    return f"{earlier}\n\n{text}"
