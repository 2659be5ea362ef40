"""Usual names of folders by special use, for servers that mark none."""

from nbmail.values import ARCHIVE, JUNK_FOLDER, TRASH

ALL = "\\All"
SENT = "\\Sent"
# Every folder with one of these marks has the special use. Of the others, one folder has it.
ANY_MARKED = (SENT, "\\Drafts", ALL)
SPECIAL = (JUNK_FOLDER, TRASH, ARCHIVE, *ANY_MARKED)

# The preferred one first.
JUNK_NAMES = (
    "junk", "junk e-mail", "junk email", "junk mail", "spam", "bulk mail", "bulk", "spamverdacht",
    "junk-e-mail", "unerwünscht", "courrier indésirable", "indésirables", "correo no deseado",
    "posta indesiderata", "ongewenste e-mail", "lixo eletrônico", "skräppost", "søppelpost",
    "roskaposti", "wiadomości-śmieci", "нежелательная почта", "спам", "迷惑メール", "垃圾邮件",
    "垃圾郵件", "스팸",
)  # fmt: skip
TRASH_NAMES = (
    "trash", "deleted items", "deleted messages", "deleted", "bin", "papierkorb",
    "gelöschte elemente", "corbeille", "éléments supprimés", "papelera", "cestino", "prullenbak",
    "lixeira", "удаленные", "корзина", "ゴミ箱", "已删除邮件",
)  # fmt: skip
ARCHIVE_NAMES = (
    "archive", "archives", "archiv", "archivo", "archivio", "archief", "arquivo", "arkiv",
    "arkisto", "archiwum", "архив", "アーカイブ", "归档", "封存",
)  # fmt: skip
SENT_NAMES = (
    "sent", "sent items", "sent mail", "sent messages", "sent-mail", "gesendet",
    "gesendete elemente", "gesendete objekte", "messages envoyés", "éléments envoyés", "envoyés",
    "enviados", "elementos enviados", "posta inviata", "inviata", "verzonden", "verzonden items",
    "itens enviados", "skickat", "sendt", "lähetetyt", "wysłane", "отправленные", "送信済み",
    "已发送",
)  # fmt: skip
USUAL_NAMES = {
    JUNK_FOLDER: JUNK_NAMES,
    TRASH: TRASH_NAMES,
    ARCHIVE: ARCHIVE_NAMES,
    SENT: SENT_NAMES,
}
"""Names in lower case by special use."""
PREFIXES = ("inbox", "[gmail]", "[google mail]")
