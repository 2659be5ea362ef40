"""Form of the open message's text: plain or formatted, with or without pictures and tinted words."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from urllib.parse import unquote

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from nbmail.foreign_text import domain_of
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.kit.phrases import format_count, tr
from nbmail.ui.kit.plain_text import read_person
from nbmail.ui.message.link_targets import read_link
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.services import MailboxSearch
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.results import InlinePicture, MessageText

MOST_PICTURES = 100
"""Pictures of one message that are loaded."""
COLLECTED_MILLISECONDS = 200
"""Time in which pictures are collected before the text is shown again."""

Offers = list[tuple[str, Callable[[], object]]]


class BodyActions(QObject):
    """Loads pictures on request and shows plain text. `is_junk`: True for junk and for a message without a verdict.

    Pictures in the message itself are shown, except in junk. Pictures on servers are loaded after a click, or for a
    sender whom the user has named and whose domain the mail server confirmed. In junk they are never loaded.
    """

    def __init__(
        self,
        engine: Engine,
        pane: MessagePane,
        settings: CurrentSettings,
        searches: MailboxSearch,
        is_junk: Callable[[int], bool],
    ) -> None:
        super().__init__(pane)
        self._engine, self._pane, self._settings, self._searches = engine, pane, settings, searches
        self._is_junk = is_junk
        self._wanted, self._came = 0, dict[str, QImage | None]()
        self._stops = list[Callable[[], None]]()
        self._was_junk = False
        self._timer = single_shot_timer(self, COLLECTED_MILLISECONDS, self._show_pictures)
        stops = self._stops
        pane.destroyed.connect(lambda: [stop() for stop in stops])
        pane.prefers_plain = lambda message: _address(message) in settings.value.plain_senders
        pane.shown.connect(self._begin)
        pane.body_shown.connect(self._offer)
        settings.changed.connect(self._tint)
        self._tint()

    def toggle_plain(self) -> None:
        """Show the open message as plain text with its hidden text, or formatted again."""
        self._pane.set_plain(not self._pane.is_plain)
        if (text := self._pane.shown_message) is not None:
            self._begin(text.message)
            self._offer()

    def toggle_tints(self) -> None:
        """Turn the tints of words on or off."""
        self._settings.change(replace(self._settings.value, tints_words=not self._settings.value.tints_words))

    def _tint(self) -> None:
        value = self._settings.value
        self._pane.set_tinted_words(value.tinted_words if value.tints_words else 0)

    def _begin(self, message: int) -> None:
        """Load what needs no click of a message that was opened."""
        self._end()
        text = self._pane.shown_message
        self._was_junk = self._is_junk(message)
        if text is None or self._was_junk:
            return
        if any(source.lower().startswith("cid:") for source in self._pane.page.sources):
            self._engine.read_pictures(message).then(partial(self._show_inline, text))
        if self._is_trusted(text):
            self._load()

    def check_junk(self) -> None:
        """Stop loading pictures, or begin, if the open message became junk or not junk."""
        text = self._pane.shown_message
        if text is not None and self._is_junk(text.message) != self._was_junk:
            self._begin(text.message)
            self._offer()

    def _show_inline(self, text: MessageText, pictures: tuple[InlinePicture, ...]) -> None:
        if self._pane.shown_message is text:
            by_id = {picture.content_id: picture.content for picture in pictures}
            inside = [source for source in self._pane.page.sources if source.lower().startswith("cid:")]
            found = {source: by_id.get(unquote(source[4:]), b"") for source in inside}
            self._request({source: content for source, content in found.items() if content})

    def _load(self) -> None:
        text = self._pane.shown_message
        if text is not None and not self._is_junk(text.message):
            self._request(dict(self._addresses()[:MOST_PICTURES]))

    def _addresses(self) -> list[tuple[str, str]]:
        """Return the sources of pictures on servers, and their addresses."""
        targets = ((source, read_link(source)) for source in self._pane.page.sources if source not in self._came)
        return [(source, one.address) for source, one in targets if one and one.address.startswith("https:")]

    def _request(self, sources: dict[str, str | bytes]) -> None:
        text = self._pane.shown_message

        def take(source: str, image: QImage | None) -> None:
            if self._pane.shown_message is text and source not in self._came:
                self._came[source] = image
                self._timer.start()

        if sources:
            self._wanted += len(sources)
            self._stops.append(self._searches.load_pictures(sources, take))
            self._offer()

    def _show_pictures(self) -> None:
        self._pane.show_images({source: image for source, image in self._came.items() if image is not None})

    def _end(self) -> None:
        self._stop()
        self._timer.stop()
        self._wanted, self._came = 0, {}

    def _stop(self) -> None:
        while self._stops:
            self._stops.pop()()

    def _cancel(self) -> None:
        self._stop()
        self._wanted = len(self._came)
        self._offer()

    # ------------------------------------------------------------------------------------------------------ offers

    def _offer(self) -> None:
        """Offer what can be done with the text."""
        text = self._pane.shown_message
        if text is None:
            return
        note, offers = "", Offers()
        if self._pane.is_plain:
            offers = [(tr("Show formatted text"), self.toggle_plain), *self._remembered("plain_senders", text)]
        elif self._wanted > len(self._came):
            note = tr("Loading pictures: {done} of {total}…")
            note = note.format(done=format_count(len(self._came)), total=format_count(self._wanted))
            offers = [(tr("Stop"), self._cancel)]
        elif not self._is_junk(text.message):
            note, offers = self._offer_pictures(text)
        failed = sum(image is None for image in self._came.values()) if not self._pane.is_plain else 0
        self._pane.show_offers(note, offers, failed)

    def _offer_pictures(self, text: MessageText) -> tuple[str, Offers]:
        always = self._remembered("picture_senders", text) if self._is_confirmed(text) else Offers()
        if self._addresses():
            tells = tr("Loading them tells the sender when you read this, and your internet address.")
            return tells, [(tr("Load pictures once"), self._load), *always]
        return "", always if self._is_trusted(text) and self._came else Offers()

    def _remembered(self, field: str, text: MessageText) -> Offers:
        """Return the offer to do the same for all mail of the sender, or to end that."""
        address, known = _address(text), getattr(self._settings.value, field)
        if not address:
            return []
        others = tuple(each for each in known if each != address)
        if address in known:
            return [(tr("No longer for this sender"), partial(self._remember, field, others))]
        return [(tr("Always for this sender"), partial(self._remember, field, (*others, address)))]

    def _remember(self, field: str, senders: tuple[str, ...]) -> None:
        value, plain = self._settings.value, field == "plain_senders"
        changed = replace(value, plain_senders=senders) if plain else replace(value, picture_senders=senders)
        self._settings.change(changed)
        text = self._pane.shown_message
        if not plain and text is not None and self._is_trusted(text):
            self._load()
        self._offer()

    def _is_confirmed(self, text: MessageText) -> bool:
        """True if the mail server confirmed the domain of the sender's address."""
        address = _address(text)
        return bool(text.sender.domain) and domain_of(address.rpartition("@")[2]) == text.sender.domain

    def _is_trusted(self, text: MessageText) -> bool:
        """True if the pictures of the sender are loaded without a click."""
        return self._is_confirmed(text) and _address(text) in self._settings.value.picture_senders


def _address(message: MessageText) -> str:
    """Return the address of the sender, "" if there is none or more than one."""
    senders = [value for name, value in message.headers if name.lower() == "from"]
    return read_person(senders[0]).address.lower() if len(senders) == 1 else ""
