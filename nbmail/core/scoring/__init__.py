"""From counts to probabilities and verdicts."""
