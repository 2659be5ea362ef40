"""Window with marked messages that the model classified wrongly."""

from PySide6.QtWidgets import QWidget

from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.quality import TrainingReport


def show_mistakes(
    parent: QWidget, report: TrainingReport, mailbox: MailTable, *, spam: bool = False
) -> None:
    """Show good messages that were classified as spam; with `spam`, missed spam."""
    if spam:
        title = tr("Missed spam")
        messages = report.false_negatives
        about = tr(
            "Tested without their own marks, these spam messages were classified as not spam. "
            "Clearest mistakes come first."
        )
    else:
        title = tr("False alarms")
        messages = report.false_positives
        about = tr(
            "Tested without their own marks, these good messages were classified as spam. "
            "Clearest mistakes come first."
        )
    MessagesWindow(parent, title, about, dict.fromkeys(messages, ()), mailbox).show()
