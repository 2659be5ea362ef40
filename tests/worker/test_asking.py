"""Questions to the user, and what the answers brought."""

from nbmail.worker.protocol.results import TrainingReport


def answer(station, messages):
    for message in messages:
        station.do.mark((message,), "junk" if message % 2 else "good")


def test_questions_are_unlabelled_and_free_and_run_out(station):
    station.ready()
    station.deliver(range(1, 41))
    skipped = station.do.select_queries(1)
    seen = []
    while asked := station.do.select_queries(3, exclude=skipped):
        assert not set(asked) & {*seen, *skipped}
        answer(station, asked)
        seen += asked
    assert len(seen) == 39
    assert station.do.select_queries(3) == skipped


def test_both_kinds_are_asked_about_early(station):
    station.ready()
    station.deliver(range(1, 101))
    for _ in range(10):
        answer(station, station.do.select_queries(1))
    known = {each.name: each.messages for each in station.learned().classes}
    assert min(known["junk"], known["good"]) >= 2


def test_what_was_asked_about_counts_as_such_for_good(station):
    """Of such marks the line expects as much junk as there is in the mailbox, not as there is among the marks."""
    station.ready()
    station.deliver(range(1, 41))
    answer(station, (1, 2))
    answer(station, station.do.select_queries(2))
    for _ in range(2):
        assert station.engine.parts.scoring.model.held_out.asked.tolist() == [False, False, True, True]
        station.again()


def test_the_report_tells_how_labels_were_judged_before_they_were_learned(station):
    station.ready()
    assert station.do.report_training() == TrainingReport()
    station.deliver(range(1, 121))
    station.do.mark(tuple(range(1, 101, 2)), "junk")
    station.do.mark((*range(2, 101, 2), 119), "good")
    report = station.do.report_training()
    assert (report.junk, report.good) == (50, 51)
    assert report.true_positives > 25
    assert report.recall.lowest < report.recall.share < report.recall.highest
    assert report.false_positives == (119,)
    assert station.do.report_training(limit=10).messages == 10


def test_the_report_and_the_accuracy_tell_of_the_same_messages_however_many(station):
    station.ready()
    station.deliver(range(1, 1102))
    station.do.mark(tuple(range(1, 1102, 2)), "junk")
    station.do.mark((*range(2, 1102, 2),), "good")
    report, told = station.do.report_training(), station.do.measure_accuracy()
    assert report.messages == sum(told.junk) + sum(told.good) == 1101
    assert (len(report.false_positives), len(report.false_negatives)) == (told.good[0], told.junk[2])
