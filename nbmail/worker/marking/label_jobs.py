"""Jobs that label many messages, while the user goes on marking."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice


@dataclass(eq=False, slots=True)
class LabelJob:
    """Progress of a job. `left`: messages to label. `marked`: those whose label it changed.

    `step`: its undo step, 0 before the first change. `total`: number of messages at the start.
    """

    left: dict[int, None]
    marked: list[int] = field(default_factory=list)
    step: int = 0
    total: int = 0

    def next_messages(self, most: int) -> list[int]:
        """Take the next messages to label."""
        messages = list(islice(self.left, most))
        for message in messages:
            del self.left[message]
        return messages


class LabelJobs:
    """Running jobs."""

    def __init__(self) -> None:
        self._jobs: list[LabelJob] = []

    def begin(self, messages: Iterable[int]) -> LabelJob:
        left = dict.fromkeys(messages)
        job = LabelJob(left, total=len(left))
        self._jobs.append(job)
        return job

    def end(self, job: LabelJob) -> None:
        self._jobs.remove(job)

    def leave_out(self, messages: Iterable[int]) -> None:
        """Let no running job label messages that the user has just marked."""
        for job in self._jobs:
            for message in messages:
                job.left.pop(message, None)

    def stop(self) -> None:
        """Let all running jobs label nothing more."""
        for job in self._jobs:
            job.left.clear()

    def stop_step(self, step: int) -> None:
        """Let the job that works on an undo step label nothing more."""
        for job in self._jobs:
            if job.step == step:
                job.left.clear()
