"""Choice of all classes of the user instead of spam and good mail."""

from PySide6.QtWidgets import QCheckBox

from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.texts.language import tr


class OwnClassesBox(QCheckBox):
    """Box that is visible if messages have labels other than spam and good mail."""

    def __init__(self) -> None:
        super().__init__(tr("All classes instead of spam and good mail"))

    def show_for(self, mail: MailColumns) -> None:
        self.setVisible(not {"spam", "ham"}.issuperset(mail.label_names))

    @property
    def is_chosen(self) -> bool:
        return self.isChecked() and not self.isHidden()
