"""Priorities of jobs."""

from collections import Counter

from nbmail.worker.engine.job_queue import TURN, Job, JobQueue, Pause, Priority


def endless():
    while True:
        yield Pause()


def test_no_priority_starves_and_clicks_run_first():
    jobs, taken = JobQueue(), Counter()
    for priority in (Priority.WORK, Priority.MAIL, Priority.SCORES, Priority.IDLE):
        jobs.add(Job(endless(), priority, print))
    for _ in range(3 * 100 * TURN):
        first = jobs.first(0)
        taken[first.priority] += 1
        first.run_slice()
    assert taken[Priority.WORK] == 3 * 100 * (TURN - 1)
    assert {taken[priority] for priority in (Priority.MAIL, Priority.SCORES, Priority.IDLE)} == {100}
    for priority in (Priority.USER, Priority.URGENT):
        jobs.add(Job(endless(), priority, print))
        assert jobs.first(0).priority == priority
