"""From raw scores to probabilities, by a line fitted on held-out scores.

    calibrated = slope * (score - centre)

`calibrated` are log-odds at even odds. Slope and centre have a prior from many mailboxes (`Prior`)
and the likelihood of the held-out scores of this mailbox. So there is a probability with an
uncertainty from the first label of each class on. A line preserves the order of scores, and some
score is beyond every threshold.

The base rate of the labels is that of the marks, not of the mailbox. The fit removes it, and
`shift_base_rate` adds the estimated base rate of the mailbox. Measurements:
`tests/bench/MEASUREMENTS.md`, "Calibration".
"""
