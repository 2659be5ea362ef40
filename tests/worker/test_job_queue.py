"""Who goes first, and that nobody starves."""

from collections import Counter

from nbmail.worker.engine.job_queue import TURN, Job, JobCallbacks, JobQueue, Pause, Priority


def endless():
    while True:
        yield Pause()


def test_a_lane_that_never_empties_leaves_every_other_its_turn_and_a_click_goes_before_all():
    jobs, taken = JobQueue(), Counter()
    for lane in (Priority.WORK, Priority.MAIL, Priority.SCORES, Priority.REST):
        jobs.add(Job(endless, lane, JobCallbacks(lambda error: None)))
    for _ in range(3 * 100 * TURN):
        first = jobs.first(0)
        taken[first.lane] += 1
        first.work()
    assert taken[Priority.WORK] == 3 * 100 * (TURN - 1)
    assert {taken[lane] for lane in (Priority.MAIL, Priority.SCORES, Priority.REST)} == {100}
    for lane in (Priority.USER, Priority.URGENT):
        jobs.add(Job(endless, lane, JobCallbacks(lambda error: None)))
        assert jobs.first(0).lane == lane
