"""Commands that come before the engine keep their order and their tickets."""

from nbmail.app.deferred_engine import DeferredEngine
from nbmail.worker.protocol import ListMail, Redo, Undo


class Counting:
    """An engine that only numbers its commands."""

    def __init__(self):
        self.commands = []

    def submit(self, command):
        """Number it."""
        self.commands.append(command)
        return len(self.commands)


def test_early_commands_are_handed_on_in_order_with_the_tickets_they_got():
    deferred, engine = DeferredEngine(), Counting()
    early = [deferred.submit(ListMail()), deferred.submit(Undo())]
    deferred.open(engine)
    late = deferred.submit(Redo())
    assert [*early, late] == [1, 2, 3]
    assert engine.commands == [ListMail(), Undo(), Redo()]
