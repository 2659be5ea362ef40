"""Points of a learning curve."""

from nbmail.chunks import drain
from nbmail.core.evaluation.trials import Trial
from nbmail.lab.learning_curve import learning_curve
from tests.core.material import cases, fresh

FOLDERS = ("work", "family", "lists")


def test_a_curve_without_messages_to_learn_is_empty():
    points = []
    drain(learning_curve(Trial(True), fresh(), cases(5), 5, [2], points=points, at_once=9))
    assert points == []


def test_in_a_curve_a_class_not_learned_yet_is_put_wrong():
    data = [*cases(30, FOLDERS[:2]), *cases(20, FOLDERS[2:])]
    points = []
    chunks = drain(learning_curve(Trial(False), fresh(), data, 40, [5], points=points, at_once=9))
    assert chunks is None
    assert [one.labels for one in points] == [5, 10]
    for one in points:
        assert one.unseen.accuracy.count == 40
        assert one.unseen.accuracy.found <= 20
        assert one.learned.count == one.labels
