"""What can be done with the model as a whole: put into a file, taken from one, learned anew, forgotten."""

from nbmail.ui.actions.model_files import ModelFileActions, ask_to_relearn, relearned_words, saved_words
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.ui.model.model_page import ModelPage, PageContext
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol import Relearn
from nbmail.worker.protocol.own_model import StartedOver, StartOver


class KeepingPage(ModelPage):
    """Four things to do, each with what it means; the large ones ask first. Has no signals of its own."""

    def __init__(self, context: PageContext, files: ModelFileActions) -> None:
        super().__init__(context)
        self.export = make_button(tr("&Export…"), files.export_model)
        self.bring = make_button(tr("&Import…"), files.import_model)
        self.relearn = make_button(tr("&Learn anew…"), lambda: ask_to_relearn(self, self._relearn))
        self.start_over = make_button(tr("&Start from nothing…"), self.ask_to_start_over)
        texts = (
            (tr("Keep it in a file"), _export_words(), self.export),
            (tr("Add what was learned elsewhere"), _import_words(), self.bring),
            (tr("Learn everything anew"), _relearn_words(), self.relearn),
            (tr("Start from nothing"), _start_words(), self.start_over),
        )
        rows = [part for title, about, button in texts for part in (layouts.action_row(title, about, button), 18)]
        content = layouts.as_widget(layouts.column(*rows, None, margins=(24, 22, 24, 16)))
        self.stack.addWidget(layouts.scroll_area(content))
        self.setLayout(layouts.column((self.stack, 1)))
        self.show_content()

    def load(self) -> None:
        self.show_content()

    def _relearn(self) -> None:
        self.ask(Relearn(), lambda backup: self._end(relearned_words(backup)), tr("Learning anew…"))

    def ask_to_start_over(self) -> None:
        """Ask, then forget everything."""
        text = tr("Forget everything that nbmail has learned?")
        more = tr(
            "All marks and all that was imported go; your mail stays. The model is first saved to a file, and Undo "
            "brings all of it back."
        )
        box = question_box(self, tr("Start from nothing?"), text, more, icon="warning")
        open_question(box, tr("Forget everything"), tr("Leave it"), self._start_over)

    def _start_over(self) -> None:
        self.ask(StartOver(), self._say_started_over, tr("Saving the model to a file, then forgetting…"))

    def _say_started_over(self, done: StartedOver) -> None:
        forgot = tr_count("Forgot %n mark.", "Forgot %n marks.", done.labels)
        self._end(join_sentences(forgot, saved_words(done.backup)), undo=True)

    def _end(self, words: str, *, undo: bool = False) -> None:
        self.tell(words, undo=undo)
        self.show_content()


def _export_words() -> str:
    return tr("All counts, in tables a spreadsheet opens. They hold words of your mail: share them with care.")


def _import_words() -> str:
    return tr("A model of nbmail or of another filter. You see what it would bring first, and can undo it.")


def _relearn_words() -> str:
    return tr("Builds counts and corrections from your marks once more, after a backup. Your marks stay.")


def _start_words() -> str:
    return tr("Forgets all marks and all that was imported, after a backup. Undo brings it back.")
