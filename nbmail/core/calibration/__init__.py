"""From raw scores to probabilities."""
