"""Classes of the user's own besides spam and good mail."""

from nbmail.ui.list.contents.mail_columns import MailColumns


def has_own_classes(mail: MailColumns) -> bool:
    """True if messages have labels other than spam and good mail."""
    return not {"spam", "ham"}.issuperset(mail.label_names)
