"""Loading of the pictures of one message: fetched and decoded by a few threads, within bounds."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from nbmail.errors import KnownError
from nbmail.ui.page.pictures import decode_picture

if TYPE_CHECKING:
    from nbmail.sync.web import PublicWeb

THREADS = 4
LARGEST, MOST_BYTES, MOST_PIXELS = 5_000_000, 30_000_000, 40_000_000
"""Bytes of a picture, and bytes and decoded pixels of all pictures of a message."""
ACCEPTED = "image/webp,image/png,image/jpeg,image/gif"


class PictureLoading:
    """Loads pictures until all are delivered or `ended` is set. `deliver` is called on the threads.

    `web`: None for the default, which is imported on a thread.
    """

    def __init__(
        self,
        web: "PublicWeb | None",
        sources: Mapping[str, str | bytes],
        deliver: Callable[[str, QImage | None], None],
        ended: threading.Event,
    ) -> None:
        self._web, self._sources, self._deliver, self._ended = web, deque(sources.items()), deliver, ended
        self._bytes, self._pixels, self._lock = MOST_BYTES, MOST_PIXELS, threading.Lock()

    def start(self) -> None:
        for _ in range(min(THREADS, len(self._sources))):
            threading.Thread(target=self._work, name="pictures", daemon=True).start()

    def _work(self) -> None:
        while not self._ended.is_set():
            try:
                source, wanted = self._sources.popleft()
            except IndexError:
                return
            self._deliver(source, self._decode(wanted if isinstance(wanted, bytes) else self._fetch(wanted)))

    def _fetch(self, address: str) -> bytes:
        if self._bytes <= 0:
            return b""
        try:
            answer = self._client().get(address, ACCEPTED)
        except KnownError:
            return b""
        with self._lock:
            self._bytes -= len(answer.body)
        return answer.body if answer.status == 200 else b""

    def _client(self) -> "PublicWeb":
        with self._lock:
            if self._web is None:
                from nbmail.sync.web import PublicWeb

                self._web = PublicWeb(largest=LARGEST)
            return self._web

    def _decode(self, content: bytes) -> QImage | None:
        image = decode_picture(content)
        with self._lock:
            self._pixels -= image.width() * image.height() if image is not None else 0
            return image if self._pixels >= 0 else None
