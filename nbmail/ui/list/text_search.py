"""Search for words in all messages, by the engine."""

from collections.abc import Callable
from functools import partial

from nbmail.ui.texts.language import tr
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.ticket import Progress

Found = tuple[int, ...]


class TextSearch:
    """One search at a time.

    `take`: called with the words and the messages that were found so far. `show_progress`: called
    with the progress as a text, "" at the end.
    """

    def __init__(
        self,
        engine: Engine,
        take: Callable[[str, Found], None],
        show_progress: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._take = take
        self._show_progress = show_progress
        self._drop: Callable[[], None] = lambda: None

    def stop(self) -> None:
        self._drop()

    def start(self, words: str) -> None:
        """Search for words, instead of those before."""
        self._drop()
        take = partial(self._take, words)

        def progressed(progress: Progress[Found]) -> None:
            share = 100 * progress.done // max(1, progress.total)
            self._show_progress(tr("Searching message text: {share} %").format(share=share))
            if progress.so_far is not None:
                take(progress.so_far)

        ended = partial(self._show_progress, "")
        request = self._engine.find_text(words).then(take, progressed=progressed, ended=ended)
        self._drop = request.drop
