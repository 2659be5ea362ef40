"""Who goes first, and that nobody starves."""

from collections import Counter

from nbmail.worker.engine.job_queue import TURN, Ending, Job, JobQueue, Lane, Pause


def endless():
    while True:
        yield Pause()


def test_a_lane_that_never_empties_leaves_every_other_its_turn_and_a_click_goes_before_all():
    jobs, taken = JobQueue(), Counter()
    for lane in (Lane.WORK, Lane.MAIL, Lane.SCORES, Lane.REST):
        jobs.add(Job(endless, lane, Ending(lambda error: None)))
    for _ in range(3 * 100 * TURN):
        first = jobs.first(0)
        taken[first.lane] += 1
        first.work()
    assert taken[Lane.WORK] == 3 * 100 * (TURN - 1)
    assert {taken[lane] for lane in (Lane.MAIL, Lane.SCORES, Lane.REST)} == {100}
    for lane in (Lane.USER, Lane.URGENT):
        jobs.add(Job(endless, lane, Ending(lambda error: None)))
        assert jobs.first(0).lane == lane
