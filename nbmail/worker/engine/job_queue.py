"""Queue of the engine: jobs by priority."""

import threading

from nbmail.worker.engine.jobs import Job, Priority

TURN = 8
"""One in so many time slices goes to the lower priorities."""


class JobQueue:
    """Jobs by priority. Any thread may add jobs; all other methods are for the engine's thread."""

    def __init__(self) -> None:
        self._jobs = list[Job]()
        self._filled = threading.Condition()
        self._closed = False
        self._turn = 0

    def __len__(self) -> int:
        with self._filled:
            return len(self._jobs)

    def add(self, job: Job) -> bool:
        """Queue the job. False if the queue is closed."""
        with self._filled:
            if not self._closed:
                self._jobs.append(job)
                self._filled.notify()
            return not self._closed

    def first(self, timeout: float | None) -> Job | None:
        """Return the next job without removing it.

        None after `timeout` seconds without a job, or if closed.
        """
        with self._filled:
            self._filled.wait_for(lambda: self._closed or self._jobs, timeout)
            if self._closed or not self._jobs:
                return None
            chosen = self._next_priority()
            return next(job for job in self._jobs if job.priority == chosen)

    def _next_priority(self) -> Priority:
        """Return the highest priority of a job, or in its turn a lower one: none starves."""
        highest, *lower = sorted({job.priority for job in self._jobs})
        if not lower or highest <= Priority.USER:
            return highest
        self._turn += 1
        rounds, rest = divmod(self._turn, TURN)
        if rest:
            return highest
        return lower[rounds % len(lower)]

    def first_without_model(self) -> Job | None:
        """Return the first job that doesn't need the model. Never waits."""
        with self._filled:
            ready = (job for job in self._jobs if not job.needs_model)
            return min(ready, key=lambda job: job.priority, default=None)

    def remove(self, job: Job) -> bool:
        """Remove the job. False if it has ended already."""
        with self._filled:
            is_queued = job in self._jobs
            if is_queued:
                self._jobs.remove(job)
            return is_queued

    def move(self, job: Job, priority: Priority) -> None:
        """Continue the job with another priority, after all jobs that have it already."""
        with self._filled:
            self._jobs.remove(job)
            job.priority = priority
            self._jobs.append(job)

    def close(self) -> None:
        with self._filled:
            self._closed = True
            self._filled.notify()

    @property
    def closed(self) -> bool:
        with self._filled:
            return self._closed

    def empty(self) -> list[Job]:
        """Remove and return all jobs."""
        with self._filled:
            left = self._jobs
            self._jobs = []
            return sorted(left, key=lambda job: job.priority)
