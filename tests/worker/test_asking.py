"""Queries, and the report on their marks."""

from nbmail.worker.protocol.results import TrainingReport


def answer(harness, messages):
    for message in messages:
        harness.do.mark((message,), "junk" if message % 2 else "good")


def test_queries_are_unlabelled_located_messages_until_none_is_left(harness):
    harness.ready()
    harness.deliver(range(1, 41))
    skipped = harness.do.select_queries(1)
    seen = []
    while asked := harness.do.select_queries(3, exclude=skipped):
        assert not set(asked) & {*seen, *skipped}
        answer(harness, asked)
        seen += asked
    assert len(seen) == 39
    assert harness.do.select_queries(3) == skipped


def test_early_queries_contain_both_classes(harness):
    harness.ready()
    harness.deliver(range(1, 101))
    for _ in range(10):
        answer(harness, harness.do.select_queries(1))
    known = {each.name: each.messages for each in harness.learned().classes}
    assert min(known["junk"], known["good"]) >= 2


def test_marks_of_queries_are_stored_as_such(harness):
    """For queried marks the calibration uses the base rate of the mailbox, not that of the marks."""
    harness.ready()
    harness.deliver(range(1, 41))
    answer(harness, (1, 2))
    answer(harness, harness.do.select_queries(2))
    for _ in range(2):
        asked = harness.on_engine(lambda parts: parts.scoring.model.held_out.all.asked.tolist())
        assert asked == [False, False, True, True]
        harness.again()


def test_the_training_report_uses_models_without_the_message(harness):
    harness.ready()
    assert harness.do.report_training() == TrainingReport()
    harness.deliver(range(1, 121))
    harness.do.mark(tuple(range(1, 101, 2)), "junk")
    harness.do.mark((*range(2, 101, 2), 119), "good")
    report = harness.do.report_training()
    assert (report.junk, report.good) == (50, 51)
    assert report.true_positives > 25
    assert report.recall.lowest < report.recall.share < report.recall.highest
    assert report.false_positives == (119,)
    assert harness.do.report_training(limit=10).messages == 10


def test_training_report_and_accuracy_agree(harness):
    harness.ready()
    harness.deliver(range(1, 1102))
    harness.do.mark(tuple(range(1, 1102, 2)), "junk")
    harness.do.mark((*range(2, 1102, 2),), "good")
    report, told = harness.do.report_training(), harness.do.measure_accuracy()
    assert report.messages == sum(told.junk) + sum(told.good) == 1101
    assert (len(report.false_positives), len(report.false_negatives)) == (told.good[0], told.junk[2])
