"""Flags for one painted line of text.

Without `AlignAbsolute`, Hebrew text would be on the opposite side.
"""

from PySide6.QtCore import Qt

_ALIGNMENT = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_LINE = int(_ALIGNMENT) | int(Qt.TextFlag.TextSingleLine)
LEFT = _LINE | int(Qt.AlignmentFlag.AlignLeft)
RIGHT = _LINE | int(Qt.AlignmentFlag.AlignRight)
