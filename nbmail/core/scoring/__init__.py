"""From counts to probabilities, verdicts and reasons."""
