"""IMAP server of the demo: pymap with the demo mailbox, in a separate process on a free local port.

Started as `python -m nbmail.demo.server [HOME [NOW]]`. The first line of standard input is the
password, the first line of standard output the port. The server ends when standard input closes,
also after a crash of the program, and removes the demo's temporary data folder.
"""

import asyncio
import shutil
import signal
import sys
import time
from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

from proxyprotocol.reader import ProxyProtocolReader
from pymap.backend.dict import Config, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import ObjectId
from pymap.parsing.specials.flag import Flag, Wildcard
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from nbmail.demo.home import PREFIX
from nbmail.demo.mail import PlacedMail, demo_folder, demo_mailbox

USER = "robin"
JUNK = "Junk"


class KeepingFolder(MailboxData):
    """Folder that stores keywords such as `$Junk`; pymap's class drops them."""

    @property
    def permanent_flags(self) -> frozenset[Flag]:
        return super().permanent_flags | {Wildcard}


class KeepingFolders(MailboxSet):
    """All folders of the demo account."""

    def __init__(self) -> None:
        super().__init__()
        self._inbox = KeepingFolder(self._content_cache, self._thread_cache)

    async def add_mailbox(self, name: str) -> ObjectId:
        await super().add_mailbox(name)
        self._set[name] = folder = KeepingFolder(self._content_cache, self._thread_cache)
        return folder.mailbox_id

    async def put(self, placed: PlacedMail) -> None:
        flags = frozenset(Flag(flag) for flag in placed.flags)
        moment = datetime.fromtimestamp(placed.received, UTC)
        folder = await self.get_mailbox(placed.folder)
        await folder.append(AppendMessage(placed.raw, moment, flags), recent=True)


async def serve(password: str, now: float) -> None:
    config = _config(password)
    config.apply_context()
    login = Login(config)
    await login.demo_user_identity.set(UserMetadata(config, USER, password=password))
    folders = KeepingFolders()
    placed = demo_mailbox(demo_folder(), now)
    config.set_cache[USER] = (folders, FilterSet())
    for name in sorted({JUNK, *(one.folder for one in placed)} - {"INBOX"}):
        await folders.add_mailbox(name)
    for one in placed:
        if not one.delay:
            await folders.put(one)
    callback = ProxyProtocolReader(config.proxy_protocol).get_callback(IMAPServer(login, config))
    async with await asyncio.start_server(callback, host=config.host, port=config.port) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        arrivals = asyncio.create_task(_arrive(folders, [one for one in placed if one.delay]))
        await asyncio.to_thread(sys.stdin.read)
        arrivals.cancel()


def _config(password: str) -> Config:
    """Return the configuration.

    Hashing the password, known to two processes only, would take 0.25 s at each login.
    """
    options = Namespace(passlib_cfg=None, proxy_protocol=None)
    return Config(
        options,
        host="127.0.0.1",
        port=0,
        tls_enabled=False,
        hash_context=Cleartext(),
        demo_data=False,
        demo_user=USER,
        demo_password=password,
    )


async def _arrive(folders: KeepingFolders, waiting: list[PlacedMail]) -> None:
    passed = 0.0
    for one in sorted(waiting, key=lambda placed: placed.delay):
        await asyncio.sleep(one.delay - passed)
        passed = one.delay
        await folders.put(one)


def main(arguments: list[str]) -> int:
    """Run until the parent program ends. Keyboard interrupts are left to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    now = float(arguments[1]) if len(arguments) > 1 else time.time()
    try:
        asyncio.run(serve(sys.stdin.readline().strip(), now))
    finally:
        if arguments and Path(arguments[0]).name.startswith(PREFIX):
            shutil.rmtree(arguments[0], ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
