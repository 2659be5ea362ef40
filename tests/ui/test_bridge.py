"""Events cross from any thread, in order, without costing the interpreter anything."""

import gc
import sys
import threading

from nbmail.ui.window.bridge import Bridge
from nbmail.worker.protocol.events import BodyFetched

EMITS = 5000


def test_five_thousand_emits_cost_no_reference_to_true(qtbot):
    """PySide6 6.12.0 loses one at every emit, which ends Python 3.11 after about a thousand."""
    bridge = Bridge()
    seen = []
    bridge.arrived.connect(seen.append)
    gc.collect()
    before = sys.getrefcount(True)
    for number in range(EMITS):
        bridge.emit_event(BodyFetched(number, True))
    qtbot.waitUntil(lambda: len(seen) == EMITS)
    assert sys.getrefcount(True) > before - EMITS / 5


def test_events_of_another_thread_arrive_in_order_on_this_one(qtbot):
    bridge = Bridge()
    seen = []
    bridge.arrived.connect(lambda event: seen.append((event.message, threading.get_ident())))
    sender = threading.Thread(
        target=lambda: [bridge.emit_event(BodyFetched(number, True)) for number in range(300)]
    )
    sender.start()
    qtbot.waitUntil(lambda: len(seen) == 300)
    sender.join()
    assert seen == [(number, threading.get_ident()) for number in range(300)]


def test_nothing_passes_a_closed_bridge(qtbot):
    bridge = Bridge()
    seen = []
    bridge.arrived.connect(seen.append)
    bridge.emit_event(BodyFetched(1, True))
    bridge.close()
    bridge.emit_event(BodyFetched(2, True))
    later = Bridge()
    with qtbot.waitSignal(later.arrived):
        later.emit_event(BodyFetched(3, True))
    assert seen == []
