"""Texts about failed requests."""

from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.ticket import Failed


def failure_text(failure: Failed) -> str:
    notice = error_notice(failure.error_code, failure.detail)
    return join_sentences(notice.sentence, notice.advice)
