"""What the learning has brought so far, told by scores of messages that the model had not learned."""

from dataclasses import dataclass

from nbmail.worker.protocol import Command


@dataclass(frozen=True, slots=True)
class ReportTraining(Command):
    """How well would it have judged the latest `most` labels, had it not learned them? Result: `TrainingReport`.

    Each of them was scored by a model that had not learned it. Quick enough to be asked after every mark. What marks
    brought is the difference between two reports on the same messages: `among` names those of the first.
    """

    most: int = 1000
    among: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The judgement of labelled messages by models that had not learned them, at the dial as it is.

    Of `junk` messages `caught` were called junk, and with 95 % confidence the true share lies between `lowest` and
    `highest`. Of `good` ones the `misjudged` were called junk: their numbers, the surest mistake first. `missed` are
    the junk messages called good, `judged` all of them. All are 0 or empty until a message of each class is labelled.
    """

    junk: int = 0
    good: int = 0
    caught: int = 0
    lowest: float = 0.0
    highest: float = 1.0
    misjudged: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    judged: tuple[int, ...] = ()

    @property
    def messages(self) -> int:
        """How many were judged."""
        return self.junk + self.good

    @property
    def caught_share(self) -> float:
        """The share of junk that was caught, 0 where there was none."""
        return self.caught / self.junk if self.junk else 0.0
