"""Bar of the demo."""

from collections.abc import Callable

from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.notices.bars import Bar
from nbmail.ui.texts.language import tr


class DemoBar(Bar):
    """Bar of the demo, with a button that opens the user's own mail. No signals."""

    def __init__(self, open_program: Callable[[bool], None]) -> None:
        super().__init__("ham")
        self.button = make_button(tr("Use my own mail"), lambda: open_program(False))
        text = wrapping_label(tr("Demo with sample mail. Nothing is saved."))
        self.set_contents(text, self.button, around=3)
