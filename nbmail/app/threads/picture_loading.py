"""Loading of the pictures of a message, on threads of its own."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from nbmail.errors import KnownError
from nbmail.ui.page.pictures import decode_picture

if TYPE_CHECKING:
    from nbmail.sync.public_web import PublicWeb

THREADS = 4
LARGEST = 5_000_000
MOST_BYTES = 30_000_000
MOST_PIXELS = 40_000_000
"""Bytes of a picture, and bytes and decoded pixels of all pictures of a message."""
ACCEPTED = "image/webp,image/png,image/jpeg,image/gif"


class PictureLoading:
    """Loads pictures on threads, where `deliver` is called, until `is_ended` returns True.

    `web`: None for the default. `decoding`: held while a picture is decoded and passed.
    """

    def __init__(
        self,
        web: "PublicWeb | None",
        sources: Mapping[str, str | bytes],
        deliver: Callable[[str, QImage | None], None],
        is_ended: Callable[[], bool],
        decoding: threading.Lock,
    ) -> None:
        self._web = web
        self._sources = deque(sources.items())
        self._deliver = deliver
        self._is_ended = is_ended
        self._decoding = decoding
        self._bytes = MOST_BYTES
        self._pixels = MOST_PIXELS
        self._lock = threading.Lock()

    def start(self) -> None:
        for _ in range(min(THREADS, len(self._sources))):
            threading.Thread(target=self._work, name="pictures", daemon=True).start()

    def _work(self) -> None:
        while not self._is_ended():
            try:
                source, wanted = self._sources.popleft()
            except IndexError:
                return
            content = wanted if isinstance(wanted, bytes) else self._fetch(wanted)
            with self._decoding:
                if not self._is_ended():
                    image = decode_picture(content)
                    self._pixels -= image.width() * image.height() if image is not None else 0
                    self._deliver(source, image if self._pixels >= 0 else None)

    def _fetch(self, address: str) -> bytes:
        from nbmail.sync.public_web import PublicWeb

        if self._bytes <= 0:
            return b""
        with self._lock:
            web = self._web = self._web or PublicWeb(largest=LARGEST)
        try:
            answer = web.get(address, ACCEPTED)
        except KnownError:
            return b""
        with self._lock:
            self._bytes -= len(answer.body)
        return answer.body if answer.status == 200 else b""
