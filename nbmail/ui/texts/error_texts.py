"""Texts for error codes: one sentence about the error and one about what to do."""

from dataclasses import dataclass

from nbmail.errors import ErrorCode
from nbmail.ui.kit.error_texts import _advice, _sentences
from nbmail.ui.texts.language import tr

PAGES: dict[str, str] = {
    ErrorCode.FOLDER_MISSING: "folders",
    ErrorCode.NO_KEYWORDS: "several-computers",
    ErrorCode.BAD_MODEL_FILE: "model-files",
    ErrorCode.ALREADY_KNOWN: "model-files",
    ErrorCode.NOT_ENOUGH_YET: "first-steps",
}
"""Pages of the manual about errors. All others are on the page about trouble."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Error or event, and what the user can do. `detail`: technical cause. `page`: page of the
    manual, or empty.
    """

    sentence: str
    advice: str
    detail: str = ""
    page: str = ""


def error_notice(error_code: str | None, detail: str = "") -> Notice:
    """Return the texts of an error code. None means an error inside nbmail."""
    code = error_code or ""
    page = PAGES.get(error_code or "", "trouble")
    unknown = tr("Try again. If it happens again, restart nbmail and report the error.")
    sentence = _sentences().get(code, tr("nbmail has run into an internal error."))
    return Notice(sentence, _advice().get(code, unknown), detail, page)
