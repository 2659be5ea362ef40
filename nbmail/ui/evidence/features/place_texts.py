"""Shown names of the places of features."""

from nbmail.ui.texts.language import once_per_language, tr


def place_text(place: str) -> str:
    """Return the shown name of a place, "" for facts and measures, whose texts include it."""
    return place_names().get(place, place)


@once_per_language
def place_names() -> dict[str, str]:
    """Return the names of all places; empty for those whose features name them."""
    return {
        "fact": "",
        "measure": "",
        "body": tr("text"),
        "phrase": tr("phrase"),
        "text": tr("text"),
        "start": tr("start of the text"),
        "hidden": tr("hidden text"),
        "html": tr("HTML layout"),
        "link": tr("link"),
        "path": tr("link address"),
        "file": tr("attachment"),
        "attached": tr("text in an attachment"),
        "subject": tr("subject"),
        "from": tr("sender"),
        "to": tr("recipients"),
        "reply": tr("reply address"),
        "return": tr("bounce address"),
        "sender": tr("sending address"),
        "mailer": tr("mail program"),
        "list-id": tr("mailing list"),
        "id": tr("message ID"),
        "signed": tr("signed by"),
        "received": tr("route"),
        "origin": tr("origin"),
        "header": tr("header"),
        "organization": tr("organization"),
        "x-priority": tr("priority"),
        "x-msmail-priority": tr("priority"),
        "importance": tr("priority"),
        "precedence": tr("delivery class"),
        "auto-submitted": tr("automatic mail"),
        "mime-version": tr("MIME version"),
        "content-transfer-encoding": tr("encoding"),
        "content-language": tr("language"),
        "pair": tr("word pair"),
        "absent": "",
    }
