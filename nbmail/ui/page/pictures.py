"""Decoding of pictures that strangers have made. Thread-safe."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

MOST_PIXELS = 16_000_000
LARGEST_SIDE = 1200
"""Maximum width and height of a decoded picture. Larger ones are reduced."""
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", b"png"),
    (b"\xff\xd8\xff", b"jpeg"),
    (b"GIF87a", b"gif"),
    (b"GIF89a", b"gif"),
)


def decode_picture(content: bytes) -> QImage | None:
    """Return a picture in PNG, JPEG, GIF or WebP, by its content.

    None for other formats, damaged and very large pictures.
    """
    kind = _format_of(content)
    if not kind:
        return None
    data = QByteArray(content)
    buffer = QBuffer()
    buffer.setData(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isEmpty() or size.width() * size.height() > MOST_PIXELS:
        return None
    largest = QSize(LARGEST_SIDE, LARGEST_SIDE)
    if size.boundedTo(largest) != size:
        reader.setScaledSize(size.scaled(largest, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image


def _format_of(content: bytes) -> bytes:
    """Return the name of the format for Qt, b"" for others."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return b"webp"
    for signature, kind in _SIGNATURES:
        if content.startswith(signature):
            return kind
    return b""
