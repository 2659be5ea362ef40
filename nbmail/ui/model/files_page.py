"""Page of model files: export, import, rebuild and reset."""

from nbmail.ui.actions.model_actions import ModelActions, ask_to_rebuild, backup_text, rebuilt_text
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import ModelReset


class FilesPage(ModelPage):
    """Export, import, rebuild and reset of the model. Rebuild and reset ask first."""

    def __init__(self, context: WindowContext, say: Report, files: ModelActions) -> None:
        super().__init__(context, say)
        self.export = make_button(tr("&Export…"), files.export_model)
        self.import_ = make_button(tr("&Import…"), files.import_model)
        self.rebuild = make_button(tr("&Rebuild…"), lambda: ask_to_rebuild(self, self._rebuild))
        self.reset = make_button(tr("Re&set…"), self.confirm_reset)
        self._fill_page()
        self.show_content()

    def _fill_page(self) -> None:
        export = tr(
            "Saves all counts as tables that a spreadsheet can open. They contain words from "
            "your mail, so share them with care."
        )
        import_ = tr(
            "Adds training from nbmail or another filter. You see a preview first and can undo "
            "the import."
        )
        rebuild = tr(
            "Recalculates counts and corrections from your marks, after a backup. Your marks "
            "don't change."
        )
        reset = tr("Deletes all marks and imports, after a backup. You can undo this.")
        contents = layouts.column(
            layouts.action_row(tr("Export model"), export, self.export),
            18,
            layouts.action_row(
                tr("Import training from nbmail or another filter"), import_, self.import_
            ),
            18,
            layouts.action_row(tr("Rebuild model"), rebuild, self.rebuild),
            18,
            layouts.action_row(tr("Reset training"), reset, self.reset),
            18,
            None,
            margins=(24, 22, 24, 16),
        )
        self.lay_out(layouts.scroll_area(layouts.as_widget(contents)))

    def load(self) -> None:
        self.show_content()

    def _rebuild(self) -> None:
        self.request(
            self.engine.rebuild(),
            lambda backup: self._end(rebuilt_text(backup)),
            tr("Rebuilding model…"),
        )

    def confirm_reset(self) -> None:
        text = tr("Delete all marks and imports?")
        more = tr(
            "nbmail saves a backup of the model first, and you can undo the reset. Your mail "
            "is not deleted."
        )
        box = question_box(self, tr("Reset training?"), text, more, icon="warning")
        open_question(box, tr("Reset"), tr("Cancel"), self._reset)

    def _reset(self) -> None:
        waiting = tr("Saving a backup, then resetting…")
        self.request(self.engine.reset(), self._report_reset, waiting)

    def _report_reset(self, done: ModelReset) -> None:
        text = tr_count(
            "Reset finished: %n mark deleted.", "Reset finished: %n marks deleted.", done.labels
        )
        self._end(join_sentences(text, backup_text(done.backup)), undo=True)

    def _end(self, text: str, *, undo: bool = False) -> None:
        self.say(text, undo=undo)
        self.show_content()
