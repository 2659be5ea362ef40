"""From parsed messages to words, facts and measures."""
