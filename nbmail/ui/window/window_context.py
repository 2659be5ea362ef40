"""Engine, settings and widgets that most parts of the window use."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtWidgets import QMainWindow

from nbmail.ui.list.table.mail_model import MailModel
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.notices.banner import Banner
from nbmail.ui.notices.status_line import StatusLine
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.services import Accounts, Desktop, MailboxSearch
from nbmail.worker.engine.engine import Engine


class WindowContext(NamedTuple):
    """What most parts of the window use. The program passes the services in."""

    window: QMainWindow
    engine: Engine
    settings: CurrentSettings
    model: MailModel
    table: MailTable
    status: StatusLine
    banner: Banner
    accounts: Accounts
    searches: MailboxSearch
    desktop: Desktop
    clock: Callable[[], float]
