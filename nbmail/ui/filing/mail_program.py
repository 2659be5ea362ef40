"""Opening and answering a message in the user's mail program. nbmail writes no mail itself."""

import sys
from collections.abc import Callable, Iterator, Mapping
from email.utils import getaddresses
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QProcess, QSettings, QStandardPaths

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.language import tr
from nbmail.ui.window.services import open_address, open_file
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.filing import MessageFile

MID, MAIL_FILE = "x-scheme-handler/mid", "message/rfc822"
OWN = "nbmail"
"""Part of the name under which nbmail is registered itself."""
MESSAGE_KEYS = {MID: r"HKEY_CLASSES_ROOT\mid\shell\open\command", MAIL_FILE: r"HKEY_CLASSES_ROOT\.eml"}


def message_address(message_id: str, platform: str = sys.platform) -> str:
    """Return the address of a message by its Message-ID, for programs on this system."""
    name = message_id.strip().removeprefix("<").removesuffix(">")
    return f"message://%3C{quote(name, safe='')}%3E" if platform == "darwin" else f"mid:{quote(name, safe='')}"


def reply_address(headers: Mapping[str, str]) -> str:
    """Return the address that starts an answer: recipient, subject and In-Reply-To; empty without a sender."""
    people = getaddresses([headers.get("reply-to", "")]) + getaddresses([headers.get("from", "")])
    recipient = next((address for _, address in people if "@" in address), "")
    subject = headers.get("subject", "").strip()
    fields = {"subject": subject if subject[:3].casefold() == "re:" else f"Re: {subject}"}
    if message_id := headers.get("message-id", "").strip():
        fields["In-Reply-To"] = message_id
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items())
    return f"mailto:{quote(recipient, safe='@')}?{query}" if recipient else ""


def programs_for(kind: str) -> list[str]:
    """Return the programs that open this kind, the user's choice first. Not on macOS, which has none to read."""
    if sys.platform == "win32":
        found = str(QSettings(MESSAGE_KEYS[kind], QSettings.Format.NativeFormat).value(".") or "")
        return [found] if found else []
    places = (
        (QStandardPaths.StandardLocation.GenericConfigLocation, "mimeapps.list"),
        (QStandardPaths.StandardLocation.ApplicationsLocation, "mimeapps.list"),
        (QStandardPaths.StandardLocation.ApplicationsLocation, "mimeinfo.cache"),
    )
    files = (path for place, name in places for path in QStandardPaths.locateAll(place, name))
    return list(dict.fromkeys(each for path in files for each in _registered(Path(path), kind)))


def _registered(path: Path, kind: str) -> Iterator[str]:
    """Yield the programs that a list of the desktop names for this kind, except removed ones."""
    section = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("["):
            section = line
        elif line.startswith(f"{kind}=") and section != "[Removed Associations]":
            yield from filter(None, line.partition("=")[2].strip().split(";"))


def _launch(program: str, path: Path) -> bool:
    """Open a file with a program that is not the desktop's default. False if that fails."""
    return bool(QProcess.startDetached("gtk-launch", [program.removesuffix(".desktop"), str(path)])[0])


class MailProgram:
    """Hands the selected message to another program. `report` is called with a text when that is impossible."""

    def __init__(self, engine: Engine, marking: MarkingActions, report: Callable[[str], None]) -> None:
        self._engine, self._marking, self._report = engine, marking, report

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return the handlers of actions by name."""
        return {"open": self.open, "reply": self.reply}

    def open(self) -> None:
        """Open the message by its Message-ID where another program is registered for that, otherwise as a file."""
        self._with_message(self._open)

    def reply(self) -> None:
        self._with_message(self._reply)

    def _with_message(self, use: Callable[[MessageFile], None]) -> None:
        messages = self._marking.target.selected_messages()
        if len(messages) == 1:
            self._engine.write_message(messages[0]).then(use)
        else:
            self._report(tr("Select one message."))

    def _open(self, found: MessageFile) -> None:
        message_id = found.headers.get("message-id", "")
        others = [each for each in programs_for(MID) if OWN not in each] if sys.platform != "darwin" else [""]
        if message_id and others:
            open_address(message_address(message_id))
            return
        programs = programs_for(MAIL_FILE) if sys.platform != "darwin" else []
        others = [each for each in programs if OWN not in each]
        if not programs or OWN not in programs[0]:
            open_file(found.path)
        elif not (others and _launch(others[0], found.path)):
            self._report(tr("No other program on this computer opens messages."))

    def _reply(self, found: MessageFile) -> None:
        address = reply_address(found.headers)
        if address:
            open_address(address)
        else:
            self._report(tr("This message has no sender to answer."))
