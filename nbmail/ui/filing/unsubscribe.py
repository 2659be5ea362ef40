"""Unsubscribing from a mailing list, after a question."""

from urllib.parse import urlsplit

from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.phrases import moment_in_full
from nbmail.ui.list.mail_columns import JUNK
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window.notices import StatusLine
from nbmail.ui.window.services import MailboxSearch, open_address
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.filing import UnsubscribeOffer


class UnsubscribeActions:
    """Asks, sends one request to the list's server, and reports its answer. Never for junk."""

    def __init__(
        self,
        engine: Engine,
        marking: MarkingActions,
        model: MailModel,
        status: StatusLine,
        window: QWidget,
        *,
        searches: MailboxSearch,
    ) -> None:
        self._engine, self._marking, self._model = engine, marking, model
        self._status, self._window, self._searches = status, window, searches

    def begin(self) -> None:
        """Ask whether to unsubscribe from the list of the selected message."""
        messages = self._marking.target.selected_messages()
        if len(messages) != 1:
            self._status.report(tr("Select one message."))
        elif self._model.mail.effective_class[self._model.mail.find(messages)[0]] == JUNK:
            self._status.report(tr("nbmail doesn't unsubscribe from junk: it would tell the sender that you exist."))
        else:
            self._engine.read_unsubscribe(messages[0]).then(self._ask)

    def _ask(self, offer: UnsubscribeOffer) -> None:
        if not (offer.one_click or offer.mail):
            self._status.report(tr("This message offers no way to unsubscribe that your mail server could verify."))
            return
        text = tr("Unsubscribe from messages of {sender}?").format(sender=offer.sender)
        more = tr("Your mail program opens with a message to {address}. Send it to unsubscribe.").format(
            address=urlsplit(offer.mail).path
        )
        if offer.one_click:
            more = tr(
                "nbmail sends one request to {host}, without cookies. The server learns your IP address and which "
                "message you received."
            ).format(host=urlsplit(offer.one_click).hostname)
        if offer.moment:
            earlier = tr("You unsubscribed on {date}. The answer was: {answer}")
            more = f"{earlier.format(date=moment_in_full(offer.moment), answer=offer.answer)}\n\n{more}"
        box = question_box(self._window, tr("Unsubscribe?"), text, more)
        open_question(box, tr("Unsubscribe"), tr("Cancel"), lambda: self._send(offer))

    def _send(self, offer: UnsubscribeOffer) -> None:
        if not offer.one_click:
            open_address(offer.mail)
            self._engine.note_unsubscribed(offer.message, tr("handed to your mail program"))
            return
        self._status.report(tr("Unsubscribing…"))
        host = str(urlsplit(offer.one_click).hostname)
        self._searches.unsubscribe(offer.one_click, lambda answer: self._report(offer, host, answer))

    def _report(self, offer: UnsubscribeOffer, host: str, answer: int | ErrorCode) -> None:
        """Report the answer of the server: its status, or the reason why there is none."""
        if isinstance(answer, ErrorCode):
            self._status.report(tr("Not unsubscribed. {reason}").format(reason=error_notice(answer).sentence))
            return
        accepted = tr("{host} accepted the request to unsubscribe (status {status}).")
        refused = tr("{host} did not accept the request to unsubscribe (status {status}).")
        text = (accepted if 200 <= answer < 300 else refused).format(host=host, status=answer)
        self._engine.note_unsubscribed(offer.message, text)
        self._status.report(text)
