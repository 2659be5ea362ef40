"""Work on a background thread, with its result on the GUI thread."""

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

Result = TypeVar("Result")
CallOnGui = Callable[[Callable[[], None]], None]


def run_in_background(
    call: CallOnGui, name: str, work: Callable[[], Result], on_result: Callable[[Result], None]
) -> None:
    """Run `work` on a thread, and pass its result to the GUI thread by `call`."""

    def run() -> None:
        call(partial(on_result, work()))

    threading.Thread(target=run, name=name, daemon=True).start()
