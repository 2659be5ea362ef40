"""Entry point of the laboratory: what the engine uses of it."""

from nbmail.lab.case_order import interleaved, stratified
from nbmail.lab.comparison import choosing
from nbmail.lab.learning_curve import learning_curve
from nbmail.lab.methods.registry import method_of_laboratory


class Laboratory:
    """Methods and comparisons. The engine imports this class when it needs one of them."""

    method = staticmethod(method_of_laboratory)
    choosing = staticmethod(choosing)
    learning_curve = staticmethod(learning_curve)
    stratified = staticmethod(stratified)
    interleaved = staticmethod(interleaved)
