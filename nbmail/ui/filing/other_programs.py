"""The selected message in another mail program, to read or to answer it there."""

import sys
from collections.abc import Callable, Mapping
from email.utils import getaddresses
from urllib.parse import quote

from PySide6.QtCore import QProcess

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.filing.mail_programs import MAIL_FILE, MID, OWN, programs_for
from nbmail.ui.texts.language import tr
from nbmail.ui.window.services import open_address, open_file
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.messages import MessageFile


def message_address(message_id: str, platform: str = sys.platform) -> str:
    """Return the address of a message by its Message-ID, for programs on this system."""
    name = message_id.strip().removeprefix("<").removesuffix(">")
    quoted = quote(name, safe="")
    if platform == "darwin":
        return f"message://%3C{quoted}%3E"
    return f"mid:{quoted}"


def reply_address(headers: Mapping[str, str]) -> str:
    """Return a mailto address with recipient, subject and In-Reply-To; empty without a sender."""
    recipient = _reply_recipient(headers)
    if not recipient:
        return ""

    subject = headers.get("subject", "").strip()
    if subject[:3].casefold() != "re:":
        subject = f"Re: {subject}"
    fields = {"subject": subject}
    message_id = headers.get("message-id", "").strip()
    if message_id:
        fields["In-Reply-To"] = message_id

    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items())
    return f"mailto:{quote(recipient, safe='@')}?{query}"


def _reply_recipient(headers: Mapping[str, str]) -> str:
    for header in ("reply-to", "from"):
        for _, address in getaddresses([headers.get(header, "")]):
            if "@" in address:
                return address
    return ""


class OtherPrograms:
    """Opens and answers the selected message in another mail program."""

    def __init__(self, context: WindowContext, marking: MarkingActions) -> None:
        self._engine = context.engine
        self._report = context.status.report
        self._marking = marking

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "open": lambda: self._write_selected(self._open),
            "reply": lambda: self._write_selected(self._reply),
        }

    def _write_selected(self, use: Callable[[MessageFile], object]) -> None:
        """Write the selected message to a file for `use`."""
        messages = self._marking.target.selected_messages()
        if len(messages) == 1:
            self._engine.write_message(messages[0]).then(use)
        else:
            self._report(tr("Select one message."))

    def _open(self, found: MessageFile) -> None:
        """Open the message by its Message-ID if a program is registered for it, else as a file."""
        message_id = found.headers.get("message-id", "")
        if message_id and _opens_addresses():
            open_address(message_address(message_id))
            return

        programs = [] if sys.platform == "darwin" else programs_for(MAIL_FILE)
        others = [each for each in programs if OWN not in each]
        if not programs or programs[:1] == others[:1]:
            open_file(found.path)
        elif not (others and _launch(others[0], str(found.path))):
            self._report(tr("No other program on this computer opens messages."))

    def _reply(self, found: MessageFile) -> None:
        address = reply_address(found.headers)
        if address:
            open_address(address)
        else:
            self._report(tr("This message has no sender to answer."))


def _opens_addresses() -> bool:
    """True if another program is registered for addresses of messages. On macOS, Mail always is."""
    if sys.platform == "darwin":
        return True
    return any(OWN not in each for each in programs_for(MID))


def _launch(program: str, path: str) -> bool:
    name = program.removesuffix(".desktop")
    return bool(QProcess.startDetached("gtk-launch", [name, path])[0])
