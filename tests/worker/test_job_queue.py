"""Who goes first, that nobody starves, and that every job ends once."""

from collections import Counter

import pytest

from nbmail.worker.engine.job_queue import TURN, Job, JobQueue, Lane, Pause


class Heard:
    """Writes down how jobs end."""

    def __init__(self):
        self.said = []

    def progress(self, done, total, so_far=None):
        self.said.append("progress")

    def done(self, result):
        self.said.append(("done", result))

    def failed(self, error):
        self.said.append("failed")

    def cancelled(self):
        self.said.append("cancelled")


def slices(count, result=None):
    for number in range(count):
        yield Pause(number, count)
    return result


def work_off(jobs, most=10_000):
    """Work off slices until nothing is left; the lanes in the order of their slices."""
    order = []
    while not jobs.idle and len(order) < most:
        job = jobs.first(0)
        order.append(job.lane)
        if job.work() is None:
            jobs.remove(job)
    return order


def job(lane, count=0, heard=None, ticket=0):
    return Job(lambda: slices(count, ticket), lane, heard or Heard(), ticket)


def test_a_users_click_goes_before_the_next_slice_of_anything_else():
    jobs = JobQueue()
    jobs.add(job(Lane.REST, 50))
    jobs.add(job(Lane.MAIL, 50))
    assert jobs.first(0).lane == Lane.MAIL
    jobs.first(0).work()
    jobs.add(job(Lane.USER))
    assert jobs.first(0).lane == Lane.USER
    jobs.add(job(Lane.URGENT))
    assert jobs.first(0).lane == Lane.URGENT


def test_a_lane_that_never_empties_leaves_every_other_its_turn():
    jobs = JobQueue()
    for lane in (Lane.WORK, Lane.MAIL, Lane.SCORES, Lane.REST):
        jobs.add(job(lane, 10_000))
    taken = Counter(work_off(jobs, 3 * 100 * TURN))
    assert taken[Lane.WORK] == 3 * 100 * (TURN - 1)
    assert {taken[lane] for lane in (Lane.MAIL, Lane.SCORES, Lane.REST)} == {100}


def test_a_dropped_job_cleans_up_and_says_so_even_if_cleaning_fails():
    heard, cleaned = Heard(), []

    def careful():
        try:
            yield Pause()
        finally:
            cleaned.append(True)
            raise OSError("no")

    dropped = Job(careful, Lane.REST, heard)
    dropped.work()
    with pytest.raises(OSError, match="no"):
        dropped.drop()
    assert cleaned == [True]
    assert heard.said == ["cancelled"]
