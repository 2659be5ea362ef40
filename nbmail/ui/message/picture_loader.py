"""Loading of the pictures of the open message."""

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message.link_targets import read_link
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.messages import MessageText

MOST_PICTURES = 100
"""Pictures of one message that are loaded."""
COLLECTED_MILLISECONDS = 200
"""Time in which pictures are collected before the text is shown again."""
INLINE = "cid:"
"""Scheme of pictures in the message itself."""


class PictureLoader(QObject):
    """Loads pictures of the page that the pane shows, when it is told to.

    `came`: pictures by their addresses as written in the page, None for those that can't be shown.
    Signals: `changed()` when more or fewer pictures are loading.
    """

    changed = Signal()

    def __init__(self, context: WindowContext, pane: MessagePane) -> None:
        super().__init__(pane)
        self._engine = context.engine
        self._desktop = context.desktop
        self._pane = pane
        self.wanted = 0
        self.came = dict[str, QImage | None]()
        stops = list[Callable[[], None]]()
        self._stops = stops
        self._timer = single_shot_timer(self, COLLECTED_MILLISECONDS, self._show)
        pane.destroyed.connect(lambda: _stop_all(stops))

    @property
    def is_loading(self) -> bool:
        return self.wanted > len(self.came)

    @property
    def failed(self) -> int:
        """Number of pictures that could not be loaded."""
        return sum(image is None for image in self.came.values())

    def begin(self) -> None:
        """Forget the pictures of the message before."""
        _stop_all(self._stops)
        self._timer.stop()
        self.wanted = 0
        self.came = {}

    def cancel(self) -> None:
        """Load no more pictures. Those that came stay."""
        _stop_all(self._stops)
        self.wanted = len(self.came)
        self.changed.emit()

    def load_inline(self) -> None:
        """Load the pictures that are in the message itself."""
        text = self._pane.shown_message
        if text is not None and self._inline_sources():
            self._engine.read_pictures(text.message).then(partial(self._decode_inline, text))

    def _decode_inline(self, text: MessageText, pictures: Mapping[str, bytes]) -> None:
        """Decode pictures by their Content-IDs."""
        if self._pane.shown_message is not text:
            return
        found: dict[str, str | bytes] = {}
        for source in self._inline_sources():
            content = pictures.get(unquote(source[len(INLINE) :]))
            if content:
                found[source] = content
        self._request(found)

    def _inline_sources(self) -> list[str]:
        return [each for each in self._pane.page.sources if each.lower().startswith(INLINE)]

    def load_remote(self) -> None:
        """Load the pictures that are on servers."""
        addresses = list(self.remote_addresses().items())[:MOST_PICTURES]
        self._request(dict(addresses))

    def remote_addresses(self) -> dict[str, str]:
        """Return the addresses of pictures on servers that were not loaded yet, by their sources.

        Only encrypted ones are loaded.
        """
        addresses = {}
        for source in self._pane.page.sources:
            target = read_link(source) if source not in self.came else None
            if target is not None and target.address.startswith("https:"):
                addresses[source] = target.address
        return addresses

    def _request(self, sources: Mapping[str, str | bytes]) -> None:
        """Load or decode pictures. `sources`: addresses or contents."""
        if not sources:
            return
        text = self._pane.shown_message

        def take(source: str, image: QImage | None) -> None:
            if self._pane.shown_message is text and source not in self.came:
                self.came[source] = image
                self._timer.start()

        self.wanted += len(sources)
        self._stops.append(self._desktop.load_pictures(sources, take))
        self.changed.emit()

    def _show(self) -> None:
        images = {source: image for source, image in self.came.items() if image is not None}
        self._pane.show_images(images)


def _stop_all(stops: list[Callable[[], None]]) -> None:
    while stops:
        stops.pop()()
