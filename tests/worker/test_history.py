"""Time travel and suspicious labels, compared with models folded by hand."""

import numpy as np

from nbmail.core.model import Model
from nbmail.store.store import Store
from nbmail.worker.history import by_counts_alone, score_without
from nbmail.worker.protocol import FindSuspicious, LookBack, Mark, TraceSender, Undo


def fold(store, pairs, messages):
    """Scores of a model that learned just these, in this order."""
    model = Model(store.words.vocabulary)
    for message, label in pairs:
        model.learn(store.messages.samples([message])[message], label)
    samples = store.messages.samples(messages)
    return model.log_odds(model.rows([samples[message] for message in messages]))


def test_a_look_back_says_what_the_model_of_then_said(station):
    station.ready().deliver(range(1, 41))
    history, moments = [], []
    for message, label in ((1, "junk"), (2, "good"), (3, "junk"), (2, "junk"), (4, "good"), (5, "junk"), (3, None)):
        station.do(Mark((message,), label))
        history = [pair for pair in history if pair[0] != message] + [(message, label)] * (label is not None)
        moments.append((station.clock.now, list(history)))
    station.do(Undo())
    looked = [station.do(LookBack(moment, (7, 8, 9))) for moment, _ in moments]
    assert station.do(LookBack(0.0, (7,))).log_odds.tolist() == [0.0]
    assert station.do(LookBack(2e9, (7, 8, 9, 999))).messages.tolist() == [7, 8, 9]
    station.stop()
    with Store(station.paths, 0.0) as store:
        for (_, pairs), found in zip(moments, looked, strict=True):
            assert found.messages.tolist() == [7, 8, 9]
            assert np.array_equal(found.log_odds, fold(store, pairs, [7, 8, 9]))


def test_planted_wrong_labels_are_found(station):
    station.ready().deliver(range(1, 201))
    wrong = {10, 33, 78}
    station.do(Mark(tuple(n for n in range(1, 151) if (n % 2 == 1) != (n in wrong)), "junk"))
    station.do(Mark(tuple(n for n in range(1, 151) if (n % 2 == 0) != (n in wrong)), "good"))
    found = station.do(FindSuspicious())
    assert {one.message for one in found} == wrong
    assert [abs(one.log_odds) for one in found] == sorted((abs(one.log_odds) for one in found), reverse=True)
    for one in found:
        assert (one.label == "good") == (one.log_odds > 0)


def test_leaving_out_is_counting_without_the_message_and_changes_nothing(desk_station):
    desk_station.stop()
    with Store(desk_station.paths, 0.0) as store:
        model = Model(store.words.vocabulary)
        store.load_model(model)
        labelled = store.labels.in_order(most=100)
        for left_out in labelled:
            alone = by_counts_alone(model)
            others = model.fresh()
            for one in labelled:
                if one is not left_out:
                    others.counts.learn(one.sample, one.label)
            expected = others.log_odds(others.rows([left_out.sample]))[0]
            assert abs(score_without(alone, left_out.sample, left_out.label) - expected) < 1e-9
        assert model.counts == store.counts.load()


def test_a_sender_is_traced_through_all_models(station):
    station.ready().deliver(range(1, 61))
    for message in range(1, 31):
        station.do(Mark((message,), "junk" if message % 2 else "good"))
    traced = station.do(TraceSender(41))
    moments = [moment for moment, _ in traced]
    assert moments == sorted(moments)
    assert all(0.0 <= probability <= 1.0 for _, probability in traced)
    assert traced[-1][1] > 0.9 > traced[0][1]
