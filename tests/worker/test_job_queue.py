"""Who goes first, and that nobody starves."""

from collections import Counter

from nbmail.worker.engine.job_queue import TURN, Job, JobCallbacks, JobQueue, Pause, Priority


def endless():
    while True:
        yield Pause()


def test_a_lane_that_never_empties_leaves_every_other_its_turn_and_a_click_goes_before_all():
    jobs, taken = JobQueue(), Counter()
    for priority in (Priority.WORK, Priority.MAIL, Priority.SCORES, Priority.IDLE):
        jobs.add(Job(endless(), priority, JobCallbacks(lambda error: None)))
    for _ in range(3 * 100 * TURN):
        first = jobs.first(0)
        taken[first.priority] += 1
        first.run_slice()
    assert taken[Priority.WORK] == 3 * 100 * (TURN - 1)
    assert {taken[priority] for priority in (Priority.MAIL, Priority.SCORES, Priority.IDLE)} == {100}
    for priority in (Priority.USER, Priority.URGENT):
        jobs.add(Job(endless(), priority, JobCallbacks(lambda error: None)))
        assert jobs.first(0).priority == priority
