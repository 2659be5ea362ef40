"""Forms of the open message's text: with or without pictures, as plain text, with tinted words."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject

from nbmail.ui.message import sender_choices
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.message.picture_loader import PictureLoader
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import VERDICTS
from nbmail.worker.protocol.messages import MessageText

SPAM = VERDICTS.index("spam")
Offers = list[tuple[str, Callable[[], object]]]
"""Texts of buttons, and what they do."""


class BodyActions(QObject):
    """Shows the text in the form that the user wants, and offers other forms.

    Pictures in the message itself are shown, except in spam. Pictures on servers are loaded after a
    click, or for a sender whom the user has named and whose domain the mail server confirmed. In
    spam they are never loaded.
    """

    def __init__(self, context: WindowContext, pane: MessagePane) -> None:
        super().__init__(pane)
        self._mail = context.model.mail
        self._settings = context.settings
        self._pane = pane
        self._was_spam = False
        self._pictures = PictureLoader(context, pane)
        self._pictures.changed.connect(self._offer)
        pane.shown.connect(self._begin)
        pane.body_shown.connect(self._offer)
        context.model.counted.connect(self._check_spam)
        context.settings.changed.connect(self._tint)
        self._tint()

    # ---------------------------------------------------------------------------------------------
    # tints and plain text

    def toggle_tints(self) -> None:
        value = self._settings.value
        self._settings.change(replace(value, tints_words=not value.tints_words))

    def _tint(self) -> None:
        value = self._settings.value
        self._pane.set_tinted_words(value.tinted_words if value.tints_words else 0)

    def toggle_plain(self) -> None:
        self._pane.toggle_plain()
        text = self._pane.shown_message
        if text is not None:
            self._begin(text.message)

    # ---------------------------------------------------------------------------------------------
    # pictures

    def _begin(self, message: int) -> None:
        """Load what needs no click of a message that was opened, and offer the rest."""
        self._pictures.begin()
        text = self._pane.shown_message
        self._was_spam = self._is_spam(message)
        if text is not None and not self._was_spam:
            self._pictures.load_inline()
            if sender_choices.wants_pictures(self._settings, text):
                self._load()
        self._offer()

    def _check_spam(self) -> None:
        """Stop loading pictures, or begin, if the open message became spam or not spam."""
        text = self._pane.shown_message
        if text is not None and self._is_spam(text.message) != self._was_spam:
            self._begin(text.message)

    def _is_spam(self, message: int) -> bool:
        """True for spam by mark or verdict, and for a message that is not classified yet."""
        position = self._mail.position_of(message)
        if position < 0 or not self._mail.has_class(position):
            return True
        return bool(self._mail.effective_class[position] == SPAM)

    def _load(self) -> None:
        text = self._pane.shown_message
        if text is not None and not self._is_spam(text.message):
            self._pictures.load_remote()

    # ---------------------------------------------------------------------------------------------
    # offers

    def _offer(self) -> None:
        """Show what can be shown in addition, and buttons for it."""
        text = self._pane.shown_message
        if text is None:
            return
        if self._pane.is_plain:
            offers = [(tr("Show formatted text"), self.toggle_plain), *self._plain_choice(text)]
            self._pane.show_offers("", offers)
        elif self._pictures.is_loading:
            offers = [(tr("Stop"), self._pictures.cancel)]
            self._pane.show_offers(self._progress_text(), offers, self._pictures.failed)
        elif self._pictures.remote_addresses() and not self._is_spam(text.message):
            note = tr(
                "Loading them tells the sender when you read this, and your internet address."
            )
            offers = [(tr("Load pictures once"), self._load), *self._picture_choice(text)]
            self._pane.show_offers(note, offers, self._pictures.failed)
        else:
            offers = self._end_of_pictures(text)
            self._pane.show_offers("", offers, self._pictures.failed)

    def _progress_text(self) -> str:
        text = tr("Loading pictures: {done} of {total}…")
        done = format_count(len(self._pictures.came))
        return text.format(done=done, total=format_count(self._pictures.wanted))

    def _end_of_pictures(self, text: MessageText) -> Offers:
        """Return the offer to load no more pictures of a sender, if they were loaded."""
        is_wanted = sender_choices.wants_pictures(self._settings, text)
        if self._is_spam(text.message) or not (is_wanted and self._pictures.came):
            return []
        return self._picture_choice(text)

    def _plain_choice(self, text: MessageText) -> Offers:
        """Return the offer to show all mail of the sender as plain text, or to end that."""
        is_chosen = sender_choices.prefers_plain(self._settings, text)

        def choose(address: str, wanted: bool) -> None:
            sender_choices.prefer_plain(self._settings, address, plain=wanted)
            self._offer()

        return _choice(text, is_chosen, choose)

    def _picture_choice(self, text: MessageText) -> Offers:
        """Return the offer to load pictures of all mail of the sender, or to end that."""
        if not sender_choices.is_confirmed(text):
            return []
        is_chosen = sender_choices.wants_pictures(self._settings, text)

        def choose(address: str, wanted: bool) -> None:
            sender_choices.want_pictures(self._settings, address, wanted=wanted)
            shown = self._pane.shown_message
            if shown is not None and sender_choices.wants_pictures(self._settings, shown):
                self._load()
            self._offer()

        return _choice(text, is_chosen, choose)


def _choice(text: MessageText, is_chosen: bool, choose: Callable[[str, bool], None]) -> Offers:
    """Return the offer to choose a form for all mail of the sender, or to end that."""
    address = sender_choices.sender_address(text)
    if is_chosen:
        return [(tr("No longer for this sender"), lambda: choose(address, False))]
    if not address:
        return []
    return [(tr("Always for this sender"), lambda: choose(address, True))]
